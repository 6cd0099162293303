"""The manual page of a game: its rules with sums, results of plays, policies."""

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
    """Print the docstring of the game's module, what its plays tell, and a line per policy."""
    import importlib

    import engine
    from engine.contract import describe
    from engine.play.events import event_kinds
    from mixed.policies import table

    game = engine.make(chosen.game)
    module = importlib.import_module(f"engine.games.{chosen.game}")
    print(inspect.getdoc(module))
    print()
    print(describe.diagnostics(event_kinds(game), game.declaration.info), end="")
    print("\nPolicies\n")
    print(*table(chosen.game), sep="\n")
    return 0
