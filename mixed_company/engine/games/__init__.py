"""One module per game; its docstring is the game's manual page, its `GAME` the class."""
