"""The analysis as commands: python -m analysis check EXPORT

Each command is a module with a `main(arguments)` that returns an exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from engine.contract.errors import UnknownName, nearest
from files.command import guarded

__all__ = ["main"]

COMMANDS = {
    "check": ("analysis.audit.command", "play every group again and compare every number"),
    "report": ("analysis.report.command", "write a page, its tables and its figures"),
    "measures": ("analysis.measures.__main__", "say what every measure is"),
    "power": ("analysis.power", "say how many groups an experiment needs, by simulation"),
    "patterns": ("analysis.patterns", "reproduce a classic pattern per game with policies"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit code: 2 where it was refused, with a sentence."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if not given or given[0] in ("-h", "--help"):
        print("python -m analysis COMMAND ...\n")
        print(*(f"  {name:8} {meaning}" for name, (_, meaning) in COMMANDS.items()), sep="\n")
        return 0 if given else 2
    return guarded(lambda: _run(given[0], given[1:]))


def _run(name: str, arguments: Sequence[str]) -> int:
    if name not in COMMANDS:
        raise UnknownName(f"command {name!r}: unknown{nearest(name, COMMANDS)}")
    code: int = import_module(COMMANDS[name][0]).main(arguments)
    return code


if __name__ == "__main__":
    sys.exit(main())
