"""One module per game; its docstring is the manual page of the game, its `GAME` the class."""
