"""Slots are assigned in order, and nobody gets a slot that is already taken."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.analysis.audit.assigned import check_slots
from mixed_company.analysis.audit.rows import Findings

CAME = {"seat_1": 0, "status_1": "finished"}
LEFT = {"seat_1": "", "status_1": "left"}


def found(*people: tuple[Any, Any, Any, dict[str, Any]]) -> list[str]:
    """Return the problems reported for people with these slots, assignment times and lobby
    times."""
    rows = [
        {
            "session": "s",
            "participant": "abcdef"[number],
            "row": number,
            "slot": slot,
            "assigned_ms": assigned,
            "arrived_ms_1": arrived,
            **stay,
            "first_seen_ms": 1,
        }
        for number, (slot, assigned, arrived, stay) in enumerate(people)
    ]
    findings = Findings("")
    check_slots(rows, findings)
    return [str(problem).partition("of session s: ")[2] for problem in findings.problems]


@pytest.mark.parametrize(
    ("people", "problems"),
    [
        ([(0, 10, 15, CAME), (1, 20, 25, CAME), ("", "", "", LEFT)], []),
        ([(0, 10, "", LEFT), (1, 20, 25, CAME), (0, 30, 35, CAME)], []),  # the first one left
        ([(0, 10, 40, CAME), (0, 30, 35, CAME)], []),  # the first one took too long
        ([(0, 10, 15, CAME), (0, 15, 20, CAME)], []),  # in the same millisecond
        ([(0, 10, 15, CAME), (2, 20, 25, CAME)], ["2 was assigned, but nobody has slot 1"]),
        ([(1, 20, 25, CAME)], ["1 was assigned, but nobody has slot 0"]),
        (
            [(0, 10, 15, CAME), (0, 30, "", LEFT)],
            ["0 was held by participant a, who was in the lobby"],
        ),
        (
            [(0, 30, 35, CAME), (1, 20, 25, CAME)],
            ["slot 1 was assigned before the lower slot 0, or the machine's clock was set back"],
        ),
    ],
)
def test_a_slot_that_was_not_free_is_named(people: list[Any], problems: list[str]) -> None:
    assert found(*people) == problems


def test_nobody_has_a_slot_without_opening_the_link() -> None:
    row = {"session": "s", "participant": "a", "row": 3, "first_seen_ms": "", "slot": 0}
    findings = Findings("")
    check_slots([{**row, "assigned_ms": 10, "arrived_ms_1": "", **LEFT}], findings)
    assert [str(problem) for problem in findings.problems] == [
        "participants.csv, line 5, first_seen_ms: participant a of session s: nothing but the "
        "person has slot"
    ]
