"""Tests of the table, without a server."""
