"""Rehearses a session: policies take people's places, through the real pages of a real server.

python -m server.rehearse commons_two_people --groups 20 --people noisy_person
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.contract.errors import ConfigError
from files.command import guarded, whole
from server.rehearse.whole import plan, rehearsed
from table import thinking

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m server.rehearse", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("session_config", help="its name in settings.py")
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--people", required=True, help="a policy per person of a group, by commas")
    parser.add_argument("--bots", help="policies for the other seats; as in the config unless told")
    parser.add_argument("--seed", type=int, default=0, help="seed of every random number")
    parser.add_argument(
        "--speed",
        default="instant",
        help="how long people and bots think: instant, fixed:seconds=2, lognormal:median=2;sigma=1",
    )
    parser.add_argument(
        "--output", type=Path, default=Path("rehearsal.zip"), help="the file of the export"
    )
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="keys of the session config")
    chosen = parser.parse_intermixed_args(arguments)
    return guarded(lambda: _run(chosen))


def _run(chosen: argparse.Namespace) -> int:
    changes = _changes(chosen.pairs)
    if chosen.bots is not None:
        changes["bots"] = chosen.bots
    speed = thinking.check(chosen.speed)
    made = plan(chosen.session_config, chosen.groups, chosen.people, chosen.seed, speed, changes)
    with whole(chosen.output) as file:
        data, faults = rehearsed(made)
        file.write(data)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(chosen.output)
    return 0


def _changes(pairs: Sequence[str]) -> dict[str, Any]:
    """`key=value` as the form of a session has it: numbers, flags and texts."""
    found: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise ConfigError(f"{pair!r}: should be key=value")
        found[key] = _value(text)
    return found


def _value(text: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, bool | int | float) else text


if __name__ == "__main__":
    sys.exit(main())
