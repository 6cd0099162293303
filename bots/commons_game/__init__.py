"""Policies for the commons game."""
