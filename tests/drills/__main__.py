"""Command line of the drills: `python -m tests.drills DRILL ...`"""

from __future__ import annotations

import sys
from argparse import ArgumentParser

from tests.drills.drill import find, names


def main() -> int:
    """Run a drill and print its report."""
    parser = ArgumentParser(prog="python -m tests.drills")
    drills = parser.add_subparsers(dest="drill", required=True)
    for name in names():
        sentence = str(find(name).__doc__).splitlines()[0]
        subparser = drills.add_parser(name, help=sentence, description=sentence)
        subparser.add_argument("--seed", type=int, default=1, help="seed of all random draws")
        find(name).configure(subparser)
    chosen = parser.parse_args()
    report = find(chosen.drill).run(chosen)
    print(*report.lines(), sep="\n")
    return 1 if report.faults else 0


if __name__ == "__main__":
    sys.exit(main())
