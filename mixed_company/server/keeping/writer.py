"""Writer of this process: commits all queued batches of tables and lobbies together.

The writer has its own thread and connection, so nobody waits for oTree's lock, and no table waits
for another. A table writes a `Batch`, and a lobby writes a `LobbyBatch`. Nothing is acknowledged
until its transaction is committed and `saved` is called. If the database is unreachable, the writer
retries until it succeeds; `trouble` says when the failure began, and why. A batch that the database
rejects is dropped and logged, as are later batches that continue it, and `saved` is called with
False. If the outcome of a commit is unknown, the writer determines it before it retries, from the
numbers of a table's entries and a lobby's groups.

Events at a table or in a lobby are never committed before the clock that dates them (`Dating`).
About once a second, the writer performs its other duties (`Keep`): it saves clocks, and checkpoints
SQLite's log.

If the database is in memory (`otree devserver`), there is only one connection, and the writer has
no thread.
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

RETRY_SECONDS = (0.05, 0.1, 0.25, 0.5, 1.0)
"""Pauses before each retry; the last pause repeats."""

KEEP_SECONDS = 1.0

_log = logging.getLogger(__name__)


class Dating(Protocol):
    """Clock that times plays and must be saved (`server.play_clock.PlayClock`)."""

    @property
    def is_dated(self) -> bool:
        """True if the machine's time is in the database for this clock."""

    def keep(self, connection: Any) -> Callable[[], None]:
        """Save the clock's progress; return a function to call after the commit."""


@dataclass(frozen=True)
class Outcome:
    """Result for a person who is done: points, paid points, status, share of the periods in which
    the person had the seat, and points earned for answers.
    """

    player_id: int
    points: float
    paid: float
    status: str
    played_share: float
    question_points: float = 0.0


@dataclass(frozen=True)
class Batch:
    """Entries that one table writes together.

    first      number of its first entry in the table's journal, counted from 0
    snapshot   the table after these entries, if a snapshot is due
    saved      called after the commit: with False if its group was deleted or it cannot be saved
    clock      clock that dates the entries; None if the time of day does not matter
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
    """New status of a person without a seat.

    before   statuses, one of which the person must have; otherwise nothing is written
    values   column of the player -> value
    waited   when the wait in the lobby ended, milliseconds; None if the person is still waiting
    """

    player_id: int
    before: tuple[str, ...]
    values: Mapping[str, Any]
    waited: int | None = None


@dataclass(frozen=True)
class NewGroup:
    """Newly formed group.

    number     number of the group in the session, counted from 1
    seats      player id -> seat, in the order of the seats
    rows       the first rows of its table's journal
    shift_ms   how far the group's table is ahead of the session's clock
    at_ms      time at which the group was formed
    columns    values of columns that differ between groups
    """

    number: int
    seats: Mapping[int, int]
    rows: Sequence[Row]
    shift_ms: int
    at_ms: int
    columns: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class LobbyBatch:
    """Changes that a lobby writes together; either all of them are committed or none are.

    group    columns that all its groups have in common
    saved    called after the commit: with False if the session was deleted or has changed
    clock    clock that dates the groups' journals; None if the time of day does not matter
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
    """Failure of the database: when it began (`time.monotonic`), and the reason."""

    since: float
    reason: str


AnyBatch = Batch | LobbyBatch

Commit = Callable[[Sequence[AnyBatch], bool], Sequence[AnyBatch]]
"""Function that writes batches in one transaction; on a retry (`again`), it writes only the batches
that are missing. It returns the batches that the database rejects, for example because their
session was deleted, and raises errors that concern all batches.
"""

Keep = Callable[[bool], None]
"""Function for the writer's other duties; its argument is True if nothing has been written for a
while.
"""


class Writer:
    """Writes batches in the order of arrival.

    wake   called in the writer's thread after a commit; it must schedule a call to `deliver`
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
        """Queue a batch for writing."""
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
        """Start the writer's thread, unless it has none or the thread is already running."""
        if self._threaded and self._thread is None:
            self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
            self._thread.start()

    def behind(self) -> float:
        """Return the age of the oldest uncommitted batch, in seconds."""
        return max(time.monotonic() - self._since, 0.0)

    def deliver(self) -> None:
        """Report committed batches to their owners, in the owners' thread."""
        while self._committed:
            batch, exists = self._committed.popleft()
            batch.saved(exists)

    def flush(self, seconds: float) -> bool:
        """Wait until all batches are committed, and report them. Return False on a timeout."""
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
        """Perform the other duties; after a failure, retry a second later."""
        now = time.monotonic()
        if now - self._kept < KEEP_SECONDS:
            return
        self._kept = now
        try:
            self._keep(idle)
        except Exception as error:  # noqa: BLE001  a failing database is reported by the batches
            _log.warning("clocks cannot be saved, trying again: %s", _reason(error))

    def _written(self, batches: Sequence[AnyBatch]) -> Sequence[AnyBatch]:
        """Commit the batches, no matter how long it takes; return those that the database
        rejects.
        """
        attempt = 0
        while True:
            try:
                gone = self._commit(batches, attempt > 0)
            except Exception as error:  # noqa: BLE001 people are waiting, whatever the database raises
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
