"""Policies that follow a written rule: one file each."""
