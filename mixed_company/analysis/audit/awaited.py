"""Where the others wait for who has left (dropout `pause`), or the play ends with that (`end`).

awaited   begins the wait for a person, or says that a later period is longer by it
met       ends it: the person is back
takeover  ends it: the time is up, and not before

Nobody is waited for longer than `pause_seconds` and what a policy has to answer; who is met has at
most the time for a decision, and takes back no more than was given. With what was given
`analysis.audit.clock` counts.
"""

from __future__ import annotations

import json

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.lines import longest_wait_ms
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.answers import LATE_MS
from mixed_company.table.export import Row

__all__ = ["AWAITED", "check_awaited", "check_ended"]

AWAITED = ("awaited", "met")


def check_awaited(group: Group, rows: list[Row], findings: Findings) -> None:
    """Each wait begins, and ends once, in time; `rows` are all events."""
    since: dict[int, int] = {}
    given: dict[tuple[int, int], int] = {}
    for row in rows:
        event, seat, at = row["event"], row["seat"], row["at_ms"]
        if event in AWAITED:
            rule = "nobody is waited for where dropout is not pause"
            right = group.option("dropout", "") == "pause"
            findings.rule(right, "events", row["row"], "event", event, rule)
            _extra(group, row, given, findings)
        if event == "awaited":
            since.setdefault(seat, at)
        elif event == "met":
            _known(row, since.pop(seat, None), findings)
        elif event == "takeover" and group.option("dropout", "") == "pause":
            began = since.pop(seat, None)
            if _known(row, began, findings) and group.timed and "" not in (at, began):
                over = int(began or 0) + _pause_ms(group)
                findings.value("events", row["row"], "at_ms", at, over, f"seat {seat}")
        elif event == "handed":
            since.pop(seat, None)


def _pause_ms(group: Group) -> int:
    return round(1000 * float(group.option("pause_seconds", 0.0)))


def _extra(group: Group, row: Row, given: dict[tuple[int, int], int], findings: Findings) -> None:
    """How much longer a decision became by it lies within what the options give."""
    try:
        extra = json.loads(row["detail"])["extra_ms"]
    except (KeyError, RecursionError, TypeError, ValueError):
        return  # that is told of elsewhere
    key = (row["period"], row["seat"])
    before = given.get(key, 0)
    least, most = 0, _pause_ms(group) + LATE_MS
    if row["event"] == "met":
        least, most = -before, group.limit_ms or 0
    most += longest_wait_ms(group)  # it may begin when the time was up already
    right = type(extra) is int and least <= extra <= most
    rule = f"is not within {least} and {most}"
    findings.rule(right, "events", row["row"], "detail", row["detail"], rule, f"seat {key[1]}")
    given[key] = before + (extra if right else 0)


def _known(row: Row, began: int | None, findings: Findings) -> bool:
    right, key = began is not None, f"seat {row['seat']}"
    rule = "of somebody who was not waited for"
    findings.rule(right, "events", row["row"], "event", row["event"], rule, key)
    return right


def check_ended(group: Group, row: Row, rows: list[Row], findings: Findings) -> None:
    """A play that ends with somebody's leaving does so where dropout is `end`, and at once."""
    seat = row["seat"]
    if seat == "":
        return
    left = [(one["seat"], one["at_ms"]) for one in rows if one["event"] == "left"]
    right = group.option("dropout", "") == "end" and (seat, row["at_ms"]) in left
    rule = "is the seat of nobody who left, or dropout is not end"
    findings.rule(right, "events", row["row"], "seat", seat, rule)
