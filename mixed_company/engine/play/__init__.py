"""Plays of a game, their logs, and replays of these logs."""
