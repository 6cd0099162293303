"""Tables with a manager who acts on them."""

from __future__ import annotations

from typing import Any

from mixed_company.table.directives import Directive
from mixed_company.table.protocol import Refusal
from mixed_company.table.table import Table
from tests.table.plays import SECOND, started

DAY = 86_400 * SECOND


def manage(table: Table, kind: str, now: int, seat: int | None = None, **more: Any) -> str:
    """Apply a manager's directive, and return `ack` or the reason for its rejection."""
    name = more.pop("id", f"{kind} {seat} {now}")
    answer = table.manage(Directive(kind, name, seat, **more), now)
    return answer.reason if isinstance(answer, Refusal) else "ack"


def two(**options: Any) -> Table:
    """Return a table with people in seats 0 and 1 and instant bots in 2 and 3. Each decision may
    take 20 s."""
    return started([0, 1], **{"decision_seconds": 20, "grace_seconds": 60, **options})
