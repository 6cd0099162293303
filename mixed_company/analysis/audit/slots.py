"""Check the slots of a plan's participants, which are assigned in order (`experiment.assignment`).

A slot is assigned only while all lower slots are taken. So no slot may be missing, and no slot may
have been assigned before a lower one. Nobody receives a slot while another person has it; people in
the lobby or in a group keep their slots.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count, pairwise

from mixed_company.analysis.audit.rows import Findings
from mixed_company.table.export import Row
from mixed_company.table.export.participants import PARTICIPANTS


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
            rule = (
                f"was assigned before slot {lower}, which is lower; or the machine's clock was "
                "set back while the server was down"
            )
            _tell(first, rule, findings)


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
