"""What people were credited with and paid, and how their part ended: the table `outcomes`.

Each part of a payment follows from the terms of the session, and the parts sum to the payment, to
the cent (`table.ledger`). The quiz, the practice and the manager's acts are lists, as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table import pay
from mixed_company.table.export import Row
from mixed_company.table.export.played import credited
from mixed_company.table.ledger import PARTS, Stay, Terms, ledger
from mixed_company.table.options import QUIZ_ATTEMPTS_KEPT

__all__ = ["check_lists", "check_outcomes", "check_paid", "check_sum", "check_unseated"]


def check_lists(row: Row, findings: Findings, group: Group | None = None) -> None:
    """Check that lists are as long as is counted. `group`: of a person who had a seat."""
    _quiz(row, findings)
    _practised(row, findings, group)
    _managed(row, findings)


def _quiz(row: Row, findings: Findings) -> None:
    """Check that as many attempts are logged as are counted."""
    log = _listed(row, "quiz_log", "attempts", (), findings)
    if log is not None and row["quiz_attempts"] != "":
        attempts = row["quiz_attempts"]
        known = len(log) == min(attempts, QUIZ_ATTEMPTS_KEPT)
        rule = f"attempts, of which {len(log)} are logged"
        findings.rule(known, "outcomes", row["row"], "quiz_attempts", attempts, rule)


def _practised(row: Row, findings: Findings, group: Group | None) -> None:
    """Check that nobody practised for longer than the session has it, nor than a play lasts."""
    log = _logged(row, findings)
    if group is None:
        return
    periods = row.get("practised_periods", "")
    most = min(group.option("practice_periods", 0), group.game.horizon)
    if periods != "":  # exports of earlier releases, and of plays without pages, do not have it
        rule = f"should be from 0 to {most}, the periods of the practice"
        known = 0 <= periods <= most
        findings.rule(known, "outcomes", row["row"], "practised_periods", periods, rule)
    if log:
        within = all(one["period"] in range(most) for one in log)
        rule = f"has a period that is not from 0 to {most - 1}, those of the practice"
        findings.rule(within, "outcomes", row["row"], "practice_log", row["practice_log"], rule)


def _logged(row: Row, findings: Findings) -> list[Row]:
    """Return the decisions of the practice, which are of as many periods as are counted."""
    keys = ("at_ms", "period", "action")
    log = _listed(row, "practice_log", "decisions of the practice", keys, findings)
    periods = row.get("practised_periods", "")
    if log is None or not (log or periods):
        return []
    # the last one may have been left before all had decided
    decided = len({str(one["period"]) for one in log})
    rule = f"periods, of which {decided} are logged"
    known = periods in (decided, decided - 1)
    findings.rule(known, "outcomes", row["row"], "practised_periods", periods, rule)
    return log


def _managed(row: Row, findings: Findings) -> None:
    """Check that the manager's acts are a list in which each says what it was, or nothing."""
    _listed(row, "managed", "what was done", ("what",), findings)


def _listed(
    row: Row, column: str, what: str, keys: Sequence[str], findings: Findings
) -> list[Row] | None:
    """The list in a column, each of which has these keys; None, and told: it has none."""
    text = row.get(column, "")
    try:
        listed = json.loads(text) if text else []
    except (ValueError, RecursionError):
        listed = None
    right = isinstance(listed, list) and all(
        isinstance(one, dict) and set(keys) <= set(one) for one in listed
    )
    rule = f"is no list of {what}, JSON"
    findings.rule(right, "outcomes", row["row"], column, text, rule)
    return listed if right else None


_QUESTIONS = "pay_questions"
_COLUMNS = (*(f"pay_{name}" for name in PARTS if name != "questions"), "pay_elsewhere")
_ONCE = ("pay_fee", "pay_rounding")
"""Where a session has several games, the fee is in the ledger of one of them."""


def check_paid(group: Group, row: Row, share: float, findings: Findings) -> None:
    """The parts of the payment of who had a seat; `share` of the game's periods it was theirs."""
    check_sum(row, findings)
    if row.get("block"):
        return  # `blocks` knows what is paid once
    fee, rate = (group.config.get(name, "") for name in ("participation_fee", "point_value"))
    if not _told(row) or "" in (fee, rate):
        return
    waited_ms, answers = row.get("waited_ms") or 0.0, row.get("question_points") or 0.0
    stay = Stay(row["status"], True, row["points"], share, waited_ms, answers)
    elsewhere = bool(row["pay_elsewhere"])
    for name, amount in ledger(Terms.of(fee, rate, group.options), stay).items():
        column = f"pay_{name}"
        if column == _QUESTIONS and row.get(column, "") == "" and not amount:
            continue  # an export without questions does not have it
        if not (elsewhere and column in _ONCE):
            key = f"seat {row['seat']}"
            findings.value("outcomes", row["row"], column, row[column], float(amount), key)


def check_sum(row: Row, findings: Findings) -> None:
    """The parts are the payment; all of them are there, or none is."""
    if not _told(row):
        named = [name for name in (*_COLUMNS, _QUESTIONS, "waited_ms") if row.get(name, "") != ""]
        if named:
            what = f"participant {row['participant']}: has {', '.join(named)}, and not all parts"
            findings.tell("outcomes", row["row"], what)
        return
    parts = [row[name] for name in _COLUMNS] + [row.get(_QUESTIONS) or 0.0]
    whole = sum(map(_cents, parts), Decimal(0))
    key = f"participant {row['participant']}"
    findings.value("outcomes", row["row"], "payment", row["payment"], float(whole), key)
    exact = all(part == float(_cents(part)) for part in parts)
    rule = "and the other parts should be whole cents"
    findings.rule(exact, "outcomes", row["row"], "pay_fee", row["pay_fee"], rule, key)


def _told(row: Row) -> bool:
    return all(row.get(name, "") != "" for name in _COLUMNS)


def _cents(amount: Any) -> Decimal:
    return Decimal(repr(float(amount))).quantize(Decimal("0.01"))


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
    """Return the numbers of a person that follow from the decisions alone."""
    should = credited(group.played, int(row["seat"]))
    floor, cap = group.option("pay_floor", 0.0), group.option("pay_cap", 0.0)
    points = should["points"] + (row.get("question_points") or 0.0)
    known = {name: should[name] for name in ("points", "seat_points", "bot_share")}
    return {**known, "paid_points": pay.paid_points(points, floor, cap)}


def _is_older(row: Row, name: str, value: Any) -> bool:
    """Return whether an export of an earlier release lacks this value."""
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
