"""Arguments that several commands take."""

from __future__ import annotations

from argparse import ArgumentParser

__all__ = ["configuration"]


def configuration(parser: ArgumentParser) -> None:
    """Declare `--archetype`, `--seed` and the parameters of a game, `chosen.pairs`."""
    parser.add_argument("--archetype", help="the named set of values to start from")
    parser.add_argument("--seed", type=int, default=0, help="seed of every random number")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the game")
