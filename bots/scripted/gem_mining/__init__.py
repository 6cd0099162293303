"""Policies for gem mining."""
