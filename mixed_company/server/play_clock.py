"""Clock for a session's plays, which runs only while a server is serving them.

This clock times people's deadlines and absences. So nobody counts as absent while the server is
down (killed, restarting, asleep, unable to save), and setting the machine's clock does no harm. The
clock starts at 0 when the first person reaches the lobby; a table adds a shift, so its own time
begins at the time of day (`Group.shift_ms`).

The database stores stretches: intervals in which the clock ran, each with the machine's time at its
start. The last stretch is updated about once a second, and the next server continues from its end.
From the stretches, the time on the machine's clock can be computed for any time of a play
(`wall_times`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from otree import database
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, Table, select

from mixed_company.server import clock
from mixed_company.server.keeping.writer import KEEP_SECONDS

RETURN_MS = 10_000
"""Time for which unfinished plays stay paused after a restart. The pause is needed because pages
retry only every ten seconds.
"""

LAST_MS = round(1000 * KEEP_SECONDS)
"""Maximum time since the last save, and therefore the most time that people can lose in a crash."""

APART_MS = 1000
"""Deviation from the machine's clock at which a stretch ends. Either the machine's clock was set,
or the server served nobody for some time.
"""

_TABLE = Table(
    "mixed_stretch",
    database.AnyModel.metadata,
    Column("id", Integer, primary_key=True),
    Column("session_id", Integer, ForeignKey("otree_session.id", ondelete="CASCADE"), index=True),
    Column("from_ms", BigInteger),
    Column("to_ms", BigInteger),
    Column("wall_ms", BigInteger),
)


@dataclass(frozen=True)
class Stretch:
    """Interval in which the clock ran, from `from_ms`, when the machine's clock showed `wall_ms`,
    to `to_ms`.
    """

    from_ms: int
    to_ms: int
    wall_ms: int

    def wall_at(self, at_ms: int) -> int:
        """Return the time on the machine's clock at a time within the stretch."""
        return self.wall_ms + at_ms - self.from_ms


class PlayClock:
    """Clock of one session's plays; it starts at `from_ms`, after `wait_ms`."""

    def __init__(self, session_id: int, from_ms: int = 0, wait_ms: int = 0) -> None:
        self.session_id = session_id
        self._latest_ms = from_ms
        self._row: tuple[Stretch, int] | None = (
            None  # the last stretch that was saved, and the number of its row
        )
        self._dated: Stretch | None = None
        self._go_on(from_ms, wait_ms)

    def _go_on(self, from_ms: int, wait_ms: int = 0) -> None:
        self._since = (from_ms, clock.served_ms() + wait_ms)
        self._stretch = Stretch(from_ms, from_ms, clock.wall_ms() + wait_ms)

    def now_ms(self) -> int:
        """Return how many milliseconds the session's plays have been served. It
        never goes backwards.
        """
        from_ms, served_ms = self._since
        now = from_ms + max(clock.served_ms() - served_ms, 0)
        self._latest_ms = max(self._latest_ms, now)
        return self._latest_ms

    def reach(self, at_ms: int) -> None:
        """Advance the clock to a time that is already in a journal."""
        if at_ms > self.now_ms():
            self._go_on(at_ms, self._waits_ms)

    @property
    def _waits_ms(self) -> int:
        return max(self._since[1] - clock.served_ms(), 0)

    @property
    def is_dated(self) -> bool:
        """True if the current stretch is in the database."""
        return self._dated is self._stretch

    def keep(self, connection: Any) -> Callable[[], None]:
        """Save the clock's progress in a transaction; return a function to call after the commit.

        Runs in the writer's thread; a stretch that another thread begins at the same time is not
        included.
        """
        now = self.now_ms()
        apart = clock.wall_ms() - self._stretch.wall_at(now)
        if abs(apart) > APART_MS and not self._waits_ms:
            self._stretch = Stretch(now, now, clock.wall_ms())
        stretch = self._stretch
        self._write(connection, stretch, {**vars(stretch), "to_ms": now})
        return partial(setattr, self, "_dated", stretch)

    def _write(self, connection: Any, stretch: Stretch, values: dict[str, int]) -> None:
        if self._row is not None and self._row[0] is stretch:
            is_row = (_TABLE.c.id == self._row[1]) & (_TABLE.c.session_id == self.session_id)
            change = _TABLE.update().where(is_row).values(**values)
            if connection.execute(change).rowcount:
                return  # otherwise the row was never committed
        new = _TABLE.insert().values(session_id=self.session_id, **values)
        [number] = connection.execute(new).inserted_primary_key
        self._row = stretch, number


_clocks: dict[int, PlayClock] = {}


def clock_of(session_id: int, wait_ms: int = 0) -> PlayClock:
    """Return a session's clock. On first use, it pauses for `wait_ms` and then continues from where
    it stopped.
    """
    if session_id not in _clocks:
        past = stretches(session_id)
        from_ms = past[-1].to_ms + LAST_MS if past else 0
        _clocks.setdefault(session_id, PlayClock(session_id, from_ms, wait_ms))
    return _clocks[session_id]


def stretches(session_id: int) -> list[Stretch]:
    """Return a session's stretches, in order, from the database."""
    columns = [_TABLE.c.from_ms, _TABLE.c.to_ms, _TABLE.c.wall_ms]
    wanted = select(columns).where(_TABLE.c.session_id == session_id).order_by(_TABLE.c.id)
    return [Stretch(*map(int, row)) for row in database.db._db.execute(wanted)]


def wall_times(past: Sequence[Stretch], shift_ms: int) -> Callable[[int], int | None]:
    """Return a function that converts a table's time to the machine's clock, or None if that is
    unknown.

    `shift_ms` is how far the table is ahead of the session's clock.
    """
    begins = [stretch.from_ms for stretch in past]

    def wall_at(at_ms: int) -> int | None:
        if not past:
            return None
        place = bisect_right(begins, at_ms - shift_ms) - 1
        return past[max(place, 0)].wall_at(at_ms - shift_ms)

    return wall_at
