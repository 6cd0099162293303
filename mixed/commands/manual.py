"""The manual page of a game: its rules with sums worked out, and its policies."""

from __future__ import annotations

import inspect
from argparse import ArgumentParser, Namespace

from mixed.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed manual commons_game",)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("game")


def run(chosen: Namespace) -> int:
    """Print the docstring of the game's module, and a line per policy."""
    import importlib

    import engine
    from mixed.policies import table

    engine.find(chosen.game)
    module = importlib.import_module(f"engine.games.{chosen.game}")
    print(inspect.getdoc(module))
    print("\nPolicies\n")
    print(*table(chosen.game), sep="\n")
    return 0
