"""Policies for the public good."""
