"""Check that all tables agree on each group's and each person's treatment, which follows from the
seed, and that slots were assigned in order.

Exports from earlier releases do not have these columns and are not checked.

A slot is assigned only while all lower slots are taken (`experiment.assignment`). So no slot may be
missing. If a slot was assigned before a lower one, this is only a note, because the machine's clock
can be set back. Nobody receives a slot that another
person still has; people in the lobby or in a group keep their slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count, pairwise
from typing import Any

from mixed_company.analysis.audit.blocks import check_blocks
from mixed_company.analysis.audit.rows import Findings, Rows
from mixed_company.analysis.audit.way import plan_of, seed_of, session_in
from mixed_company.analysis.data import Problem
from mixed_company.analysis.reading import place
from mixed_company.engine.contract.config import MOST_SEATS
from mixed_company.experiment.assignment import treatment_of
from mixed_company.experiment.manifest import course
from mixed_company.table.export import Row, group_id
from mixed_company.table.export.participants import PARTICIPANTS


def check_assigned(
    games: Mapping[str, Mapping[str, Rows]],
    manifest: Mapping[str, Any],
    findings: Findings,
    whole: bool,
) -> None:
    """Check that every table has the treatment and id that `config` gives each group, and that
    slots follow the plan's order. `games` maps each game to its tables; `whole` says whether these
    are all of the games in the export."""
    tables = games[findings.game]
    groups = {(row["session"], row["group"]): row for row in tables["config"].records()}
    if not any(row.get("treatment") for row in groups.values()):
        return
    for name, rows in tables.items():
        for row in rows.records():
            _named(name, row, groups.get((row["session"], row["group"])), findings)
    plans = {session: _plan(manifest, session) for session, _ in groups}
    check_blocks(games, plans, findings, whole)
    for row in groups.values():
        _of_session(row, plans[row["session"]], findings)
    first: dict[str, Row] = {}
    for (session, _), row in groups.items():
        first.setdefault(session, row)
    for row in tables["outcomes"].records() if "outcomes" in tables else ():
        if row["session"] in first:
            _placed(row, first[row["session"]], plans[row["session"]], findings)


def _named(table: str, row: Row, group: Row | None, findings: Findings) -> None:
    line = (table, row["row"])
    if group is None:
        if table in ("outcomes", "answers") and row["group"] == "":
            findings.value(*line, "group_id", row.get("group_id", ""), "", row["participant"])
        return
    key = f"session {row['session']}, group {row['group']}"
    should = group_id(row["session"], row["group"])
    findings.value(*line, "group_id", row.get("group_id", ""), should, key)
    findings.value(
        *line, "treatment", row.get("treatment", ""), group.get("treatment", ""), key, "config"
    )
    findings.value(*line, "block", row.get("block", ""), group.get("block", ""), key, "config")


def _of_session(row: Row, plan: Mapping[str, Any] | None, findings: Findings) -> None:
    """Check that the plan has this treatment or, without a plan, that the treatment is the name of
    the session config."""
    cell = ("config", row["row"], "treatment", row.get("treatment", ""))
    key = f"session {row['session']}, group {row['group']}"
    if plan is None:
        findings.value(*cell, row["session_config"], key)
    else:
        whose = f"plan {plan['name']!r}" if "name" in plan else "the imported table"
        rule = f"is not a treatment of {whose}"
        findings.rule(row.get("treatment", "") in plan.get("treatments", ()), *cell, rule, key)


def _placed(row: Row, group: Row, plan: Mapping[str, Any] | None, findings: Findings) -> None:
    """Check that a person's treatment matches the person's slot."""
    line, key = ("outcomes", row["row"]), f"participant {row['participant']}"
    if plan is None:
        findings.value(*line, "treatment", row.get("treatment", ""), group["session_config"], key)
        for name in ("slot", "assigned_ms"):
            findings.value(*line, name, row[name], "", key)
        return
    if "assignment" not in plan:
        return
    slot, seed = row["slot"], seed_of(group["config"])
    timed = (row["assigned_ms"] == "") == (slot == "")
    findings.rule(timed, *line, "assigned_ms", row["assigned_ms"], "does not match its slot", key)
    if slot == "":
        findings.value(*line, "treatment", row.get("treatment", ""), "", key)
    if slot == "" or seed is None:
        return
    order = plan.get("by_hand", ())
    should = treatment_of(max(slot, 0), plan["treatments"], plan["assignment"], seed, order)
    findings.value(*line, "treatment", row.get("treatment", ""), should, key)
    findings.rule(slot >= 0, *line, "slot", slot, "should be at least 0", key)


def _plan(manifest: Mapping[str, Any], session: Any) -> Mapping[str, Any] | None:
    """Return the manifest's entry for a session's plan or imported table; None if the entry does
    not determine the treatments."""
    entry = session_in(manifest, session)
    if "imported" in entry:
        return course(entry)
    plan = plan_of(manifest, session)
    if plan is None or "assignment" not in plan:
        return None
    sizes = plan.get("treatments", {})
    right = sizes and max(sizes.values()) <= MOST_SEATS
    return plan if right and sizes.keys() >= {*plan.get("by_hand", ())} else None


# -- slots -------------------------------------------------------------------------------------


def check_slots(rows: Iterable[Row], findings: Findings) -> None:
    """Check the slots in the rows of `participants`."""
    sessions: dict[str, dict[int, list[Row]]] = {}
    for row in rows:
        _check_came(row, findings)
        if row.get("slot", "") != "" and row["assigned_ms"] != "":
            slots = sessions.setdefault(row["session"], {})
            slots.setdefault(int(row["slot"]), []).append(row)
    for slots in sessions.values():
        for people in slots.values():
            people.sort(key=lambda row: row["assigned_ms"])
        _check_order(slots, findings)
        for people in slots.values():
            _check_held(people, findings)


def _check_came(row: Row, findings: Findings) -> None:
    """Check that a person who has a slot or reached a lobby also opened the link."""
    came = [name for name in ("slot", "arrived_ms_1", "seat_1") if row.get(name, "") != ""]
    if came and row.get("first_seen_ms", "") == "":
        rule = f"but the person has {' and '.join(came)}"
        cell = (PARTICIPANTS, row["row"], "first_seen_ms", "")
        findings.rule(False, *cell, rule, _key(row))


def _check_order(slots: dict[int, list[Row]], findings: Findings) -> None:
    free = next(slot for slot in count() if slot not in slots)
    for slot in sorted(slots):
        if slot > free:
            _tell(slots[slot][0], f"was assigned, but nobody has slot {free}", findings)
    for lower, slot in pairwise(sorted(slots)):
        before, first = slots[lower][0], slots[slot][0]
        if first["assigned_ms"] < before["assigned_ms"]:
            message = f"slot {slot} was assigned before the lower slot {lower}"
            message = f"{_key(first)}: {message}, or the machine's clock was set back"
            where = place("", PARTICIPANTS, first["row"])
            findings.problems.append(Problem("unknown", message, where, first["session"]))


def _check_held(people: Sequence[Row], findings: Findings) -> None:
    """Check that nobody received a slot after somebody with the same slot had reached the lobby."""
    for number, row in enumerate(people):
        for holder in people[:number]:
            arrived_ms = holder.get("arrived_ms_1", "")
            stayed = holder["seat_1"] != "" or holder["status_1"] == "waiting"
            if stayed and arrived_ms != "" and arrived_ms < row["assigned_ms"]:
                rule = f"was held by participant {holder['participant']}, who was in the lobby"
                _tell(row, rule, findings)


def _tell(row: Row, rule: str, findings: Findings) -> None:
    findings.rule(False, PARTICIPANTS, row["row"], "slot", row["slot"], rule, _key(row))


def _key(row: Row) -> str:
    return f"participant {row['participant']} of session {row['session']}"
