"""One module per game. The module's docstring is the game's manual page, and `GAME` is its
class."""
