"""The server's lateness, measured by heartbeats and waiting pages, and reported while recent."""

from __future__ import annotations

import json

import pytest

from mixed_company.server import clock
from mixed_company.server.board.alarms import late_server
from mixed_company.server.clock import Silence
from mixed_company.server.keeping.storage import entry_of
from mixed_company.server.lateness import CALM_MS, PAGE_MS, SPELL_MS, Beat, Lateness
from mixed_company.server.live_state import late_lines
from mixed_company.table.directives import Directive
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.table import Table
from tests.server.test_clock import SECOND, Machine, machine
from tests.server.test_open_table import Clock, Room

__all__ = ["machine"]  # a fixture

MINUTE = 60 * SECOND


class Loop:
    """Loop that beats when the test tells it to. Writes have been waiting for `behind` seconds."""

    def __init__(self, machine: Machine) -> None:
        self.machine, self.late, self.behind = machine, Lateness(), 0.0
        clock.beat()
        self.comes_by(0.25)

    def comes_by(self, after: float, times: int = 1) -> list[Beat]:
        beats = []
        for _ in range(times):
            self.machine.passes(after)
            silence = clock.beat(serving=self.behind < 1)
            beats.append(self.late.beat(clock.now_ms(), silence, round(1000 * self.behind)))
        return beats

    def alarms(self) -> list[str]:
        now = clock.now_ms()
        return late_server(self.late.late_ms(now), self.late.page_ms(now))


@pytest.fixture
def loop(machine: Machine) -> Loop:
    return Loop(machine)


def test_a_loop_that_starts_is_not_late():
    assert Lateness().beat(0, Silence(0, 0), 0) == Beat(0, 0)


def test_a_loop_that_was_blocked_is_an_alarm_for_a_minute(loop):
    loop.comes_by(1.0, times=8)  # plays went on
    assert loop.alarms() == []
    loop.comes_by(4.45)  # 0.25 s after the last one would have been on time
    expected = ["The server was 4.2 s late in the last minute: pages and decisions are delayed"]
    assert loop.alarms() == expected
    loop.comes_by(2.0)
    assert loop.alarms() == expected
    loop.comes_by(0.25, times=4 * 58)
    assert loop.alarms() == expected
    loop.comes_by(0.25)
    [later] = loop.alarms()
    assert later.startswith("The server was 1.8 s late")
    loop.comes_by(0.25, times=8)
    assert loop.alarms() == []


def test_a_loop_that_is_still_blocked_is_an_alarm_too(loop):
    loop.machine.passes(1.0)
    assert loop.alarms() == []
    loop.machine.passes(2.25)
    [alarm] = loop.alarms()
    assert alarm.startswith("The server was 3.0 s late")


def test_waiting_writes_also_count_as_lateness(loop):
    loop.behind = 0.9
    assert loop.comes_by(0.25, times=2)[-1] == Beat(900, 0)
    loop.behind = 3.0
    assert loop.comes_by(0.25)[-1] == Beat(3000, 0)  # plays stop from here on
    loop.behind = 0.0
    assert loop.comes_by(0.25)[-1] == Beat(3000, 250)
    assert loop.comes_by(0.25)[-1] == Beat(0, 0)
    [alarm] = loop.alarms()
    assert alarm.startswith("The server was 3.0 s late")


def test_a_spell_of_lateness_ends_once_the_server_has_been_on_time_for_a_while(loop):
    beats = loop.comes_by(2.0, times=3) + loop.comes_by(0.25, times=20) + loop.comes_by(3.0)
    assert [beat.stood_ms for beat in beats if beat.stood_ms] == [1000, 1000, 1000, 2000]
    assert not any(beat.ends for beat in beats)
    calm = CALM_MS // 250
    ends = [beat.ends for beat in loop.comes_by(0.25, times=3 * calm)]
    assert [number for number, end in enumerate(ends, 1) if end] == [calm]


