"""Golden play of each game: one file per game with its CONFIG and its SCRIPT."""
