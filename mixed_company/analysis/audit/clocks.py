"""Check a group's times on the machine's clock, and whether its play stopped too early.

Unlike the machine's clock, the play's clock cannot be changed, and it stops while the server is
down. A group has all times on the machine's clock (`wall_ms`) or none, as an imported group, and
events with the same play time also have the same machine time.

If somebody cut off the end of a journal, the group still seems to be playing. The rebuilt
table knows when its next event was due, for example when the time for a decision ran out. This is
only a note, because the server may have been down. Rehearsals are left out, because they set their
own clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.way import export_ms
from mixed_company.analysis.data import Problem
from mixed_company.table.due import next_due

_WALL = {
    "decisions": "received_ms",
    "periods": "settled_ms",
    **dict.fromkeys(("seats", "events", "messages"), "at_ms"),
}


def check_walls(group: Group, findings: Findings) -> None:
    """Check that a group's times on the machine's clock agree with those on the play's clock."""
    later = [("decisions", f"{name}_at_ms", f"{name}_") for name in group.game.stages.names[1:]]
    rows = [
        ((name, row["row"], f"{stage}wall_ms"), row[column], row[f"{stage}wall_ms"])
        for name, column, stage in [*((*pair, "") for pair in _WALL.items()), *later]
        if name in group.tables
        for row in group.tables[name].records()
    ]
    imported = "imported" in group.options
    has_times = not imported and 2 * sum(wall != "" for *_, wall in rows) > len(rows)
    shown: dict[int, int] = {}
    for place, time_ms, wall in rows:
        if not has_times:
            findings.value(*place, wall, "")
        elif wall == "":
            findings.rule(False, *place, wall, "is not a time")
        elif time_ms != "":
            findings.value(*place, wall, shown.setdefault(time_ms, wall))


_SLACK_MS = 60_000
"""Longest delay of the next event that causes no note. A short delay is normal, because writing an
export takes time."""


def note_overdue(group: Group, manifest: Mapping[str, Any], findings: Findings) -> None:
    """Add a note if the play of a group should have continued before the export was made."""
    table, end_ms = group.table, export_ms(manifest)
    if table is None or table.over or end_ms is None or manifest.get("rehearsed"):
        return
    due, ahead_ms = next_due(table), _ahead_ms(group)
    if due is None or ahead_ms is None:
        return
    late_ms = end_ms - due.at_ms - ahead_ms
    if late_ms > _SLACK_MS:
        session, number = findings.session, findings.group
        message = (
            f"group {number} of session {session}: its play stops, although its next event was due "
            f"{late_ms / 60_000:.0f} minutes before the export was made: either the server was "
            f"down, or somebody cut off the end of the journal"
        )
        findings.problems.append(Problem("unknown", message, "", session, number))


def _ahead_ms(group: Group) -> int | None:
    """Return how far ahead of the play's clock the machine's clock was in the last row of `seats`,
    `periods` and `events`; None if these rows have no times."""
    times = [
        (row[column], row["wall_ms"])
        for name, column in (("seats", "at_ms"), ("periods", "settled_ms"), ("events", "at_ms"))
        if name in group.tables
        for row in group.tables[name].records()
        if "" not in (row[column], row["wall_ms"])
    ]
    at_ms, wall_ms = max(times, default=(None, None))
    return None if at_ms is None else int(wall_ms - at_ms)
