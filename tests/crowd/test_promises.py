"""Tests that missing, changed and duplicate decisions are detected."""

from __future__ import annotations

from typing import Any

import pytest

from tests.crowd.promises import Promises


def row(period: int, harvest: float, by: str = "person") -> dict[str, Any]:
    return {"period": period, "decided_by": by, "sent_harvest": harvest}


def person(*sent: tuple[str, int, float, bool]) -> Promises:
    """Return promises for these messages: id, period, harvest, and whether acknowledged."""
    promises = Promises()
    for name, period, harvest, acked in sent:
        action = {"harvest": harvest}
        promises.sent({"kind": "act", "id": name, "period": period, "action": action})
        if acked:
            promises.answered({"kind": "ack", "id": name, "period": period})
    return promises


TWO = [("a", 0, 3, True), ("b", 1, 4, True)]


@pytest.mark.parametrize(
    ("sent", "rows"),
    [
        (TWO, [row(0, 3), row(1, 4)]),
        # the last one acknowledged counts, or a later one whose answer was lost
        ([("a", 0, 3, True), ("b", 0, 4, True)], [row(0, 4)]),
        ([("a", 0, 3, True), ("b", 0, 4, False)], [row(0, 4)]),
        ([("a", 0, 3, True), ("b", 0, 4, False)], [row(0, 3)]),
        ([("a", 0, 3, False)], [row(0, 3)]),
        ([("a", 0, 3, False)], [row(0, 0, "default")]),
    ],
)
def test_an_export_that_keeps_the_promises_has_no_differences(sent, rows) -> None:
    assert list(person(*sent).differences(rows)) == []


@pytest.mark.parametrize(
    ("sent", "rows", "where"),
    [
        (TWO, [row(0, 3)], "period 1: promised, and not in the export"),
        (TWO, [row(0, 3), row(1, 4), row(1, 4)], "period 1 occurs twice"),
        (TWO, [row(0, 3), row(1, 5)], "period 1: "),
        (TWO, [row(0, 3), row(1, 4, "default")], "period 1: "),
        ([("a", 0, 3, True), ("b", 0, 4, True)], [row(0, 3)], "period 0: "),
        ([("a", 0, 3, False)], [row(0, 4)], "period 0: "),
        ([], [row(0, 3)], "period 0: "),
    ],
)
def test_lost_doubled_and_changed_decisions_are_named(sent, rows, where) -> None:
    [line] = person(*sent).differences(rows)
    assert line.startswith(where)


def test_an_open_period_is_expected_in_the_export_once_it_is_over() -> None:
    assert list(person(*TWO).differences([row(0, 3)], over=False)) == []
    assert list(person(*TWO).differences([], over=False)) == [
        "period 1: promised, and not in the export"
    ]


def test_a_message_that_is_not_an_action_is_no_promise() -> None:
    promises = person(*TWO)
    promises.sent({"kind": "act", "id": ["a"], "period": 0, "action": {}})
    promises.sent({"kind": "act", "id": "c", "period": 1, "action": "x"})
    promises.answered({"kind": "refused", "id": "c", "reason": "no"})
    assert list(promises.differences([row(0, 3), row(1, 4)])) == []
