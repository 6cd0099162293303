"""Check whether a session can start (go or no go), and report each problem.

Run this command where the server will run, with the same environment variables. STOP marks problems
that you must correct first; `look` marks settings that may be intended. The exit code is 1 if there
is a STOP, otherwise 0.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import simulated
from mixed_company.cli.command import Group

GROUP = Group.SESSIONS
EXTRA = "server"
EXAMPLES = (
    "mixed preflight commons_two_people --people 40",
    "mixed preflight sanctions --people 120 --budget 1500 --host 0.0.0.0",
    "mixed preflight commons_governance --people 40 --simulated noisy_person",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("session", help="name of a session config")
    add("--people", type=int, required=True, help="expected number of people")
    add("--budget", type=float, help="maximum total payment, in the session's currency")
    simulated(parser, without="; default: those of the plan, otherwise bots")
    add("--host", default="0.0.0.0", help="address of the server; 0.0.0.0: all networks")  # noqa: S104


def run(chosen: Namespace) -> int:
    """Print all findings and the verdict, go or no go."""
    from mixed_company.cli.project import check_project

    check_project()
    import settings
    from mixed_company.server.preflight.whole import looked_at

    findings = looked_at(
        settings,
        chosen.session,
        chosen.people,
        chosen.budget,
        chosen.host,
        os.environ,
        chosen.simulated,
    )
    for finding in findings:
        print(f"{finding.verdict.value:6s}{finding.sentence}")
    stops = sum(finding.verdict.value == "STOP" for finding in findings)
    print(f"\nno go: {stops} to fix" if stops else "\ngo")
    return 1 if stops else 0
