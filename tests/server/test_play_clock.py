"""The clock of a session's plays continues where it stopped, no matter what the machine's clock
says."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy

from mixed_company.server import clock, play_clock
from mixed_company.server.keeping.writer import Writer
from mixed_company.server.open.tables import OpenTables
from mixed_company.server.play_clock import PlayClock, Stretch, wall_times
from tests.server.test_clock import SECOND, machine

__all__ = ["machine"]  # a fixture

DAY = 1_750_000_000 * SECOND


@pytest.fixture
def connection() -> Any:
    """Yield a connection to a database with oTree's session table."""
    import otree.models  # noqa: F401  declares the table of sessions

    engine = sqlalchemy.create_engine("sqlite://")
    play_clock._TABLE.create(engine)
    with engine.connect() as opened:
        yield opened


def kept(connection: Any) -> list[tuple[int, int, int]]:
    columns = [play_clock._TABLE.c.from_ms, play_clock._TABLE.c.to_ms, play_clock._TABLE.c.wall_ms]
    return [tuple(row) for row in connection.execute(sqlalchemy.select(columns))]


def test_the_clock_is_recorded_as_one_stretch_that_grows(machine, connection):
    session_clock = PlayClock(7)
    for _ in range(5):
        machine.passes(1)
        session_clock.keep(connection)
    assert session_clock.now_ms() == 5 * SECOND
    assert kept(connection) == [(0, 5 * SECOND, DAY)]


@pytest.mark.parametrize("seconds", [-60, 3600])
def test_a_new_stretch_begins_when_the_machine_s_clock_was_set(machine, connection, seconds):
    session_clock = PlayClock(7)
    machine.passes(4)
    session_clock.keep(connection)
    machine.day += seconds
    machine.passes(1)
    session_clock.keep(connection)
    assert session_clock.now_ms() == 5 * SECOND
    assert kept(connection) == [
        (0, 4 * SECOND, DAY),
        (5 * SECOND, 5 * SECOND, DAY + (5 + seconds) * SECOND),
    ]


def test_after_a_start_the_clock_waits_for_people_and_continues_where_it_was(machine, connection):
    session_clock = PlayClock(7, from_ms=60 * SECOND, wait_ms=10 * SECOND)
    machine.passes(8)
    session_clock.keep(connection)
    assert session_clock.now_ms() == 60 * SECOND
    machine.passes(5)
    session_clock.keep(connection)
    assert session_clock.now_ms() == 63 * SECOND
    assert kept(connection) == [(60 * SECOND, 63 * SECOND, DAY + 10 * SECOND)]


def test_the_clock_is_never_behind_a_journal_and_never_goes_back(machine):
    session_clock = PlayClock(7, from_ms=60 * SECOND)
    session_clock.reach(60 * SECOND + 400)
    assert session_clock.now_ms() == 60 * SECOND + 400
    session_clock.reach(30 * SECOND)
    machine.passes(1)
    assert session_clock.now_ms() == 61 * SECOND + 400


def test_a_person_who_returns_has_the_whole_wait_even_if_the_journal_is_ahead(machine):
    session_clock = PlayClock(7, from_ms=60 * SECOND, wait_ms=10 * SECOND)
    machine.passes(4)
    session_clock.reach(60 * SECOND + 400)
    machine.passes(5.5)
    assert session_clock.now_ms() == 60 * SECOND + 400
    machine.passes(1.5)
    assert session_clock.now_ms() == 61 * SECOND + 400


def test_an_uncommitted_row_is_written_again(machine, connection):
    session_clock = PlayClock(7)
    transaction = connection.begin()
    session_clock.keep(connection)
    transaction.rollback()
    machine.passes(1)
    session_clock.keep(connection)
    assert kept(connection) == [(0, SECOND, DAY)]


def test_no_clock_writes_into_the_row_of_another_session(machine, connection):
    """Guard against SQLite, which may give the number of an uncommitted row to another session."""
    first, second = PlayClock(7), PlayClock(8)
    transaction = connection.begin()
    first.keep(connection)
    transaction.rollback()
    second.keep(connection)
    machine.passes(1)
    first.keep(connection)
    second.keep(connection)
    sessions = connection.execute(sqlalchemy.select([play_clock._TABLE.c.session_id]))
    assert sorted(row[0] for row in sessions) == [7, 8]


