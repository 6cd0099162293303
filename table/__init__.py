"""People, policies and agents at one table."""
