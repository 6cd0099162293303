"""Plays of a game, their logs, and log replays."""
