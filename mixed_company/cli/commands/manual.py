"""Print the manual of a game: rules with formulas, results of plays, policies."""

from __future__ import annotations

import inspect
from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed manual commons_game",)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("game")


def run(chosen: Namespace) -> int:
    """Print the docstring of the game's module, its events and infos, and one line per policy."""
    import importlib

    from mixed_company import engine
    from mixed_company.cli.commands.policies import table
    from mixed_company.engine.contract import describe
    from mixed_company.engine.play.events import event_kinds

    game = engine.make(chosen.game)
    module = importlib.import_module(f"mixed_company.engine.games.{chosen.game}")
    print(inspect.getdoc(module))
    print()
    print(describe.diagnostics(event_kinds(game), game.declaration.info), end="")
    print("\nPolicies\n")
    print(*table(chosen.game), sep="\n")
    return 0
