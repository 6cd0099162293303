"""Policies for the sanctions game."""
