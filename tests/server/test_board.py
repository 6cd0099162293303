"""Rows of groups and people on the board."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import Mock

import pytest

from bots.commons_game.sustainable import Sustainable
from mixed_company import engine, policies
from mixed_company.server.board import people, seen
from mixed_company.server.board.alarms import (
    agents_away,
    alarms,
    late_server,
    near_limit,
    over_budget,
)
from mixed_company.server.board.groups import glance, group_name, group_row, open_tables
from mixed_company.server.board.people import Crowd, Person
from mixed_company.server.board.seen import _is_over, board
from mixed_company.server.keeping.writer import Trouble
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.open_table import OpenTable
from mixed_company.server.open.tables import tables
from mixed_company.table.directives import Directive
from mixed_company.table.lobby import Waiting
from mixed_company.table.options import Options
from tests.server.played import opened
from tests.server.test_open_table import Clock, Room


class Tables(list[OpenTable]):
    """Open tables with a writer that works normally."""

    trouble = None
    writer = SimpleNamespace(trouble=None)
    agents = SimpleNamespace(connected={})


def person(seat: int, label: str = "") -> Person:
    numbers = ("finished", seat, 1, 1, "Play", 0, 0, 0.0, "", 0.0, 0.0, 3)
    return Person("app", 10 + seat, 1 + seat, f"code{seat}", label, *numbers)


def row_of(room: Room) -> dict[str, Any]:
    return group_row(room.table, {0: person(0, "Ann"), 2: person(2)}, 1)


def test_players_are_deciding_from_the_beginning_of_a_period_until_they_decide():
    room = Room(Clock())

    def deciding() -> list[int]:
        return [seat["seat"] for seat in row_of(room)["seats"] if seat["deciding"]]

    assert deciding() == []  # the play has not begun
    room.begin()
    assert deciding() == [0, 1, 2, 3]
    room.act(2, "a")
    assert deciding() == [0, 1, 3]


@pytest.mark.parametrize(
    ("number", "name"), [(3, "Group 3"), (999, "Group 999"), (2003, "Part 2, group 3")]
)
def test_a_group_of_a_later_part_is_named_as_participants_count(number, name):
    assert group_name(number) == name
    room = Room(Clock())
    room.begin()
    assert group_row(room.table, {0: person(0)}, number)["name"] == name


def test_the_tables_in_play_of_a_session_are_shown_in_order():
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


@pytest.mark.parametrize(
    ("status", "over"),
    [
        *((status, False) for status in ("arriving", "waiting", "seated")),
        *((status, True) for status in ("finished", "left", "released", "quiz_failed", "excluded")),
    ],
)
def test_the_status_shows_that_a_part_is_over(status, over):
    assert _is_over(replace(person(0), status=status)) is over


@pytest.mark.parametrize(
    ("game_id", "name"),
    [
        ("commons_game", "stock"),
        ("punishment_vote", "level"),
        ("sanctions", "mean trust"),
        ("gem_mining", "earned"),
    ],
)
def test_every_game_has_a_number_at_a_glance(game_id, name):
    shown = glance(opened(engine.make(game_id, archetype="lab")))
    assert shown["name"] == name
    assert set(shown) == {"name", "value", "unit"}


def test_alarms_name_silent_people_and_those_a_group_waits_for():
    clock = Clock()
    room = Room(clock, decision_seconds=0.0, grace_seconds=600.0)
    room.begin()
    assert alarms([row_of(room)], [], None, 0.0) == []
    clock.now += 180_000
    room.say(2, "alive")
    listed = alarms([row_of(room)], [], None, 0.0)
    assert listed == [
        "Group 1: not responding: Ann",
        "Group 1: stuck for 3 min, waiting for Ann, P3",
    ]
    room.table.manage(Directive("pause", "a"))
    assert alarms([row_of(room)], [], None, 0.0) == []


def test_a_connected_person_who_misses_two_periods_is_an_alarm():
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
    assert let_run_out() == ["Group 1: Ann has not decided for 2 periods"]
    period = room.table.table.episode.period
    for seat in (0, 2):
        room.act(seat, f"{seat} {period}", period)
    clock.now += 2_000  # the bots are thinking
    room.say(0, "alive")
    assert alarms([row_of(room)], [], None, 0.0) == []


def test_a_policy_that_fails_is_an_alarm_until_the_play_is_over(monkeypatch):
    clock = Clock()
    room = Room(clock, bot_delay="instant", decision_seconds=9.0)
    broken = Exception("no such lake, " + 99 * "deep and ")
    monkeypatch.setattr(Sustainable, "act_together", Mock(side_effect=broken))
    room.begin()
    once, other = alarms([row_of(room)], [], None, 0.0)
    assert once.startswith(
        "Group 1: player 2: sustainable did not decide in period 1: Exception: no such lake, deep"
    )
    assert len(once) < 200
    assert other.startswith("Group 1: player 4: sustainable did not decide in period 1")
    room.act(0, "a")
    room.act(2, "b")  # the second period
    room.table.manage(Directive("pause", "c"))
    monkeypatch.undo()
    [twice, _] = alarms([row_of(room)], [], None, 0.0)
    assert twice.startswith("Group 1: player 2: sustainable did not decide in period 2 (2 times)")
    room.paper.save()
    again = {chair.seat: chair.fault for chair in room.stored().seats}  # after a restart
    assert again == {chair.seat: chair.fault for chair in room.table.table.seats}


def test_a_policy_that_fails_while_it_talks_is_also_an_alarm(monkeypatch):
    talks = {"talk": "free", "talk_seconds": 8.0, "bots": "promises_and_keeps"}
    room = Room(Clock(), bot_delay="instant", decision_seconds=9.0, **talks)
    policy = policies.find("promises_and_keeps", "commons_game")
    monkeypatch.setattr(policy, "say", Mock(side_effect=ValueError("no words")))
    room.begin()
    assert alarms([row_of(room)], [], None, 0.0) == [
        f"Group 1: player {number}: promises_and_keeps could not talk in period 1: ValueError: "
        "no words"
        for number in (2, 4)
    ]
    room.paper.save()
    again = {chair.seat: chair.talk_fault for chair in room.stored().seats}  # after a restart
    assert again == {chair.seat: chair.talk_fault for chair in room.table.table.seats}


def test_a_server_near_its_capacity_is_an_alarm():
    assert near_limit(892) == []  # nine tenths of 992 are 892.8
    [sentence] = near_limit(893)
    assert sentence.startswith(
        "893 people are playing on this server, which has been tested with 992"
    )


def test_the_people_of_all_sessions_count_for_the_limit(monkeypatch):
    room = Room(Clock())
    monkeypatch.setattr(
        "mixed_company.server.board.seen.near_limit", lambda people: [f"{people} people"]
    )
    monkeypatch.setattr(
        "mixed_company.server.board.seen.open_tables", lambda tables, session_id: []
    )
    shown = board("code", Crowd(1, [], False, 0.0), cast(Any, Tables([room.table])), lobbies)
    assert "2 people" in shown["alarms"]


def test_people_in_the_lobby_are_shown_there_although_people_were_read_earlier():
    ann, waiting = person(0, "Ann"), Waiting(10, arrived_ms=0, heard_ms=0)
    reading = [
        replace(somebody, status="arriving", seat=-1, page="Quiz") for somebody in (ann, person(1))
    ]
    stub = SimpleNamespace(
        opened=lambda app, subsession_id: SimpleNamespace(
            lobby=SimpleNamespace(waiting={10: waiting}, options_of=lambda _: Options())
        )
    )
    crowd = Crowd(1, reading, False, 0.0)
    shown = board("code", crowd, tables, cast(Any, stub))
    assert [row["name"] for row in shown["lobby"]] == ["Ann"]
    assert [row["name"] for row in shown["before"]] == ["P2"]


ANN: dict[str, Any] = {
    "name": "Ann",
    "seat": 1,
    "occupant": "person",
    "parted": False,
    "decided": False,
    "deciding": True,
    "silent_ms": 0,
    "idle": 0,
    "fault": None,
    "talk_fault": None,
}
SITS: dict[str, Any] = {
    "name": "Group 2",
    "started": True,
    "paused": False,
    "left_ms": None,
    "in_period_ms": 0,
}
FAILED = {"period": 4, "policy": "own", "times": 2, "detail": "no"}


@pytest.mark.parametrize(
    ("group", "seat", "expected"),
    [
        ({}, {"silent_ms": 15_000}, []),
        ({}, {"silent_ms": 15_001}, ["not responding: Ann"]),
        ({}, {"silent_ms": None, "idle": 2}, ["not responding: Ann"]),
        ({}, {"silent_ms": None, "parted": True}, []),
        ({}, {"silent_ms": None, "occupant": "policy", "idle": 2}, []),
        ({"started": False}, {"silent_ms": None}, []),
        ({"paused": True}, {"silent_ms": None, "fault": FAILED}, ["player 2: own did not"]),
        ({"started": False}, {"talk_fault": FAILED}, ["player 2: own could not talk"]),
        ({}, {"idle": 1}, []),
        ({}, {"idle": 2}, ["Ann has not decided for 2 periods"]),
        ({"in_period_ms": 120_000}, {}, []),
        ({"in_period_ms": 120_001}, {}, ["stuck for 2 min, waiting for Ann"]),
        ({"in_period_ms": 120_001, "left_ms": 0}, {}, []),
        ({"in_period_ms": 120_001}, {"decided": True, "deciding": False}, []),
        ({"in_period_ms": 120_001}, {"deciding": False}, []),  # another player's turn
        ({"in_period_ms": 120_001}, {"occupant": "policy"}, []),
    ],
)
def test_alarms_about_a_group_begin_at_their_limits(group, seat, expected):
    shown = alarms([{**SITS, **group, "seats": [{**ANN, **seat}]}], [], None, 0.0)
    assert len(shown) == len(expected)
    assert all(
        alarm.startswith(f"Group 2: {line}") for alarm, line in zip(shown, expected, strict=True)
    )


def test_a_fault_names_the_seat_the_period_and_how_often():
    once = {**FAILED, "times": 1}
    group = {**SITS, "seats": [{**ANN, "seat": 26, "fault": once, "talk_fault": FAILED}]}
    assert alarms([group], [], None, 0.0) == [
        "Group 2: player 27: own did not decide in period 5: no",
        "Group 2: player 27: own could not talk in period 5 (2 times): no",
    ]


@pytest.mark.parametrize(
    ("page", "since_s", "tries", "expected"),
    [
        ("Quiz", 600.0, 3, []),
        ("", 6000.0, 0, []),
        ("Quiz", 601.0, 3, ["Ann: on Quiz for 10 min"]),
        ("Quiz", 601.0, 5, ["Ann: 5 quiz attempts"]),
    ],
)
def test_alarms_about_readers_begin_at_their_limits(page, since_s, tries, expected):
    row = {"name": "Ann", "page": page, "since_s": since_s, "quiz_tries": tries}
    assert alarms([], [row], None, 0.0) == expected


def test_alarms_about_server_agents_and_budget_begin_beyond_their_limits():
    assert late_server(0, 0) == []
    assert late_server(1, 2600) == [
        "The server was 0.0 s late in the last minute: pages and decisions are delayed",
        "A participant waited 2.6 s for a page in the last minute: do not admit anybody else",
    ]
    assert agents_away(["a", "b", "c"], {"a": 1, "b": 0}) == [
        "Agent b is not connected: its seats play the default action",
        "Agent c is not connected: its seats play the default action",
    ]
    assert alarms([], [], Trouble(5.0, "disk full"), 12.0) == [
        "Nothing has been saved for 7 s, still trying: disk full"
    ]
    assert over_budget(0.0, [5.0]) == over_budget(5.0, [2.5, 2.5]) == []
    assert over_budget(5.0, [2.5, 2.51]) == ["Payments so far are 5.01, but the budget is 5"]


def test_everybody_is_listed_in_their_place(monkeypatch):
    now = SimpleNamespace(time=lambda: 1000.0, monotonic=lambda: 50.0)
    late = SimpleNamespace(late_ms=lambda now: now, page_ms=lambda now: 0)
    monkeypatch.setattr(seen, "time", now)
    monkeypatch.setattr(seen, "clock", SimpleNamespace(now_ms=lambda: 1_000_000))
    monkeypatch.setattr(seen, "lateness", late)
    free = replace(person(-1), seat=-1, group=0, group_id=0, treatment="T")
    everybody = [
        replace(free, number=1, code="a", status="arriving", page="", since_s=0),
        replace(free, number=2, code="b", status="arriving", since_s=940, quiz_tries=3),
        replace(free, number=3, code="c", status="arriving", page="Lobby", since_s=990),
        replace(free, number=4, code="d", status="waiting", arrived_ms=1_000_001.0),
        replace(free, number=5, code="e", status="waiting", player_id=77, subsession_id=5),
        replace(free, number=6, code="f", status="seated"),
        replace(free, number=7, code="g", status="left", group=2, points=1.5, payment="2", paid=2),
    ]
    waiting = {77: Waiting(77, arrived_ms=980_000, heard_ms=999_000, open=True)}
    lobby = SimpleNamespace(waiting=waiting, options_of=lambda _: Options(lobby_seconds=30.0))
    opened = {("app", 5): SimpleNamespace(lobby=lobby)}
    stub = SimpleNamespace(opened=lambda *key: opened.get(key))
    crowd = Crowd(1, everybody, True, 1.5, ["x"])
    named = [
        {"name": f"P{number}", "participant": code, "treatment": "T"}
        for number, code in enumerate("abcdefg", 1)
    ]
    a, b, c, d, e, _, g = named
    away: dict[str, Any] = {"here": False, "left_s": None}
    assert board("code", crowd, cast(Any, Tables()), cast(Any, stub)) == {
        "session": "code",
        "groups": [],
        "lobby": [
            {**c, "since_s": 10.0, **away},
            {**d, "since_s": 0.0, **away},
            {**e, "since_s": 20.0, "here": True, "left_s": 10.0},
        ],
        "before": [
            {**a, "page": "", "since_s": 0, "quiz_tries": 0},
            {**b, "page": "Play", "since_s": 60.0, "quiz_tries": 3},
        ],
        "finished": [
            {**g, "group": 2, "group_name": "Group 2", "status": "left", "points": 1.5, "pay": "2"}
        ],
        "door": "shut",
        "alarms": [
            "The server was 1000.0 s late in the last minute: pages and decisions are delayed",
            "Agent x is not connected: its seats play the default action",
            "Payments so far are 2.00, but the budget is 1.5",
        ],
    }


def test_groups_are_shown_in_order_with_their_people(monkeypatch):
    keys = [("b", 1), ("app", 12), ("app", 11), ("app", 13)]
    tables_of = {1: [SimpleNamespace(key=key) for key in keys]}
    quiet: dict[str, Any] = {"seats": [], "started": False, "paused": False}
    monkeypatch.setattr(seen, "open_tables", lambda tables, session_id: tables_of[session_id])
    monkeypatch.setattr(
        seen,
        "group_row",
        lambda opened, members, number: {
            "app": opened.key[0],
            "group": number,
            "name": f"Group {number}",
            "members": members,
            **quiet,
        },
    )
    first, second, third = person(0), person(1), replace(person(2), group=2, group_id=11)
    people = [
        first,
        replace(second, group_id=11, group=2),
        third,
        replace(first, app="b", group_id=1),
    ]
    people += [replace(first, group_id=12, group=3, seat=-1), replace(second, group_id=13, group=0)]
    shown = board("code", Crowd(1, people, False, 0.0), cast(Any, Tables()), lobbies)["groups"]
    assert [(row["app"], row["group"], row["members"]) for row in shown] == [
        ("app", 0, {1: people[5]}),
        ("app", 2, {1: people[1], 2: third}),
        ("b", 1, {0: people[3]}),
    ]


def test_a_group_is_shown_completely():
    clock = Clock()
    room = Room(clock)
    room.begin()
    clock.now += 5_000
    room.act(0, "a", 0)
    members = {0: replace(person(0, "Ann"), treatment="T"), 2: person(2)}
    row = group_row(room.table, members, 6)
    ann, bot, other, _ = row.pop("seats")
    assert (other["name"], other["seat"], other["decided"]) == ("P3", 2, False)
    assert row == {
        "app": "app",
        "group": 6,
        "name": "Group 6",
        "treatment": "T",
        "period": 0,
        "periods": 4,
        "started": True,
        "choosing": False,
        "paused": False,
        "saving": True,
        "left_ms": 40_000,
        "in_period_ms": 5_000,
        "glance": {"name": "stock", "value": 100.0, "unit": "fish"},
    }
    nothing = {"points": 0.0, "fault": None, "talk_fault": None}
    assert bot == {
        "seat": 1,
        "occupant": "policy",
        "policy": "sustainable",
        "decided": True,
        "deciding": False,
        **nothing,
    }
    assert ann == {
        "seat": 0,
        "occupant": "person",
        "policy": "",
        "decided": True,
        "deciding": False,
        **nothing,
        "name": "Ann",
        "participant": "code0",
        "connected": True,
        "silent_ms": 0,
        "idle": 0,
        "held": False,
        "returning": False,
        "parted": False,
    }
    clock.now += 5_000
    room.table.manage(Directive("stand_in", "b", 0))
    room.table.manage(Directive("pause", "c"))
    row = group_row(room.table, members, 6)
    ann = row["seats"][0]
    assert (row["paused"], ann["held"], ann["occupant"]) == (True, True, "policy")
    assert ann["silent_ms"] == 5_000


@pytest.mark.parametrize("visited", [True, False])
@pytest.mark.parametrize("seat", [0, -1])
def test_a_person_is_described_by_the_data_of_seat_and_visit(monkeypatch, seat, visited):
    monkeypatch.setattr(people, "payment", lambda player: 2.5)
    numbers = {"id": 4, "group_id": 5, "quiz_attempts": 2, "points": 1.5, "arrived_ms": 7.0}
    named = {"status": "seated", "treatment": "T", "get_folder_name": lambda: "commons_game"}
    player = SimpleNamespace(seat=seat, subsession_id=6, **numbers, **named)
    page = {"_current_page_name": "Quiz", "_last_page_timestamp": 99, "visited": visited}
    human = SimpleNamespace(id_in_session=3, code="c", label=None, **page)
    group = SimpleNamespace(get_folder_name=lambda: "commons_game", id_in_subsession=9)
    group_id, number = (5, 8) if seat == 0 else (0, 0)
    assert people._person(player, human, group) == Person(
        *("commons_game", 4, 3, "c", "", "seated", seat, group_id, number),
        *("Quiz" if visited else "", 99, 2, 1.5, "2.5", 2.5, 7.0, 6, "T"),
    )


@pytest.mark.parametrize(
    ("players", "index"),
    [
        ([], None),
        ([(0, "finished"), (1, "seated")], 0),
        ([(0, "finished"), (-1, "arriving")], 1),
        ([(0, "finished"), (-1, "waiting"), (-1, "arriving")], 1),
        ([(-1, "left"), (0, "arriving")], 0),
        ([(0, "arriving"), (-1, "left"), (-1, "waiting")], 2),
    ],
)
def test_a_participant_is_shown_as_the_player_who_waits_for_a_seat(monkeypatch, players, index):
    reached = [SimpleNamespace(seat=seat, status=status) for seat, status in players]
    find = Mock(return_value="person")
    monkeypatch.setattr(people, "Participant", SimpleNamespace(objects_first=find))
    monkeypatch.setattr(people, "reached_by", {"person": reached}.__getitem__)
    assert people.player_of("s", "p") is (None if index is None else reached[index])
    find.assert_called_once_with(code="p", _session_code="s")
    find.return_value = None
    assert people.player_of("s", "p") is None
