"""Explain every column of an export, and every parameter of a game."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import games
from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed codebook commons_game", "mixed codebook > codebook.md")


def configure(parser: ArgumentParser) -> None:
    games(parser)


def run(chosen: Namespace) -> int:
    """Print the codebook as Markdown."""
    from mixed_company.table.export.codebook import whole

    sys.stdout.write(whole(chosen.games))
    return 0
