"""The golden play of each game: a file of its name with its CONFIG and its SCRIPT."""
