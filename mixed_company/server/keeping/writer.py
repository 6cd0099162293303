"""The one writer: what tables and lobbies write goes into the database, all that has gathered.

It has a thread and a connection of its own, so that nobody waits for oTree's lock, and no table for
another one. What a table writes is a `Batch`, a lobby a `LobbyBatch`; when its transaction is
committed, `saved` is called, and only then is anything acknowledged. While the database does not
take it, the writer tries again, for as long as it takes; `trouble` says since when, and why. A
commit of which nobody knows whether it took place is looked up before it is repeated: the
entries of a table and the groups of a lobby are numbered.

What takes place at a table or in a lobby is never committed before the clock that dates it
(`Dating`). About once a second the writer does what else the database is owed (`Keep`): clocks,
and SQLite's log.

Where the database is in memory (`otree devserver`) there is one connection for all, and no thread.
"""

from __future__ import annotations

import logging
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from mixed_company.server.keeping.storage import Row

__all__ = [
    "KEEP_SECONDS",
    "AnyBatch",
    "Batch",
    "Dating",
    "Keep",
    "LobbyBatch",
    "NewGroup",
    "Outcome",
    "Standing",
    "Trouble",
    "Writer",
]

RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0)
"""How long to wait before the next attempt; the last one goes on."""

KEEP_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Dating(Protocol):
    """A clock of plays, of which the database is to know (`server.play_clock.PlayClock`)."""

    @property
    def is_dated(self) -> bool:
        """Does the database know what the machine's clock shows beside it?"""

    def keep(self, connection: Any) -> Callable[[], None]:
        """Write down how far it has come, in a transaction; to be called when that is committed."""


@dataclass(frozen=True)
class Outcome:
    """What a person gets when the play is over for the seat: points, points paid, how it ended; the
    share of the game's periods in which he or she had the seat; and points won by answers."""

    player_id: int
    points: float
    paid: float
    status: str
    played_share: float
    question_points: float = 0.0


@dataclass(frozen=True)
class Batch:
    """What one table has written at once.

    first      the number of its first entry in the table's journal, from 0
    snapshot   the table as it then is, where one is due
    saved      called when it is committed: with False, when its group is not there any more, or
               cannot be saved
    clock      what its entries are dated by; None: nobody asks what time of day it was
    """

    app: str
    group_id: int
    first: int
    rows: Sequence[Row]
    snapshot: str | None
    outcomes: Sequence[Outcome]
    saved: Callable[[bool], None]
    clock: Dating | None = None


@dataclass(frozen=True)
class Standing:
    """How a person who has no seat stands from now on.

    before   one of these was the person's status; where it was not, nothing is written
    values   column of the player -> value
    waited   until when the person has waited in the lobby, milliseconds; None: it is not over
    """

    player_id: int
    before: tuple[str, ...]
    values: Mapping[str, Any]
    waited: int | None = None


@dataclass(frozen=True)
class NewGroup:
    """A group that was formed.

    number     of the session's groups, from 1
    seats      player id -> seat, in the order of the seats
    rows       the first of its table's journal
    shift_ms   what its table is ahead of the session's clock
    at_ms      when
    own        the columns in which it differs from other groups
    """

    number: int
    seats: Mapping[int, int]
    rows: Sequence[Row]
    shift_ms: int
    at_ms: int
    own: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LobbyBatch:
    """What one lobby has written at once: all of it is committed, or nothing.

    group    the columns that its groups have in common
    saved    called when it is committed: with False, when the session is not there any more or
             stands otherwise than the lobby knows
    clock    what its groups' journals are dated by; None: nobody asks what time of day it was
    """

    app: str
    subsession_id: int
    group: Mapping[str, Any]
    standings: Sequence[Standing]
    groups: Sequence[NewGroup]
    saved: Callable[[bool], None]
    clock: Dating | None = None


@dataclass(frozen=True)
class Trouble:
    """Since when (`time.monotonic`) nothing could be saved, and why."""

    since: float
    reason: str


AnyBatch = Batch | LobbyBatch

Commit = Callable[[Sequence[AnyBatch], bool], Sequence[AnyBatch]]
"""Writes batches in one transaction, after a failure looking up first what is there (`again`);
gives those back whose group or session has been deleted. Raises whatever the database raises."""

