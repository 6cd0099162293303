"""Times of the machine's clock (`wall_ms`): a group has all or none, and one value at one time.

The clock of the play stands still while the server is away, and goes by no clock that can be set.
"""

from __future__ import annotations

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings

__all__ = ["check_walls"]

_WALL = {
    "decisions": "received_ms",
    "periods": "settled_ms",
    **dict.fromkeys(("seats", "events", "messages"), "at_ms"),
}


def check_walls(group: Group, findings: Findings) -> None:
    """Compare the times of the machine's clock with each other."""
    rows = [
        (name, row["row"], row[column], row["wall_ms"])
        for name, column in _WALL.items()
        if name in group.tables
        for row in group.tables[name].records()
    ]
    known = 2 * sum(wall != "" for *_, wall in rows) > len(rows)
    shown: dict[int, int] = {}
    for name, number, at, wall in rows:
        if not known:
            findings.value(name, number, "wall_ms", wall, "")
        elif wall == "":
            findings.rule(False, name, number, "wall_ms", wall, "is no time")
        elif at != "":
            findings.value(name, number, "wall_ms", wall, shown.setdefault(at, wall))
