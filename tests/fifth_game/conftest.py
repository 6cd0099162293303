"""The tests in `house/` are those of the copy; this tree has no fifth game."""

collect_ignore = ["house"]