Keep = Callable[[bool], None]
"""Does what is owed besides; True: nothing has been written for a while."""


class Writer:
    """Writes batches in the order in which they come.

    wake   called in the writer's thread when something was committed; somebody then calls `deliver`
    """

    def __init__(
        self, commit: Commit, threaded: bool = True, keep: Keep = lambda idle: None
    ) -> None:
        self._commit = commit
        self._keep, self._kept = keep, -math.inf
        self._threaded = threaded
        self._change = threading.Condition()
        self._gathered: list[AnyBatch] = []
        self._committed: deque[tuple[AnyBatch, bool]] = deque()
        self._open = 0
        self._since = self._gathered_since = math.inf
        self._thread: threading.Thread | None = None
        self.trouble: Trouble | None = None
        self.wake: Callable[[], object] = lambda: None

    def put(self, batch: AnyBatch) -> None:
        """Have it written."""
        if not self._threaded:
            gone = self._commit([batch], False)
            batch.saved(batch not in gone)
            self._keep_up(idle=False)
            return
        self.begin()
        with self._change:
            if not self._gathered:
                self._gathered_since = time.monotonic()
                self._since = min(self._since, self._gathered_since)
            self._gathered.append(batch)
            self._open += 1
            self._change.notify_all()

    def begin(self) -> None:
        """Start its thread, if it has one and that does not run yet."""
        if self._threaded and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
            self._thread.start()

    def behind(self) -> float:
        """For how many seconds what waits longest has waited to be committed."""
        return max(time.monotonic() - self._since, 0.0)

    def deliver(self) -> None:
        """Tell those whose batches are committed, in the thread that they live in."""
        while self._committed:
            batch, there = self._committed.popleft()
            batch.saved(there)

    def flush(self, seconds: float) -> bool:
        """Wait until all is committed, and deliver. False if that takes longer."""
        with self._change:
            done = self._change.wait_for(lambda: self._open == 0, seconds)
        self.deliver()
        return done

    def _run(self) -> None:
        while True:
            with self._change:
                self._change.wait_for(lambda: self._gathered, KEEP_SECONDS)
                batches, self._gathered = self._gathered, []
            gone = self._written(batches) if batches else ()
            self._keep_up(idle=not batches)
            if batches:
                self._report(batches, gone)

    def _report(self, batches: Sequence[AnyBatch], gone: Sequence[AnyBatch]) -> None:
        with self._change:
            self._committed.extend((batch, batch not in gone) for batch in batches)
            self._open -= len(batches)
            self._since = self._gathered_since if self._open else math.inf
            self._change.notify_all()
        self.wake()

    def _keep_up(self, idle: bool) -> None:
        """What fails here is tried again in a second; nothing waits for it."""
        now = time.monotonic()
        if now - self._kept < KEEP_SECONDS:
            return
        self._kept = now
        try:
            self._keep(idle)
        except Exception as error:  # noqa: BLE001  a database that takes nothing is said by batches
            _log.warning("clocks cannot be saved, trying again: %s", _reason(error))

    def _written(self, batches: Sequence[AnyBatch]) -> Sequence[AnyBatch]:
        """Commit, however long it takes."""
        attempt = 0
        while True:
            try:
                gone = self._commit(batches, attempt > 0)
            except Exception as error:  # noqa: BLE001  whatever a database raises, people wait
                self._fail(error, attempt)
                time.sleep(RETRY_SECONDS[min(attempt, len(RETRY_SECONDS) - 1)])
                attempt += 1
            else:
                if self.trouble is not None:
                    lasted = time.monotonic() - self.trouble.since
                    _log.warning("saving again, after %.1f s", lasted)
                self.trouble = None
                return gone

    def _fail(self, error: Exception, attempt: int) -> None:
        reason = _reason(error)
        since = time.monotonic() if self.trouble is None else self.trouble.since
        if self.trouble is None or self.trouble.reason != reason:
            _log.error("nothing can be saved, trying again: %s", reason)
        self.trouble = Trouble(since, reason)


def _reason(error: Exception) -> str:
    return str(getattr(error, "orig", error)).strip().split("\n")[0]
