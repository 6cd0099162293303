"""Plays: from the first observation to the log and back."""
