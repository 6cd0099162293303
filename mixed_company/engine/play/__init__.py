"""Plays of a game, their logs, and replays of logs."""
