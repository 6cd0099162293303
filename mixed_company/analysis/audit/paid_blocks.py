"""What is paid for the blocks of a session, also of different games: the parts of each block, the
fee, and what all of it is rounded up by.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from mixed_company.analysis.audit.rows import Findings
from mixed_company.analysis.audit.way import Session, read
from mixed_company.experiment.assignment import drawn_block, paid_block
from mixed_company.table.export import Row
from mixed_company.table.ledger import PARTS, Stay, Terms, ledger, rounded_up, total
from mixed_company.table.pay import is_paid

__all__ = ["check_paid_blocks"]


def check_paid_blocks(own: Session, rows: Sequence[Row], findings: Findings) -> None:
    """The parts of what each block pays; the fee, and what all is rounded up by, with the last."""
    at = [own.names.index(row["block"]) for row in rows]
    if at != list(range(len(rows))):
        return  # the tables of another game are not there
    paid = list(range(len(rows)))
    if own.plan["pay_blocks"] == "one" and rows[0]["slot"] != "":
        drawn = drawn_block(own.seed or 0, int(rows[0]["slot"]), len(own.names))
        chosen = paid_block(drawn, [(row["status"], row["seat"] != "") for row in rows])
        paid = [] if chosen is None else [chosen]
    before = Decimal(0)
    for block, row in enumerate(rows):
        last = row["status"] != "finished" or block == len(own.names) - 1
        group = _rules_of(own, row)
        if group is None or row.get("pay_fee", "") == "":
            return
        before = _check_block(row, group, block, (last, block in paid, before), findings)


def _check_block(
    row: Row,
    group: Row,
    block: int,
    known: tuple[bool, bool, Decimal],
    findings: Findings,
) -> Decimal:
    """One block of one participant; what was paid up to and with it."""
    last, counts, before = known
    options, seated = read(group["options"]), row["seat"] != ""
    fee, rate = group["participation_fee"], group["point_value"]
    terms = Terms.of(fee if last else 0.0, rate if counts and seated else 0.0, options)
    waited_ms, answers = row["waited_ms"] or 0.0, row.get("question_points") or 0.0
    plays = seated or block > 0
    stay = Stay(row["status"], plays, row["points"], 1.0, waited_ms, answers)
    exact = ledger(Terms(**{**vars(terms), "rounding": 0.01}), stay)
    if last and is_paid(stay.status, stay.seated):
        whole = before + total(exact)
        exact["rounding"] += rounded_up(whole, terms.rounding) - whole
    unsure = ("fee", "rounding") if terms.pro_rata else ()  # by the periods of all blocks
    for name in PARTS:
        column = f"pay_{name}"
        asks = name != "questions" or row.get(column, "") != "" or exact[name]
        if name not in unsure and asks and row["of"] == findings.game:
            key = f"participant {row['participant']}, block {row['block']}"
            given = ("outcomes", row["row"], column, row[column])
            findings.value(*given, float(exact[name]), key)
    return before + total(exact)


def _rules_of(own: Session, row: Row) -> Row | None:
    """A group that was played by the options that hold for a person in a block; None: none was."""
    alike = (
        group
        for group in own.groups.values()
        if (group["block"], group["treatment"]) == (row["block"], row["treatment"])
    )
    return own.groups.get(row["group"]) or next(alike, None)
