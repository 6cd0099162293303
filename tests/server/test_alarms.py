"""What is an alarm on the board, and from which number on."""

from __future__ import annotations

from typing import Any

import pytest

from server.board import alarms as module
from server.board.alarms import agents_away, alarms, late_server

SEAT: dict[str, Any] = {
    "seat": 0,
    "name": "Ann",
    "occupant": "person",
    "parted": False,
    "decided": True,
    "silent_ms": 0,
    "idle": 0,
    "fault": None,
    "talk_fault": None,
}
GROUP: dict[str, Any] = {
    "group": 3,
    "started": True,
    "paused": False,
    "left_ms": 1000,
    "in_period_ms": 0,
}
FAULT = {"policy": "steward", "period": 4, "times": 1, "detail": "no lake"}


def told(*seats: dict[str, Any], **group: Any) -> list[str]:
    own = [{**SEAT, **seat, "seat": number} for number, seat in enumerate(seats)]
    return alarms([{**GROUP, **group, "seats": own}], [], None, 0.0)


@pytest.mark.parametrize(
    ("seat", "group", "line"),
    [
        ({"silent_ms": 15_000}, {}, None),
        ({"silent_ms": 15_001}, {}, "silent: Ann"),
        ({"silent_ms": None}, {}, "silent: Ann"),
        ({"silent_ms": None, "parted": True}, {}, None),
        ({"silent_ms": None, "occupant": "policy"}, {}, None),
        ({"silent_ms": None}, {"started": False}, None),
        ({"silent_ms": None}, {"paused": True}, None),
        ({"idle": 1}, {}, None),
        ({"idle": 2}, {}, "no decision in 2 periods: Ann"),
        ({"idle": 2, "occupant": "policy"}, {}, None),
        ({"idle": 2, "silent_ms": None}, {}, "silent: Ann"),
        (
            {"decided": False},
            {"left_ms": None, "in_period_ms": 120_001},
            "stuck for 2 min, waiting for Ann",
        ),
        ({"decided": False}, {"left_ms": None, "in_period_ms": 120_000}, None),
        ({"decided": False}, {"left_ms": 0, "in_period_ms": 900_000}, None),
        ({"decided": True}, {"left_ms": None, "in_period_ms": 900_000}, None),
        (
            {"decided": False, "occupant": "policy"},
            {"left_ms": None, "in_period_ms": 900_000},
            None,
        ),
        (
            {"fault": FAULT},
            {"paused": True},
            "seat A: steward did not decide in period 5: no lake",
        ),
        (
            {"talk_fault": {**FAULT, "times": 2}},
            {"started": False},
            "seat A: steward could not talk in period 5 (2 times): no lake",
        ),
    ],
)
def test_a_group_is_an_alarm_by_its_numbers(
    seat: dict[str, Any], group: dict[str, Any], line: str | None
) -> None:
    assert told(seat, **group) == ([] if line is None else [f"Group 3: {line}"])


def test_alarms_of_a_group_are_in_one_order_with_all_their_people() -> None:
    late = {"left_ms": None, "in_period_ms": 180_000}
    seats = [{"silent_ms": None}, {"name": "Ben", "silent_ms": None}, {"name": "Cy", "idle": 3}]
    last = {"name": "", "occupant": "policy", "fault": FAULT, "talk_fault": FAULT}
    assert told(*({**seat, "decided": False} for seat in seats), last, **late) == [
        "Group 3: seat D: steward did not decide in period 5: no lake",
        "Group 3: seat D: steward could not talk in period 5: no lake",
        "Group 3: silent: Ann, Ben",
        "Group 3: no decision in 3 periods: Cy",
        "Group 3: stuck for 3 min, waiting for Ann, Ben, Cy",
    ]
    assert told(*[SEAT] * 27, {**SEAT, "fault": FAULT}) == [
        "Group 3: seat B: steward did not decide in period 5: no lake"  # after Z comes A
    ]


@pytest.mark.parametrize(
    ("person", "line"),
    [
        ({"quiz_tries": 3}, None),
        ({"quiz_tries": 4}, "Ann: 4 tries at the quiz"),
        ({"since_s": 600.0}, None),
        ({"since_s": 601.0}, "Ann: on Quiz for 10 min"),
        ({"since_s": 9000.0, "page": ""}, None),
        ({"since_s": 9000.0, "quiz_tries": 5}, "Ann: 5 tries at the quiz"),
    ],
)
def test_who_does_not_go_on_before_the_play_is_an_alarm(
    person: dict[str, Any], line: str | None
) -> None:
    row = {"name": "Ann", "page": "Quiz", "since_s": 0.0, "quiz_tries": 0, **person}
    assert alarms([], [row], None, 0.0) == ([] if line is None else [line])


def test_agents_that_are_not_there_and_a_server_that_is_late_are_alarms() -> None:
    assert agents_away(["a", "b", "c"], {"a": 1, "b": 0}) == [
        f"Agent {name} is not connected: on its seats the default counts" for name in "bc"
    ]
    assert late_server(0, 0) == []
    late, page = late_server(1250, 50)
    assert late == "The server was 1.2 s late within the last minute: pages and decisions wait"
    assert page == "A participant waited 0.1 s for a page within the last minute: let no more in"
    assert pytest.approx(892.8) == module.NEAR * module.CARRIED
