"""What the board says of groups and people."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

import bots
import engine
from bots.scripted.commons_game.sustainable import Sustainable
from server.board.alarms import agents_away, alarms, near_limit
from server.board.groups import glance, group_row, open_tables
from server.board.people import Crowd, Person
from server.board.seen import _is_over, _waiting, board
from server.keeping.writer import Trouble
from server.open.lobbies import lobbies
from server.open.open_table import OpenTable
from server.open.tables import tables
from table.directives import Directive
from table.lobby import Waiting
from table.options import Options
from tests.server.played import opened
from tests.server.test_open_table import Clock, Room


class Tables(list[OpenTable]):
    """Open tables, and a writer that has no trouble."""

    trouble = None
    writer = SimpleNamespace(trouble=None)
    agents = SimpleNamespace(connected={})


def person(seat: int, label: str = "") -> Person:
    numbers = ("finished", seat, 1, 1, "Play", 0, 0, 0.0, "", 0.0, 0.0, 3)
    return Person("app", 10 + seat, 1 + seat, f"code{seat}", label, *numbers)


def row_of(room: Room) -> dict[str, Any]:
    return group_row(room.table, {0: person(0, "Ann"), 2: person(2)}, 1)


def test_a_group_is_shown_with_its_clock_its_number_and_who_sits_where() -> None:
    clock = Clock()
    room = Room(clock)
    room.begin()
    clock.now += 5_000
    row = row_of(room)
    assert (row["group"], row["period"], row["periods"], row["started"]) == (1, 0, 4, True)
    assert row["left_ms"] == 40_000  # of 45 s
    assert row["glance"] == {"name": "stock", "value": 100.0, "unit": "fish"}
    ann, bot, other, _ = row["seats"]
    assert (ann["name"], other["name"]) == ("Ann", "P3")
    assert (bot["occupant"], bot["policy"]) == ("policy", "sustainable")
    assert "participant" not in bot
    assert (ann["connected"], ann["silent_ms"], ann["held"]) == (True, 5_000, False)
    room.table.manage(Directive("stand_in", "a", 0))
    room.table.manage(Directive("pause", "b"))
    row = row_of(room)
    assert (row["seats"][0]["held"], row["seats"][0]["occupant"]) == (True, "policy")
    assert row["paused"] is True


def test_the_tables_of_a_session_that_play_are_shown_in_order() -> None:
    first, gone, over, elsewhere, last = (
        SimpleNamespace(
            key=("app", key),
            clock=SimpleNamespace(session_id=session_id),
            gone=key == 2,
            table=SimpleNamespace(over=key == 3),
        )
        for key, session_id in ((1, 7), (2, 7), (3, 7), (4, 8), (5, 7))
    )
    everything = cast(Any, [last, gone, elsewhere, over, first])
    assert open_tables(everything, 7) == [first, last]


def test_all_that_is_shown_of_a_group_and_its_seats() -> None:
    clock = Clock()
    room = Room(clock)
    room.begin()
    clock.now += 5_000
    same = {
        "decided": False,
        "points": 0.0,
        "fault": None,
        "talk_fault": None,
    }
    person_here = {
        **same,
        "occupant": "person",
        "policy": "",
        "connected": True,
        "silent_ms": 5_000,
        "idle": 0,
        "held": False,
        "returning": False,
        "parted": False,
    }
    bot = {**same, "occupant": "policy", "policy": "sustainable"}
    treated = {0: replace(person(0, "Ann"), treatment="none"), 2: person(2)}
    row = group_row(room.table, treated, 7)
    [second, fourth] = row["seats"][1], row["seats"][3]
    assert {**row, "seats": [row["seats"][0], row["seats"][2]]} == {
        "app": room.table.key[0],
        "group": 7,
        "treatment": "none",
        "period": 0,
        "periods": 4,
        "started": True,
        "choosing": False,
        "paused": False,
        "left_ms": 40_000,
        "in_period_ms": 5_000,
        "glance": {"name": "stock", "value": 100.0, "unit": "fish"},
        "saving": room.table.unsaved,
        "seats": [
            {**person_here, "seat": 0, "name": "Ann", "participant": "code0"},
            {**person_here, "seat": 2, "name": "P3", "participant": "code2"},
        ],
    }
    assert [{**seat, "decided": False} for seat in (second, fourth)] == [
        {**bot, "seat": 1},
        {**bot, "seat": 3},
    ]


def test_all_that_is_shown_of_who_is_at_no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock shows 100 s; Cy waits since 40 s and has come at 30 s, but is not heard here."""
    monkeypatch.setattr(
        "server.board.seen.time", SimpleNamespace(time=lambda: 100.0, monotonic=int)
    )
    monkeypatch.setattr("server.board.seen.clock", SimpleNamespace(now_ms=lambda: 100_000))
    monkeypatch.setattr("server.board.seen.near_limit", lambda people: [])
    monkeypatch.setattr("server.board.seen.late_server", lambda late, pages: [])
    out = replace(person(0, "Ann"), treatment="t", group=3, points=4.5, payment="€1.00", paid=1.0)
    away = replace(person(1), status="arriving", seat=-1, page="", since_s=0)
    quiz = replace(away, number=4, code="code4", page="Quiz", since_s=70, quiz_tries=2)
    lobby = replace(person(5, "Cy"), status="waiting", seat=-1, arrived_ms=30_000, since_s=40)
    shown = replace(lobby, label="Di", status="arriving", page="Lobby", arrived_ms=0)
    seated = replace(person(3), status="seated")
    nobody = cast(Any, SimpleNamespace(opened=lambda app, subsession_id: None))
    crowd = Crowd(1, [out, away, quiz, lobby, shown, seated], True, 0.5, ["gpt"])

    def named(name: str, code: str, treatment: str = "") -> dict[str, str]:
        return {"name": name, "participant": code, "treatment": treatment}

    assert board("abc", crowd, cast(Any, Tables()), nobody) == {
        "session": "abc",
        "groups": [],
        "lobby": [
            {**named("Cy", "code5"), "since_s": 70.0, "here": False, "left_s": None},
            {**named("Di", "code5"), "since_s": 60.0, "here": False, "left_s": None},
        ],
        "before": [
            {**named("P2", "code1"), "page": "", "since_s": 0, "quiz_tries": 0},
            {**named("P4", "code4"), "page": "Quiz", "since_s": 30.0, "quiz_tries": 2},
        ],
        "finished": [
            {
                **named("Ann", "code0", "t"),
                "group": 3,
                "status": "finished",
                "points": 4.5,
                "pay": "€1.00",
            }
        ],
        "door": "shut",
        "alarms": [
            *agents_away(["gpt"], {}),
            "Payments are 1.00 so far: the budget is 0.5",
        ],
    }


