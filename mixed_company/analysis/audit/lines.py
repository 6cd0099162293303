"""Slow lines: when the time is up, what a person pressed in time is waited for (`table.lines`).

slow_line   since when, and for how long at most, for the person on a seat; 0: not any more

That is no longer than `line_seconds`, nor than the time for a decision. A decision that comes
within it counts; a default counts when the last of those who had not decided was waited for. With
this `analysis.audit.clock` counts. What a line took only the server has seen.
"""

from __future__ import annotations

import json
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table import timing
from mixed_company.table.export import Row

__all__ = ["check_lines", "closes", "longest_wait_ms"]


def check_lines(group: Group, rows: list[Row], findings: Findings) -> None:
    """Each of these events says something new, at the beginning of a decision, within the rule."""
    before: dict[Any, int] = {}
    longest = longest_wait_ms(group)
    for row in rows:
        given, seat = ("events", row["row"]), row["seat"]
        key = f"period {row['period']}, seat {seat}"
        wait = _wait(row["detail"])
        right = wait is not None and 0 <= wait <= longest and wait != before.get(seat, 0)
        rule = f"is no other wait than before, up to {longest} ms"
        findings.rule(right, *given, "detail", row["detail"], rule, key)
        before[seat] = wait or 0
        known = _of_person(group, seat)
        findings.rule(known, *given, "seat", seat, "is a seat that never had a person")
        if group.timed:
            _at_a_beginning(group, row, findings, key)


def longest_wait_ms(group: Group) -> int:
    """How long was waited at most for what was pressed in time; nothing before there was that."""
    seconds = group.option("line_seconds", 0.0), group.option("decision_seconds", 0.0)
    return timing.longest_line_ms(*map(float, seconds))


def _wait(detail: str) -> int | None:
    try:
        content = json.loads(detail)
    except (ValueError, RecursionError):
        return None
    right = isinstance(content, dict) and set(content) == {"wait_ms"}
    right = right and type(content["wait_ms"]) is int
    return int(content["wait_ms"]) if right else None


def _of_person(group: Group, seat: Any) -> bool:
    if "seats" not in group.tables:
        return True
    return any(row["occupant"] == "person" for row in group.occupancies.get(seat, [])[:1])


def _at_a_beginning(group: Group, row: Row, findings: Findings, key: str) -> None:
    """It holds from the moment on in which the seat is to decide."""
    period = group.rounds.get(row["period"])
    if period is None or "" in (period["shown_ms"], period["settled_ms"]):
        return
    at, given = row["at_ms"], ("events", row["row"], "at_ms", row["at_ms"])
    if group.game.sight.order is None:
        findings.value(*given, period["shown_ms"], key)
    else:
        right = at != "" and period["shown_ms"] <= at <= period["settled_ms"]
        findings.rule(right, *given, "is not in its period", key)


def closes(group: Group, period: int, seats: range, begun: int) -> tuple[int, int] | None:
    """Until when decisions could come that began together, and when those that did not come
    counted, ms; None: there was no limit."""
    if group.limit_ms is None:
        return None
    extra = timing.extra_ms(group.extensions(period, seats[0]))
    end = begun + group.limit_ms + extra
    waits = {seat: group.wait_ms(period, seat) for seat in seats}
    last = end + max(waits.values())
    if group.option("pace", "") == "clock" and group.game.sight.order is None:
        return last, last
    known = [row for seat in seats if (row := group.decisions.get((period, seat))) is not None]
    missing = [waits[row["seat"]] for row in known if _did_not_come(row)]
    came = [row["received_ms"] for row in known if not _did_not_come(row)]
    times = [int(at) for at in came if at != ""]
    return last, max([end + max(missing, default=0), *times])


def _did_not_come(row: Row) -> bool:
    return bool(row["decided_by"] == "default" and row["occupant"] != "policy")
