"""Check times of the machine's clock (`wall_ms`). A group has all these times or none, and events
with the same play time also have the same machine time.

Unlike the machine's clock, the play's clock cannot be changed, and it stops while the server is
down.
"""

from __future__ import annotations

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings

_WALL = {
    "decisions": "received_ms",
    "periods": "settled_ms",
    **dict.fromkeys(("seats", "events", "messages"), "at_ms"),
}


def check_walls(group: Group, findings: Findings) -> None:
    """Check that a group's times by the machine's clock agree with those by the play's clock."""
    later = [("decisions", f"{name}_at_ms", f"{name}_") for name in group.game.stages.names[1:]]
    rows = [
        ((name, row["row"], f"{stage}wall_ms"), row[column], row[f"{stage}wall_ms"])
        for name, column, stage in [*((*pair, "") for pair in _WALL.items()), *later]
        if name in group.tables
        for row in group.tables[name].records()
    ]
    has_times = 2 * sum(wall != "" for *_, wall in rows) > len(rows)
    shown: dict[int, int] = {}
    for place, time_ms, wall in rows:
        if not has_times:
            findings.value(*place, wall, "")
        elif wall == "":
            findings.rule(False, *place, wall, "is not a time")
        elif time_ms != "":
            findings.value(*place, wall, shown.setdefault(time_ms, wall))