def test_a_spell_is_cut_after_a_minute_but_not_while_nothing_can_be_saved(loop):
    beats = loop.comes_by(2.0, times=2 * SPELL_MS // 2000)
    assert [number for number, beat in enumerate(beats) if beat.ends] == [SPELL_MS // 2000]
    loop.behind = 100.0
    assert not any(beat.ends for beat in loop.comes_by(0.25, times=4 * 200))
    loop.behind = 0.0
    assert loop.comes_by(0.25)[0].ends


def test_a_page_that_people_wait_for_is_an_alarm_for_a_minute(loop):
    first, second = loop.late.ask(clock.now_ms()), loop.late.ask(clock.now_ms())
    loop.comes_by(0.25, times=PAGE_MS // 250)
    loop.late.answer(first, clock.now_ms())
    assert loop.alarms() == []
    loop.comes_by(0.25, times=4)
    expected = [
        "A participant waited 6.0 s for a page in the last minute: do not admit anybody else"
    ]
    assert loop.alarms() == expected  # and is still waiting
    loop.late.answer(second, clock.now_ms())
    loop.comes_by(0.25, times=4 * 60)
    assert loop.alarms() == expected
    loop.comes_by(0.25)
    assert loop.alarms() == []


def test_the_state_of_play_has_both_in_seconds(loop):
    loop.late.ask(clock.now_ms())
    loop.comes_by(28.7)
    assert late_lines(loop.late, clock.now_ms()) == [
        "longest delay in the last minute: 28.4 s",
        "longest wait for a page in the last minute: 28.7 s",
    ]


# -- at a table -----------------------------------------------------------------------------------


def played(late: bool) -> Room:
    """Play a game in which the server is late in the first period and then on time for a while."""
    clock = Clock()
    room = Room(clock, shift_ms=70)
    room.begin()
    for second in range(1, 21):
        clock.now = second * SECOND
        if late and second in (3, 5):
            room.table.hold_up(Beat(second * SECOND, 2 * SECOND))
        if late and second in (15, 16):
            room.table.write_late()
        room.say(0, "alive")
        if second == 4:
            room.act(0, "a")
            room.act(2, "b")
        room.table.wake()
    room.table.settle()
    room.paper.save()
    return room


def events(room: Room) -> list[dict[str, object]]:
    return [entry_of(row) for row in room.paper.rows if row.kind == "event"]


def test_a_spell_of_lateness_is_one_event_of_the_journal():
    # from one second before the heartbeat at 3 s, when the play may last have been running, to 15 s
    seconds = {"late_s": 5.0, "stood_s": 4.0, "for_s": 13.0}
    entry = {"kind": "event", "at_ms": 15 * SECOND + 70, "period": 1, "event": "late"}
    assert events(played(late=True)) == [{**entry, **seconds}]
    assert events(played(late=False)) == []


def test_lateness_does_not_change_a_play_even_after_a_restart():
    late, other = played(late=True), played(late=False)

    def shown(table: Table) -> dict[str, object]:
        table.advance(20 * SECOND + 70)
        saved = json.loads(table.to_json())
        del saved["entries"]
        return saved

    wanted = shown(other.table.table)
    assert [shown(table) for table in (late.table.table, late.stored(), other.stored())] == [
        wanted
    ] * 3
    # also from a snapshot taken before it
    rows = [entry_of(row) for row in (*late.first, *late.paper.rows)]
    place = next(index for index, entry in enumerate(rows) if entry.get("event") == "late")
    before = rebuilt(late.setup, rows[:place])
    assert before.rows == []
    again = rebuilt(late.setup, rows[place:], before.to_json())
    assert shown(again) == wanted


def test_a_play_that_ended_while_the_server_was_late_says_so_and_stays_open_until_then():
    clock = Clock()
    room = Room(clock, decision_seconds=1.0, bot_delay="instant", grace_seconds=600.0)
    room.begin()
    room.table.hold_up(Beat(2000, 1000))
    while not room.table.table.over:
        clock.now += SECOND
        room.table.wake()
    for seat, page in room.pages.items():
        room.table.leave(seat, page)
    room.paper.save()
    assert not room.table.idle
    room.table.write_late()
    room.paper.save()
    assert [event["event"] for event in events(room)] == ["ending", "late"]
    assert room.stored().over
    assert room.table.idle
    room.table.hold_up(Beat(2000, 1000))  # the play is over
    room.table.write_late()
    assert room.table.idle


def test_a_table_that_the_server_has_given_up_writes_nothing():
    room = Room(Clock())
    room.begin()
    room.table.hold_up(Beat(2000, 1000))
    room.table.close()
    room.table.write_late()
    assert room.paper.waiting == []


def test_a_play_that_was_paused_meanwhile_can_be_rebuilt():
    clock = Clock()
    room = Room(clock)
    room.begin()
    clock.now = 5 * SECOND
    room.table.manage(Directive("pause", "a"))
    room.table.hold_up(Beat(2000, 1000))
    clock.now = 20 * SECOND
    room.table.write_late()
    room.table.manage(Directive("go_on", "b"))
    room.paper.save()
    assert [(event["event"], event["at_ms"]) for event in events(room)] == [
        ("paused", 5 * SECOND),
        ("late", 5 * SECOND),
        ("resumed", 5 * SECOND),
    ]
    assert room.stored().stood_ms == 15 * SECOND
