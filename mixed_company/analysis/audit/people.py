"""What people were credited with and paid, and how their part ended: the table `outcomes`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.lists import check_lists
from mixed_company.analysis.audit.money import check_paid, check_sum
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table import pay
from mixed_company.table.export import Row
from mixed_company.table.export.played import credited

__all__ = ["check_outcomes", "check_unseated"]

_SIMULATED = (
    *("status", "points", "seat_points", "paid_points", "question_points"),
    *("reaction_ms", "disconnections", "bot_share"),
)
"""What is known of a policy in the place of a person."""


def check_outcomes(group: Group, findings: Findings) -> None:
    """Compare what people earned, and how their part ended, with what the play gives."""
    if "outcomes" not in group.tables:
        return
    seats: set[int] = set()
    for row in group.tables["outcomes"].records():
        seat, given = row["seat"], ("outcomes", row["row"])
        seat = int(seat) if seat != "" else seat
        if seat in seats:
            findings.tell(*given, f"seat {seat}: is there twice")
            continue
        seats.add(seat)
        code = group.played.code(seat)
        findings.value(*given, "participant", row["participant"], code, f"seat {seat}")
        people = _people(group)
        rule = "is a seat that never had a person"
        findings.rule(seat in people, *given, "seat", seat, rule)
        if seat in people and group.complete:
            _credited(group, row, findings)
        check_lists(row, findings, group)
    for seat in _people(group):
        if seat not in seats:
            findings.tell("outcomes", None, f"missing: the person on seat {seat}")


def _people(group: Group) -> list[int]:
    """The seats that belong to people."""
    if group.table is not None:
        return group.table.people
    return [seat for seat, rows in group.sat.items() if rows[0]["occupant"] == "person"]


def _credited(group: Group, row: Row, findings: Findings) -> None:
    seat = int(row["seat"])
    key = f"seat {seat}"
    if group.table is not None:
        should = credited(group.played, seat) | {"status": group.table.status(seat)}
    elif group.whole:
        [simulated] = [one for one in group.again["outcomes"] if one["seat"] == seat]
        should = {name: simulated.get(name, "") for name in _SIMULATED}
    else:
        should = _by_rules(group, row)
    for name, value in should.items():
        if name in row and not _is_older(row, name, value):
            findings.value("outcomes", row["row"], name, row[name], value, key)
    occupants = [line["seats"][seat]["occupant"] for line in group.played.periods]
    check_paid(group, row, occupants.count("person") / group.game.horizon, findings)


def _by_rules(group: Group, row: Row) -> Row:
    """What is known of a person where nothing but the decisions could be played again."""
    should = credited(group.played, int(row["seat"]))
    floor, cap = group.option("pay_floor", 0.0), group.option("pay_cap", 0.0)
    points = should["points"] + (row.get("question_points") or 0.0)
    known = {name: should[name] for name in ("points", "seat_points", "bot_share")}
    return {**known, "paid_points": pay.paid_points(points, floor, cap)}


def _is_older(row: Row, name: str, value: Any) -> bool:
    """Does an export of an earlier release not have this yet?"""
    return name in ("reaction_ms", "question_points") and row[name] == "" and not value


def check_unseated(rows: Iterable[Row], findings: Findings) -> None:
    """People who never had a seat earned nothing."""
    for row in rows:
        key, given = f"participant {row['participant']}", ("outcomes", row["row"])
        for name in ("group", "seat", "seat_points", "disconnections", "bot_share"):
            findings.value(*given, name, row[name], "", key)
        for name in ("points", "paid_points"):
            findings.value(*given, name, row[name], 0.0, key)
        check_sum(row, findings)
        known = row["status"] in pay.UNSEATED
        findings.rule(known, *given, "status", row["status"], "is no status of one without a seat")
        check_lists(row, findings)
