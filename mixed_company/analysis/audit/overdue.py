"""Note plays that stop although the server should have continued them before the export was made.

If somebody cut off the last part of a journal, the group seems to be still playing. The rebuilt
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

_SLACK_MS = 60_000
"""Delay of the next event that is tolerated without a note, because writing an export takes
time."""


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
    """Return how far the machine's clock was ahead of the play's clock in the last row of `seats`,
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
