"""Command that writes docs/stakes.md or checks its conditions; see `docs.stakes`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from docs.dating import dated
from docs.stakes.conditions import conditions, shipped
from docs.stakes.earning import Table, measured
from docs.stakes.page import INTRODUCTION, section


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or list the conditions that do not hold. Return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m docs.stakes")
    parser.add_argument("--check", action="store_true", help="list the conditions that fail")
    parser.add_argument("session", nargs="*", help="names of session configs (default: all)")
    chosen = parser.parse_args(arguments)
    stakes = {stake.name: stake for stake in shipped()}
    unknown = set(chosen.session) - stakes.keys()
    if unknown:
        parser.error(f"session {min(unknown)!r}: not one of {', '.join(stakes)}")
    named = [stakes[name] for name in chosen.session or stakes]
    if chosen.check:
        return max([_check(stake.name, measured(stake)) for stake in named])
    sys.stdout.write(dated(INTRODUCTION))
    for stake in named:
        sys.stdout.write(section(measured(stake)))
    return 0


def _check(name: str, table: Table) -> int:
    failed = [condition for condition in conditions(table) if not condition.met]
    for promise, number, _ in failed:
        sys.stdout.write(f"{name}: {promise}: {number}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
