"""One module per game. Its docstring is the game's manual page, and `GAME` is the game's class."""
