"""Check sessions with several blocks: who met whom in each block, and in which seat.

The first block's groups, the plan in the manifest and the seed determine all later groups and
seats. An imported table has no such plan; its matching groups follow from the people who met.

Blocks can play different games. Each game is audited separately, with access to the tables of the
others. A problem is reported under the game that has the wrong row. If another game's tables are
missing, checks that need them are skipped.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import Plan, Session, block_names, can_be_read, rows_of
from mixed_company.analysis.importing.matching import mixed_groups
from mixed_company.experiment.digests import read
from mixed_company.table.export import Row
from mixed_company.table.seating import block_and_number

_OF_PERSON = ("label", "slot", "assigned_ms")
"""Columns of `outcomes` that have the same value in all of a person's blocks."""


def check_blocks(
    games: Mapping[str, Mapping[str, Rows]],
    plans: Mapping[Any, Plan | None],
    findings: Findings,
    whole: bool,
) -> None:
    """Check all sessions with blocks. `games` maps each game to its tables, `plans` each session to
    its plan in the manifest. `whole` says whether `games` has all of the games in the export."""
    config, people = rows_of(games, "config"), rows_of(games, "outcomes")
    for session, plan in plans.items():
        here = [row for row in config if row["session"] == session]
        _named([row for row in here if _is_audited(row, findings)], block_names(plan), findings)
        if plan is None or not block_names(plan):
            continue
        groups = {row["group"]: row for row in here}
        blocks = Session(plan, groups, [row for row in people if row["session"] == session])
        if any("imported" in read(row["options"]) for row in here):
            _check_exchanged(blocks, findings)
        if not can_be_read(plan):
            continue
        if blocks.first and blocks.seed is not None:
            try:
                _check_matched(blocks, findings)
                for rows in blocks.ways.values():
                    _check_way(blocks, rows, findings, whole)
            except (LookupError, TypeError, ValueError):
                message = f"session {session}: people cannot be matched from block to block as the "
                why = "plan in the manifest says, or a person's seat is missing"
                findings.tell("config", None, f"{message}{why}")


def _is_audited(row: Row, findings: Findings) -> bool:
    """Return whether a row belongs to the audited game."""
    return bool(row["of"] == findings.game)


def _named(groups: Sequence[Row], names: Sequence[str], findings: Findings) -> None:
    """Check that a group's block matches its number, and that a group in a session without blocks
    has no matching group."""
    for row in groups:
        number = row["group"]
        block, _ = block_and_number(number)
        exists = block <= len(names)
        if "block" in row and (names or row["block"] == "" or block == 1):
            should = names[block - 1] if exists else ""
            key = f"session {row['session']}, group {number}"
            findings.value("config", row["row"], "block", row["block"], should, key)
        if not names and "matching_group" in row:
            cell = ("config", row["row"], "matching_group", row["matching_group"])
            findings.value(*cell, "", f"session {row['session']}, group {number}")


def _check_matched(session: Session, findings: Findings) -> None:
    """Check that every group has the people and the matching group that the plan's matching gives
    it."""
    first_of = {session.mixed[number][:2]: number for number in reversed(session.first)}
    for number, group in session.groups.items():
        key, block = f"group {number} of session {group['session']}", block_and_number(number)[0]
        if not _is_audited(group, findings):
            continue
        rows = [row for row in session.people if row["group"] == number]
        placed = [row for row in rows if row["participant"] in session.places]
        belong = [session.matched(row["participant"], block - 1) for row in placed]
        usual = max(belong, key=belong.count, default=None)
        if usual is None:
            continue
        for row, where in zip(placed, belong, strict=True):
            rule = "is not this person's group in this block under the plan's matching"
            cell = ("outcomes", row["row"], "group", number)
            findings.rule(where == usual, *cell, rule, f"participant {row['participant']}")
        _check_missing(session, group, usual, findings)
        should = first_of.get(usual[:2], "")
        cell = ("config", group["row"], "matching_group", group.get("matching_group", ""))
        findings.value(*cell, should, key)


def _check_exchanged(session: Session, findings: Findings) -> None:
    """Check that imported groups have the same matching group if they exchanged people, directly or
    through other groups, and different ones otherwise."""
    groups: dict[int, list[str]] = {number: [] for number in session.groups}
    for row in session.people:
        if row["group"] in groups:
            groups[row["group"]].append(row["participant"])
    for number, should in mixed_groups(groups).items() if session.people else ():
        row = session.groups[number]
        if _is_audited(row, findings):
            key = f"session {row['session']}, group {number}"
            cell = ("config", row["row"], "matching_group", row.get("matching_group", ""))
            findings.value(*cell, should, key, "outcomes")


def _check_missing(
    session: Session, group: Row, company: tuple[str, int, int], findings: Findings
) -> None:
    """Check that nobody is still waiting for a later block that their group has already begun."""
    for row in session.people:
        waits = row["seat"] == "" and row["status"] in ("arriving", "waiting")
        if not waits or row["block"] != group["block"] or row["participant"] not in session.places:
            continue
        block = session.names.index(row["block"])
        rule = f"should be group {group['group']} in this block, which has started"
        cell = ("outcomes", row["row"], "group", row["group"])
        belongs = session.matched(row["participant"], block) == company
        findings.rule(not belongs, *cell, rule, f"participant {row['participant']}")


def _check_way(session: Session, rows: Sequence[Row], findings: Findings, whole: bool) -> None:
    """Check that a person finished every earlier block, and went on to the next one after finishing
    a block. Check that columns about the person do not change.

    If people keep their roles, they must also keep their seats.
    """
    came = {row["block"] for row in rows}
    for index, row in enumerate(rows):
        if not _is_audited(row, findings):
            continue
        key, line = f"participant {row['participant']}", ("outcomes", row["row"])
        later = session.names[session.names.index(row["block"]) + 1 :][:1]
        if whole and row["status"] == "finished":
            rule = f"but the person is missing from block {''.join(later)!r}"
            findings.rule(came.issuperset(later), *line, "status", "finished", rule, key)
        for name in _OF_PERSON:
            findings.value(*line, name, row.get(name, ""), rows[0].get(name, ""), key)
        rule = "differs from the person's link in the first block"
        right = _panel(row) == _panel(rows[0])
        findings.rule(right, *line, "parameters", row.get("parameters", ""), rule, key)
        number = session.names.index(row["block"])
        missing = [name for name in session.names[:number] if name not in came]
        rule = f"but the person has no row for block {' and '.join(missing)}"
        findings.rule(not (whole and missing), *line, "block", row["block"], rule, key)
        if index and not missing:
            before = rows[index - 1]["status"]
            rule = f"follows a block that ended with {before!r}"
            findings.rule(before == "finished", *line, "block", row["block"], rule, key)
        kept = session.plan["roles"] == "kept" and row["participant"] in session.places
        if kept and row["seat"] != "":
            seat = session.places[row["participant"]][2]
            findings.value(*line, "seat", row["seat"], seat, key)


def _panel(row: Row) -> dict[str, Any]:
    """Return the link's parameters except `plain`, which is stored only for blocks shown without
    scripts."""
    parameters = read(row.get("parameters", ""))
    return {name: value for name, value in parameters.items() if name != "plain"}
