"""Several plays in a row: who met whom in each, on which seat, and what of it is paid, all of which
follows from the groups of the first block, the plan in the manifest and the seed.

Where the first block of a session is another game's, its rows are not in these tables, and only the
names of blocks are looked at.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, get_args

from analysis.audit.rows import Findings, Rows
from experiment.matching import Matching, Place, Roles, group_in, position_of
from experiment.paid import drawn_block, paid_block
from table.export import Row
from table.ledger import PARTS, Stay, Terms, ledger, rounded_up, total
from table.pay import is_paid
from table.seating import block_and_number

__all__ = ["block_names", "check_blocks", "plan_of"]

Plan = Mapping[str, Any]


def plan_of(manifest: Mapping[str, Any], session: Any) -> Plan | None:
    """What the manifest says of the plan of a session; None: nothing."""
    sessions = manifest.get("sessions")
    entry = sessions.get(session) if isinstance(sessions, Mapping) else None
    plan = entry.get("plan") if isinstance(entry, Mapping) else None
    return plan if isinstance(plan, Mapping) else None


def block_names(plan: Plan | None) -> list[str]:
    """The blocks that the manifest has for a plan, in order; empty: its sessions are one play."""
    listed = (plan or {}).get("blocks")
    right = isinstance(listed, list) and all(isinstance(name, str) for name in listed)
    return list(map(str, listed)) if right and isinstance(listed, list) else []


def check_blocks(
    tables: Mapping[str, Rows], plans: Mapping[Any, Plan | None], findings: Findings
) -> None:
    """All sessions with blocks; `plans` by session, as the manifest has them."""
    config = list(tables["config"].records())
    people = list(tables["outcomes"].records()) if "outcomes" in tables else []
    for session, plan in plans.items():
        groups = {row["group"]: row for row in config if row["session"] == session}
        _named(groups, block_names(plan), findings)
        if plan is None or not block_names(plan) or not _can_be_read(plan):
            continue
        own = _Session(plan, groups, [row for row in people if row["session"] == session])
        if own.first and own.seed is not None:
            _check_matched(own, findings)
            for rows in own.ways.values():
                _check_way(own, rows, findings)
                _check_paid(own, rows, findings)


def _named(groups: Mapping[int, Row], names: Sequence[str], findings: Findings) -> None:
    """The number of a group says in which block it was; without blocks there is no matching."""
    for number, row in groups.items():
        block, _ = block_and_number(number)
        there = block <= len(names)
        if "block" in row and (names or row["block"] == "" or block == 1):
            should = names[block - 1] if there else ""
            key = f"session {row['session']}, group {number}"
            findings.value("config", row["row"], "block", row["block"], should, key)
        if not names and "matching_group" in row:
            given = ("config", row["row"], "matching_group", row["matching_group"])
            findings.value(*given, "", f"session {row['session']}, group {number}")


def _can_be_read(plan: Plan) -> bool:
    groups = plan.get("matching_groups")
    return (
        plan.get("matching") in get_args(Matching)
        and plan.get("roles") in get_args(Roles)
        and plan.get("pay_blocks") in ("all", "one")
        and type(groups) is int
        and groups > 0
    )


@dataclass(frozen=True)
class _Session:
    """A session with blocks: its plan, its groups by number, and the rows of its people."""

    plan: Plan
    groups: Mapping[int, Row]
    people: Sequence[Row]

    @cached_property
    def names(self) -> list[str]:
        return block_names(self.plan)

    @cached_property
    def first(self) -> list[int]:
        """The groups of the first block, in order."""
        return sorted(number for number in self.groups if block_and_number(number)[0] == 1)

    @cached_property
    def seed(self) -> int | None:
        """That of the session."""
        config = _read(self.groups[self.first[0]]["config"])
        seed = config.get("identity", {}).get("seed")
        return seed if type(seed) is int else None

    @cached_property
    def ways(self) -> dict[str, list[Row]]:
        """The rows of everybody, in the order of the blocks."""
        ways: dict[str, list[Row]] = {}
        for row in self.people:
            if row["block"] in self.names:
                ways.setdefault(row["participant"], []).append(row)
        for rows in ways.values():
            rows.sort(key=lambda row: self.names.index(row["block"]))
        return ways

    @cached_property
    def mixed(self) -> dict[int, tuple[str, int, int]]:
        """Of a group of the first block: its treatment, which matching group of that it is in (from
        0), and which group in this."""
        mixed, many = dict[int, tuple[str, int, int]](), int(self.plan["matching_groups"])
        counts: dict[str, int] = {}
        for number in self.first:
            treatment = str(self.groups[number]["treatment"])
            at = counts.get(treatment, 0)
            counts[treatment] = at + 1
            mixed[number] = (treatment, at // many, at % many)
        return mixed

    @cached_property
    def places(self) -> dict[str, tuple[int, Place, int]]:
        """Of everybody: the group of the first block, the place in the matching group, the seat."""
        rows = [own[0] for own in self.ways.values() if own[0]["group"] in self.mixed]
        places = {}
        for row in rows:
            number = row["group"]
            taken = [other["seat"] for other in rows if other["group"] == number]
            treatment, _, at = self.mixed[number]
            whole = self.plan["treatments"].get(treatment, 0), self._seats(number)
            position = position_of(row["seat"], taken, *whole)
            places[row["participant"]] = number, Place(at, position), row["seat"]
        return places

    def _seats(self, number: int) -> int:
        core = _read(self.groups[number]["config"]).get("core", {})
        return int(core.get("seats", 0))

    def matched(self, participant: str, block: int) -> tuple[str, int, int]:
        """With whom somebody belongs in a block (from 0)."""
        number, place, _ = self.places[participant]
        treatment, which, _ = self.mixed[number]
        group = group_in(
            block,
            place,
            self.plan["matching"],
            self.plan["matching_groups"],
            self.plan["treatments"].get(treatment, 1),
            roles=self.plan["roles"],
            seed=self.seed or 0,
            which=f"{treatment} {which}",
        )
        return treatment, which, group


def _read(text: Any) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (TypeError, ValueError, RecursionError):
        return {}
    return content if isinstance(content, dict) else {}


# -- who met whom ---------------------------------------------------------------------------------


def _check_matched(own: _Session, findings: Findings) -> None:
    """The people of a group belong together; they are of the matching group that is named."""
    first_of = {own.mixed[number][:2]: number for number in reversed(own.first)}
    for number, group in own.groups.items():
        key, block = f"group {number} of session {group['session']}", block_and_number(number)[0]
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
        should = first_of.get(usual[:2], "")
        given = ("config", group["row"], "matching_group", group.get("matching_group", ""))
        findings.value(*given, should, key)


def _check_way(own: _Session, rows: Sequence[Row], findings: Findings) -> None:
    """Who is in a block has played all before it to the end; roles that are kept are seats."""
    for at, row in enumerate(rows):
        key, given = f"participant {row['participant']}", ("outcomes", row["row"])
        if at:
            missing = [name for name in own.names[:at] if name not in {r["block"] for r in rows}]
            before = rows[at - 1]["status"]
            right = before == "finished" or bool(missing)
            rule = f"is a block after one that ended with {before!r}"
            findings.rule(right, *given, "block", row["block"], rule, key)
        kept = own.plan["roles"] == "kept" and row["participant"] in own.places
        if kept and row["seat"] != "":
            seat = own.places[row["participant"]][2]
            findings.value(*given, "seat", row["seat"], seat, key)


# -- what is paid ---------------------------------------------------------------------------------


def _check_paid(own: _Session, rows: Sequence[Row], findings: Findings) -> None:
    """The parts of what each block pays; the fee, and what all is rounded up by, with the last."""
    at = [own.names.index(row["block"]) for row in rows]
    if at != list(range(len(rows))):
        return  # other blocks are of other games
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
    options, seated = _read(group["options"]), row["seat"] != ""
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
        if name not in unsure and asks:
            key = f"participant {row['participant']}, block {row['block']}"
            given = ("outcomes", row["row"], column, row[column])
            findings.value(*given, float(exact[name]), key)
    return before + total(exact)


def _rules_of(own: _Session, row: Row) -> Row | None:
    """A group that was played by the options that hold for a person in a block; None: none was."""
    alike = (
        group
        for group in own.groups.values()
        if (group["block"], group["treatment"]) == (row["block"], row["treatment"])
    )
    return own.groups.get(row["group"]) or next(alike, None)
