"""Several plays in a row: who met whom in each, on which seat, and what of it is paid.

All of it follows from the groups of the first block, the plan in the manifest and the seed.

Blocks can be of different games. Each game is audited by itself, beside the tables of the others;
a problem is told of the game whose row it is. Where the tables of another game are missing, only
the checks that need none of them are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import Plan, Session, block_names, can_be_read, read, rows_of
from mixed_company.experiment.assignment import drawn_block, paid_block
from mixed_company.table.export import Row
from mixed_company.table.ledger import PARTS, Stay, Terms, ledger, rounded_up, total
from mixed_company.table.pay import is_paid
from mixed_company.table.seating import block_and_number

__all__ = ["check_blocks", "check_paid_blocks"]


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


def check_blocks(
    games: Mapping[str, Mapping[str, Rows]],
    plans: Mapping[Any, Plan | None],
    findings: Findings,
    whole: bool,
) -> None:
    """All sessions with blocks. `games` are the tables by game; `plans` by session, as the manifest
    has them; `whole`: no game of the export is left out."""
    config, people = rows_of(games, "config"), rows_of(games, "outcomes")
    for session, plan in plans.items():
        here = [row for row in config if row["session"] == session]
        _named([row for row in here if _own(row, findings)], block_names(plan), findings)
        if plan is None or not block_names(plan) or not can_be_read(plan):
            continue
        groups = {row["group"]: row for row in here}
        own = Session(plan, groups, [row for row in people if row["session"] == session])
        if own.first and own.seed is not None:
            _check_matched(own, findings)
            for rows in own.ways.values():
                _check_way(own, rows, findings, whole)
                check_paid_blocks(own, rows, findings)


def _own(row: Row, findings: Findings) -> bool:
    """Is a row of the game that is audited?"""
    return bool(row["of"] == findings.game)


def _named(groups: Sequence[Row], names: Sequence[str], findings: Findings) -> None:
    """The number of a group says in which block it was; without blocks there is no matching."""
    for row in groups:
        number = row["group"]
        block, _ = block_and_number(number)
        there = block <= len(names)
        if "block" in row and (names or row["block"] == "" or block == 1):
            should = names[block - 1] if there else ""
            key = f"session {row['session']}, group {number}"
            findings.value("config", row["row"], "block", row["block"], should, key)
        if not names and "matching_group" in row:
            given = ("config", row["row"], "matching_group", row["matching_group"])
            findings.value(*given, "", f"session {row['session']}, group {number}")


def _check_matched(own: Session, findings: Findings) -> None:
    """The people of a group belong together; they are of the matching group that is named."""
    first_of = {own.mixed[number][:2]: number for number in reversed(own.first)}
    for number, group in own.groups.items():
        key, block = f"group {number} of session {group['session']}", block_and_number(number)[0]
        if not _own(group, findings):
            continue
        rows = [row for row in own.people if row["group"] == number]
        known = [row for row in rows if row["participant"] in own.places]
        belong = [own.matched(row["participant"], block - 1) for row in known]
        usual = max(belong, key=belong.count, default=None)
        if usual is None:
            continue
        for row, where in zip(known, belong, strict=True):
            rule = "belongs to other people in this block, by the matching of the plan"
            given = ("outcomes", row["row"], "group", number)
            findings.rule(where == usual, *given, rule, f"participant {row['participant']}")
        _check_missing(own, group, usual, findings)
        should = first_of.get(usual[:2], "")
        given = ("config", group["row"], "matching_group", group.get("matching_group", ""))
        findings.value(*given, should, key)


def _check_missing(
    own: Session, group: Row, company: tuple[str, int, int], findings: Findings
) -> None:
    """Who belongs to a group of a later block, and is there, is not left waiting."""
    for row in own.people:
        waits = row["seat"] == "" and row["status"] in ("arriving", "waiting")
        if not waits or row["block"] != group["block"] or row["participant"] not in own.places:
            continue
        at = own.names.index(row["block"])
        rule = f"belongs to group {group['group']} in this block, which has begun"
        given = ("outcomes", row["row"], "group", row["group"])
        belongs = own.matched(row["participant"], at) == company
        findings.rule(not belongs, *given, rule, f"participant {row['participant']}")


def _check_way(own: Session, rows: Sequence[Row], findings: Findings, whole: bool) -> None:
    """Who is in a block has played all before it to the end, and who has is in the next one; roles
    that are kept are seats."""
    came = {row["block"] for row in rows}
    for at, row in enumerate(rows):
        if not _own(row, findings):
            continue
        key, given = f"participant {row['participant']}", ("outcomes", row["row"])
        later = own.names[own.names.index(row["block"]) + 1 :][:1]
        if whole and row["status"] == "finished":
            rule = f"and is missing in block {''.join(later)!r}"
            findings.rule(came.issuperset(later), *given, "status", "finished", rule, key)
        if at:
            missing = [name for name in own.names[:at] if name not in came]
            before = rows[at - 1]["status"]
            right = before == "finished" or bool(missing)
            rule = f"is a block after one that ended with {before!r}"
            findings.rule(right, *given, "block", row["block"], rule, key)
        kept = own.plan["roles"] == "kept" and row["participant"] in own.places
        if kept and row["seat"] != "":
            seat = own.places[row["participant"]][2]
            findings.value(*given, "seat", row["seat"], seat, key)
