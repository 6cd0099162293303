"""A table without a server."""