class Loop:
    """Loop whose calls a test makes."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], None]]] = []

    def call_soon_threadsafe(self, function: Callable[[], None]) -> None:
        function()

    def call_later(self, seconds: float, function: Callable[[], None]) -> None:
        self.calls.append((seconds, function))

    def beat(self) -> None:
        [function] = [call for seconds, call in self.calls if seconds == clock.BEAT_SECONDS]
        self.calls.clear()
        function()


def test_plays_stand_still_while_nothing_can_be_saved_for_more_than_a_second(machine):
    """Stop the clock, so people get back the time during which their play is paused."""
    writer, loop = Writer(lambda *_: [], threaded=False), Loop()
    rooms = OpenTables(lambda: writer)
    rooms.live(loop)
    session_clock = PlayClock(7)
    for seconds in (0.5, 1.5, 30.0, 30.0, 0.0):
        writer._since = time.monotonic() - seconds
        machine.passes(0.25)
        loop.beat()
    # time before the first heartbeat that found more than a second, and after the last one
    assert session_clock.now_ms() == 500
    machine.passes(0.25)
    assert session_clock.now_ms() == 750


def test_the_time_of_the_machine_s_clock_follows_from_the_stretches():
    """Serve for 100 s, be down for 150 s and serve again, with the clock set back a minute at 130
    s.

    The table began 1,000 s before its session's clock: 20 s on the table are 1,020 s on the clock.
    """
    past = [
        Stretch(0, 1_100_000, DAY),
        Stretch(1_100_000, 1_130_000, DAY + 1_250_000),
        Stretch(1_130_000, 1_200_000, DAY + 1_220_000),
    ]
    wall_at = wall_times(past, -1_000_000)
    assert wall_at(20_000) == DAY + 1_020_000
    assert wall_at(99_999) == DAY + 1_099_999
    assert wall_at(100_000) == DAY + 1_250_000
    assert wall_at(129_000) == DAY + 1_279_000
    assert wall_at(131_000) == DAY + 1_221_000
    assert wall_times([], 0)(5) is None


def test_the_stretches_of_a_session_are_its_own_in_their_order(machine, connection, monkeypatch):
    session = SimpleNamespace(db=SimpleNamespace(_db=connection))
    monkeypatch.setattr(play_clock, "database", session)
    monkeypatch.setattr(play_clock, "_clocks", {})
    first, second = PlayClock(7), PlayClock(8, from_ms=500)
    machine.passes(1)
    second.keep(connection)
    first.keep(connection)
    machine.day += 60
    machine.passes(1)
    first.keep(connection)
    assert play_clock.stretches(7) == [
        Stretch(0, SECOND, DAY),
        Stretch(2 * SECOND, 2 * SECOND, DAY + 62 * SECOND),
    ]
    assert play_clock.stretches(8) == [Stretch(500, 500 + SECOND, DAY)]
    assert play_clock.stretches(9) == []
    fresh, again = play_clock.clock_of(9), play_clock.clock_of(7, wait_ms=2000)
    machine.passes(3)
    assert (fresh.session_id, fresh.now_ms()) == (9, 3 * SECOND)
    assert again.now_ms() == 2 * SECOND + play_clock.LAST_MS + SECOND


def test_a_stretch_is_dated_only_when_its_row_is_committed(machine, connection):
    session_clock = PlayClock(7)
    assert not session_clock.is_dated
    committed = session_clock.keep(connection)
    assert not session_clock.is_dated
    committed()
    session_clock.reach(session_clock.now_ms())  # it has already reached this time
    assert session_clock.is_dated
    machine.day += 60
    committed = session_clock.keep(connection)
    assert not session_clock.is_dated
    committed()
    assert session_clock.is_dated


def test_a_clock_that_still_waits_keeps_its_stretch_whatever_the_machine_s_clock_says(
    machine, connection
):
    session_clock = PlayClock(7, wait_ms=10 * SECOND)
    session_clock.keep(connection)
    machine.passes(1)
    session_clock.keep(connection)
    assert kept(connection) == [(0, 0, DAY + 10 * SECOND)]
