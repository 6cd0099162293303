"""One module per game; its docstring is the game's manual page, and its `GAME` is the class."""
