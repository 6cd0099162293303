"""What people are paid in money: each part follows from the terms of the session, and the parts sum
to the payment, to the cent (`table.ledger`)."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from mixed_company.analysis.audit.group import Group
from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.export import Row
from mixed_company.table.ledger import PARTS, Stay, Terms, ledger

__all__ = ["check_paid", "check_sum"]

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
