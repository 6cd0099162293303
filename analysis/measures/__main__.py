"""Print what every measure is, of one game or of all, as Markdown.

python -m analysis measures [game]
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from analysis.measures.document import document
from files.command import guarded

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m analysis measures", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("games", nargs="*", metavar="game", help="of these only")
    chosen = parser.parse_args(arguments)
    return guarded(lambda: _print(chosen.games))


def _print(games: Sequence[str]) -> int:
    print(document(games), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
