"""python -m analysis check EXPORT: every group played again, every number compared.

Exit code 0: all is right; 1: something differs; 2: the file cannot be read.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from analysis.audit import NOTES, Audit, audited
from analysis.data import Problem
from analysis.files import opened
from analysis.reading import load
from table.export.archive import code_hash

__all__ = ["main"]

LIMIT = 20


def main(arguments: Sequence[str]) -> int:
    """Run the command; its exit code. Raises EngineError where the file cannot be read."""
    parser = argparse.ArgumentParser(
        prog="python -m analysis check",
        description="Play every group again and compare every number of an export.",
    )
    parser.add_argument("export", help="the zip of an export, or the folder it was unpacked into")
    parser.add_argument("--game", help="one game; all of the export unless told")
    parser.add_argument(
        "--limit", type=int, default=LIMIT, help="lines per group and table; 0: all of them"
    )
    chosen = parser.parse_args(arguments)
    games = [chosen.game] if chosen.game else list(opened(chosen.export).games)
    audits = [audited(load(chosen.export, game)) for game in games]
    for audit in audits:
        print(*_told(audit, chosen.limit), sep="\n")
    return 1 if any(_wrong(audit) for audit in audits) else 0


def _wrong(audit: Audit) -> list[Problem]:
    return [problem for problem in audit.problems if problem.kind not in NOTES]


def _told(audit: Audit, limit: int) -> Iterator[str]:
    """The counts, and whether other code made it; then what differs, by group and table; then what
    is only to be known."""
    wrong = _wrong(audit)
    counts = f"{audit.groups} groups, {audit.periods} periods, {audit.numbers} numbers compared"
    yield f"{audit.game}: {counts}; {f'problems: {len(wrong)}' if wrong else 'all is right'}"
    if audit.made_by:
        so = "differences may come from that" if wrong else "it gives the same numbers"
        yield f"made by other code ({audit.made_by:.12}; this is {code_hash():.12}): {so}"
    blocks: dict[tuple[str, int | None, str], list[Problem]] = {}
    for each in wrong:
        table = each.where.partition(",")[0]
        blocks.setdefault((each.session, each.group, table), []).append(each)
    for own in blocks.values():
        most = limit or len(own)
        yield from map(str, own[:most])
        if len(own) > most:
            yield f"... and {len(own) - most} more of this group in this table (--limit 0: all)"
    for each in audit.problems:
        if each.kind in NOTES:
            yield f"to be known: {each}"
