"""Explain every measure of the data: meaning, formula, unit, source."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import games
from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = "analysis"
EXAMPLES = ("mixed measures gem_mining", "mixed measures > measures.md")


def configure(parser: ArgumentParser) -> None:
    games(parser)


def run(chosen: Namespace) -> int:
    """Print the measures as Markdown."""
    from mixed_company.analysis.measures import document

    sys.stdout.write(document(chosen.games))
    return 0
