"""An open table: recipients of messages, the rows written with them, and scheduled events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from mixed_company.server.open import open_table
from mixed_company.server.open.open_table import OpenTable, Stored
from mixed_company.table.protocol import Ack
from tests.server.test_open_table import SECOND, Alarm, Clock, Page, Room


@pytest.fixture
def clock() -> Clock:
    return Clock()


def anew(room: Room, schedule: Callable[[int, Callable[[], None]], Any], *more: Any) -> OpenTable:
    """Open a room's table again, with a different loop."""
    people = {0: 10, 2: 12}
    stored = Stored("app", 1, room.table.table, [], people, {}, room.clock, 0)
    return OpenTable(stored, room.paper, schedule, *more)


def test_a_table_opened_before_there_was_a_loop_wakes_from_the_next_page_on(clock):
    room, calls = Room(clock, decision_seconds=9.0), list[int]()
    room.begin()

    def schedule(ms: int, ring: Callable[[], None]) -> Alarm | None:
        calls.append(ms)
        return Alarm(ms, ring) if len(calls) == 3 else None  # there is a loop

    opened, page = anew(room, schedule), Page()
    assert calls == [2 * SECOND]  # the bots have finished thinking
    opened.sit(0, page)
    assert calls == [2 * SECOND] * 2
    opened.leave(0, page)
    assert calls == [2 * SECOND] * 3
    opened.sit(0, page)
    assert len(calls) == 3


def test_an_observer_is_told_about_new_entries(clock):
    room, looks = Room(clock), list[OpenTable]()
    room.begin()
    opened = anew(room, room.after, None, looks.append)
    assert looks == []
    opened.write()
    assert looks == [opened]


def test_time_is_added_so_that_nobody_waits(clock):
    room = Room(clock, shift_ms=500)
    room.table.put_on(3000)
    assert room.table.now_ms() == 3500


def test_a_choice_that_nobody_else_sees_appears_on_the_person_s_other_pages(clock):
    room, second = Room(clock, pace="clock", decision_seconds=9.0), Page()
    room.begin()
    room.table.sit(0, second)
    room.act(0, "mine")
    room.act(2, "theirs")
    room.paper.save()
    assert (room.pages[0].take(), second.take()) == (["ack", "view"], ["ack", "view"])
    assert room.pages[2].take() == ["ack"]


def test_only_the_person_who_asks_for_everything_gets_the_history(clock):
    room = Room(clock, bot_delay="instant", line_seconds=0)
    room.begin()
    for seat in room.pages:
        room.act(seat, f"{seat}")
    room.paper.save()
    for page in room.pages.values():
        page.messages.clear()
    room.say(0, "sync")
    room.say(2, "tick")
    room.paper.save()
    (whole,), (brief,) = (page.messages for page in room.pages.values())
    assert set(whole) - set(brief) == {"history"}
    assert len(whole["history"]) == 2  # the beginning, and a period


def test_messages_that_decide_nothing_are_not_counted_while_something_is_saved(clock):
    room = Room(clock, pace="clock", decision_seconds=9.0)
    room.begin()
    room.act(2, "theirs")
    for number in range(open_table.MOST_UNSAVED):
        room.say(0, "tick", id=f"t{number}")
    assert room.table.unsaved == 1
    room.act(0, "mine")
    assert room.table.unsaved == 2
    room.paper.save()
    assert room.table.unsaved == 0
    assert room.pages[0].messages[-1] == Ack("mine", 0).to_json()


def test_a_journal_has_regular_snapshots_and_one_at_the_end(clock, monkeypatch):
    monkeypatch.setattr(open_table, "ENTRIES_PER_SNAPSHOT", 6)
    room = Room(clock, bot_delay="instant")
    for seat in room.pages:
        room.say(seat, "sync")
    for period in range(4):
        clock.now += SECOND
        for seat in room.pages:
            room.act(seat, f"{seat} {period}", period)
    since, last = 0, room.paper.waiting[0].first
    for number, batch in enumerate(room.paper.waiting, 1):
        since += batch.first + len(batch.rows) - last
        last = batch.first + len(batch.rows)
        ends = number == len(room.paper.waiting)
        assert (batch.snapshot is not None) == (since >= 6 or ends)
        since = 0 if batch.snapshot is not None else since


def test_pages_see_what_was_settled_when_somebody_loads_one(clock):
    room = Room(clock, decision_seconds=9.0)
    room.begin()
    room.paper.save()
    for page in room.pages.values():
        page.messages.clear()
    clock.now += 10 * SECOND
    room.table.settle()
    assert [page.messages for page in room.pages.values()] == [[], []]  # it has not been saved yet
    room.paper.save()
    views = [page.messages for page in room.pages.values()]
    assert [[view["period"] for view in page] for page in views] == [[1], [1]]
    room.table.settle()
    room.paper.save()
    assert [len(page.messages) for page in room.pages.values()] == [1, 1]  # nothing is new


def test_a_table_is_not_idle_while_one_of_its_people_has_a_page_open(clock):
    room = Room(clock, bot_delay="instant", decision_seconds=3.0)
    room.begin()
    room.table.leave(0, room.pages[0])
    clock.now = 60 * SECOND
    room.table.settle()
    room.paper.save()
    assert not room.table.idle
    room.table.leave(2, room.pages[2])
    assert room.table.idle
