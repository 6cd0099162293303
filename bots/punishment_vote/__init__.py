"""Policies for the punishment vote."""