@pytest.mark.parametrize(
    ("status", "over"),
    [
        *((status, False) for status in ("arriving", "waiting", "seated")),
        *((status, True) for status in ("finished", "left", "released", "quiz_failed", "excluded")),
    ],
)
def test_a_part_is_over_by_its_status(status: str, over: bool) -> None:
    assert _is_over(replace(person(0), status=status)) is over


def test_who_waits_is_shown_with_the_time_that_was_promised(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Since 100 s until 130 s, with 60 s promised."""
    monkeypatch.setattr("server.board.seen.clock", SimpleNamespace(now_ms=lambda: 130_000))
    waiting = Waiting(10, arrived_ms=100_000, heard_ms=129_000)
    lobby = SimpleNamespace(waiting={10: waiting}, options_of=lambda _: Options(lobby_seconds=60.0))
    stub = cast(Any, SimpleNamespace(opened=lambda app, number: SimpleNamespace(lobby=lobby)))
    one = replace(person(0, "Ann"), status="waiting", seat=-1)
    row = _waiting(one, stub)
    assert (row["since_s"], row["left_s"], row["here"]) == (30.0, 30.0, True)
    assert _waiting(replace(one, player_id=99), stub)["left_s"] is None


@pytest.mark.parametrize(
    ("game_id", "name"),
    [
        ("commons_game", "stock"),
        ("punishment_vote", "level"),
        ("sanctions", "mean trust"),
        ("gem_mining", "earned"),
    ],
)
def test_every_game_has_a_number_at_a_glance(game_id: str, name: str) -> None:
    shown = glance(opened(engine.make(game_id, archetype="lab")))
    assert shown["name"] == name
    assert set(shown) == {"name", "value", "unit"}


def test_alarms_name_who_is_silent_and_who_a_group_waits_for() -> None:
    clock = Clock()
    room = Room(clock, decision_seconds=0.0, grace_seconds=600.0)
    room.begin()
    assert alarms([row_of(room)], [], None, 0.0) == []
    clock.now += 180_000
    room.say(2, "alive")
    listed = alarms([row_of(room)], [], None, 0.0)
    assert listed == [
        "Group 1: silent: Ann",
        "Group 1: stuck for 3 min, waiting for Ann, P3",
    ]
    room.table.manage(Directive("pause", "a"))
    assert alarms([row_of(room)], [], None, 0.0) == []


def test_a_connected_person_who_lets_two_periods_run_out_is_an_alarm() -> None:
    clock = Clock()
    room = Room(clock, decision_seconds=10.0, grace_seconds=600.0, line_seconds=0.0)
    room.begin()

    def let_run_out() -> list[str]:
        period = room.table.table.episode.period
        room.act(2, f"own {period}", period)
        clock.now += 10_000
        for seat in (0, 2):
            room.say(seat, "alive")
        assert room.table.table.episode.period == period + 1
        return alarms([row_of(room)], [], None, 0.0)

    assert let_run_out() == []
    assert let_run_out() == ["Group 1: no decision in 2 periods: Ann"]
    period = room.table.table.episode.period
    for seat in (0, 2):
        room.act(seat, f"{seat} {period}", period)
    clock.now += 2_000  # the bots think
    room.say(0, "alive")
    assert alarms([row_of(room)], [], None, 0.0) == []


def test_a_policy_that_fails_is_an_alarm_until_the_play_is_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = Clock()
    room = Room(clock, bot_delay="instant", decision_seconds=9.0)
    broken = Exception("no such lake, " + 99 * "deep and ")
    monkeypatch.setattr(Sustainable, "act_together", Mock(side_effect=broken))
    room.begin()
    once, other = alarms([row_of(room)], [], None, 0.0)
    assert once.startswith(
        "Group 1: seat B: sustainable did not decide in period 1: Exception: no such lake, deep"
    )
    assert len(once) < 200
    assert other.startswith("Group 1: seat D: sustainable did not decide in period 1")
    room.act(0, "a")
    room.act(2, "b")  # the second period
    room.table.manage(Directive("pause", "c"))
    monkeypatch.undo()
    [twice, _] = alarms([row_of(room)], [], None, 0.0)
    assert twice.startswith("Group 1: seat B: sustainable did not decide in period 2 (2 times)")
    room.paper.save()
    again = {chair.seat: chair.fault for chair in room.stored().seats}  # after a restart
    assert again == {chair.seat: chair.fault for chair in room.table.table.seats}


def test_a_policy_that_fails_while_it_talks_is_an_alarm_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talks = {"talk": "free", "talk_seconds": 8.0, "bots": "promises_and_keeps"}
    room = Room(Clock(), bot_delay="instant", decision_seconds=9.0, **talks)
    policy = bots.find("promises_and_keeps", "commons_game")
    monkeypatch.setattr(policy, "say", Mock(side_effect=ValueError("no words")))
    room.begin()
    assert alarms([row_of(room)], [], None, 0.0) == [
        f"Group 1: seat {seat}: promises_and_keeps could not talk in period 1: ValueError: no words"
        for seat in "BD"
    ]
    room.paper.save()
    again = {chair.seat: chair.talk_fault for chair in room.stored().seats}  # after a restart
    assert again == {chair.seat: chair.talk_fault for chair in room.table.table.seats}


def test_alarms_name_who_does_not_get_past_the_quiz_and_what_is_not_saved() -> None:
    before = [
        {"name": "Ann", "page": "Quiz", "since_s": 30.0, "quiz_tries": 4},
        {"name": "Bob", "page": "Instructions", "since_s": 720.0, "quiz_tries": 0},
        {"name": "Cid", "page": "", "since_s": 0.0, "quiz_tries": 0},
    ]
    assert alarms([], before, Trouble(5.0, "disk full"), 12.0) == [
        "Nothing is saved for 7 s, trying again: disk full",
        "Ann: 4 tries at the quiz",
        "Bob: on Instructions for 12 min",
    ]


def test_a_server_that_carries_about_all_it_can_is_an_alarm() -> None:
    assert near_limit(892) == []  # nine tenths of 992 are 892.8
    [sentence] = near_limit(893)
    assert sentence.startswith("893 people play on this server, which was seen to carry 992")


def test_the_people_of_all_sessions_count_for_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    room = Room(Clock())
    monkeypatch.setattr("server.board.seen.near_limit", lambda people: [f"{people} people"])
    monkeypatch.setattr("server.board.seen.open_tables", lambda tables, session_id: [])
    seen = board("code", Crowd(1, [], False, 0.0), cast(Any, Tables([room.table])), lobbies)
    assert "2 people" in seen["alarms"]


def test_who_the_lobby_knows_is_in_it_though_people_were_read_before() -> None:
    known, waiting = person(0, "Ann"), Waiting(10, arrived_ms=0, heard_ms=0)
    reading = [replace(one, status="arriving", seat=-1, page="Quiz") for one in (known, person(1))]
    stub = SimpleNamespace(
        opened=lambda app, subsession_id: SimpleNamespace(
            lobby=SimpleNamespace(waiting={10: waiting}, options_of=lambda _: Options())
        )
    )
    crowd = Crowd(1, reading, False, 0.0)
    seen = board("code", crowd, tables, cast(Any, stub))
    assert [row["name"] for row in seen["lobby"]] == ["Ann"]
    assert [row["name"] for row in seen["before"]] == ["P2"]
