"""Tables at which seats decide in turn. People in seats 2 and 0 decide first, and bots in seats 1
and 3 follow."""

from __future__ import annotations

from typing import Any

from mixed_company.table.table import Table
from tests.table.layered import IN_TURN, begun


def turns(people: tuple[int, ...] = (0, 2), **options: Any) -> Table:
    """Return a table that everyone joined at time 0. Bots take 2 s, and a turn lasts 10 s."""
    chosen = {
        "decision_seconds": 10,
        "bot_delay": "fixed:seconds=2",
        "grace_seconds": 600,
        **options,
    }
    return begun(list(people), **{"agents": IN_TURN, **chosen})
