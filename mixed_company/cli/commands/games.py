"""List every game with its version and its archetypes."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed games",)


def configure(_: ArgumentParser) -> None:
    """Declare no arguments."""


def run(_: Namespace) -> int:
    """Print a line per game."""
    from mixed_company import engine

    for game_id in engine.game_ids():
        game = engine.find(game_id)
        print(f"{game_id:16} version {game.version}: {', '.join(game.archetypes)}")
    return 0
