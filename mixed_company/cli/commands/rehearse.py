"""Rehearse a session: policies take people's places on a real server.

The policies go through the same pages as people. The server is started for the rehearsal, with its
own database, and stopped afterwards. The result is an export, which records that it is a rehearsal
and which policies played. Several sessions share one server and one export.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mixed_company.cli.arguments import simulated
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.SESSIONS
EXTRA = "rehearsal"
EXAMPLES = (
    "mixed rehearse commons_two_people --groups 20 --simulated conditional_cooperator,noisy_person",
    "mixed rehearse commons_governance --groups 4 --sessions 3",
    "mixed rehearse gems --simulated thompson_sampling --output gems.zip periods=5",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("session_config", help="name of a session config in settings.py, or of a plan")
    add("--groups", type=int, default=1, help="number of groups; with a plan, per treatment")
    add("--sessions", type=int, default=1, help="number of sessions, each with these groups")
    simulated(parser, "--people", without="; default: those of the plan")
    add("--bots", help="policies for the other seats; default: those of the session config")
    add(
        "--seed",
        type=int,
        default=0,
        help="seed for all random numbers in the first session; later sessions count up from it",
    )
    add(
        "--speed",
        default="instant",
        help="thinking time of people and bots: instant, fixed:seconds=2, "
        "lognormal:median=2;sigma=1",
    )
    add("--output", type=Path, default=Path("rehearsal.zip"), help="file of the export")
    add("pairs", nargs="*", metavar="key=value", help="keys of the session config")


def run(chosen: Namespace) -> int:
    """Rehearse the session, write the export and print its name."""
    from mixed_company import files
    from mixed_company.cli.project import check_project
    from mixed_company.table import thinking

    check_project()
    from mixed_company.server.rehearse.whole import plans, rehearsed

    changes = _changes(chosen.pairs)
    if chosen.bots is not None:
        changes["bots"] = chosen.bots
    speed = thinking.check(chosen.speed)
    people = chosen.groups, chosen.simulated
    sessions = plans(chosen.sessions, chosen.session_config, *people, chosen.seed, speed, changes)
    print(*sessions[0].described, sep="\n", file=sys.stderr)
    with files.whole(chosen.output) as file:
        data, faults = rehearsed(*sessions)
        file.write(data)
    for fault in faults:
        print(fault, file=sys.stderr)
    print(chosen.output)
    return 0


def _changes(pairs: Sequence[str]) -> dict[str, Any]:
    """Return config keys from `key=value` strings, which are parsed like form fields.
    Raises ConfigError."""
    from mixed_company.table.given import plain

    changes: dict[str, Any] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key:
            raise config_error(f"{pair!r}: should be key=value")
        changes[key] = plain(text)
    return changes
