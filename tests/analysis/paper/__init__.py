"""Tests of the paper folder."""
