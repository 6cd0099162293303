"""Saves batches: the writer's own connection and the SQL statements that save tables.

Acknowledged data is on disk: SQLite syncs at every commit of this connection (`FULL`), which
includes earlier commits of other connections. PostgreSQL syncs at every commit too. SQLite's log is
copied into the database file after a second without writes, or at least every CHECKPOINT_SECONDS.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import groupby
from typing import Any

from otree import database
from otree.common import get_models_module
from otree.currency import Currency
from otree.models import Participant
from sqlalchemy import bindparam, create_engine, event, func, select
from sqlalchemy.exc import DataError, IntegrityError
from sqlalchemy.pool import NullPool

from mixed_company.server.keeping.saving_lobby import Overtaken, write_lobby
from mixed_company.server.keeping.saving_rows import insert_rows
from mixed_company.server.keeping.writer import AnyBatch, Batch, Dating, LobbyBatch, Outcome, Writer
from mixed_company.server.play_clock import PlayClock

LOCKED_SECONDS = 5
"""Time that SQLite waits for another transaction before the writer retries."""

PATIENCE, PATIENCE_SECONDS = "patience", 60.0
"""Connection attribute for the maximum time to wait for PostgreSQL, and its value for connections
in other threads.
"""

CHECKPOINT_SECONDS = 30.0

_PRAGMAS = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "wal_autocheckpoint=4000")

_ITS_OWN = (
    *(IntegrityError, Overtaken, DataError),
    *(ArithmeticError, LookupError, TypeError, ValueError),
)
"""Errors caused by a single batch; only that batch is rejected, and the others are saved."""

_log = logging.getLogger(__name__)

Clocks = Callable[[], Iterable[PlayClock]]


def writer(clocks: Clocks) -> Writer:
    """Return the writer of this process; it also saves the clocks of unfinished plays."""
    connection = _Connection(database.engine if database.IN_MEMORY else own_engine(), clocks)
    return Writer(connection.commit, not database.IN_MEMORY, connection.keep)


def own_engine(locked_seconds: float = LOCKED_SECONDS) -> Any:
    """Return an engine separate from oTree's, for a database that is not in memory.

    `locked_seconds` is how long to wait while another connection writes to SQLite.
    """
    url = database.engine.url
    if url.get_backend_name() != "sqlite":
        return create_engine(url, poolclass=NullPool, connect_args=_patient())

    def connect() -> sqlite3.Connection:
        return sqlite3.connect(database.DB_FILE, timeout=locked_seconds, check_same_thread=False)

    engine = create_engine("sqlite://", creator=connect, poolclass=NullPool)

    @event.listens_for(engine, "connect")
    def _settle(connection: Any, _record: Any) -> None:
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}")

    return engine


def _patient() -> dict[str, Any]:
    """Return the arguments for PostgreSQL connections that wait without blocking the server."""
    from psycopg2 import extensions  # installed wherever PostgreSQL is used

    class Patient(extensions.connection):
        """Connection that waits a long time for a response."""

    setattr(Patient, PATIENCE, PATIENCE_SECONDS)
    return {"connect_timeout": 5, "connection_factory": Patient}


class _Connection:
    """The writer's connection, which is opened on demand and reopened after every failure."""

    def __init__(self, engine: Any, clocks: Clocks = tuple) -> None:
        self._engine = engine
        self._clocks = clocks
        self._connection: Any = None
        self._checkpoint = time.monotonic()
        self._rejected: set[tuple[str, int]] = set()  # tables with a batch that was rejected

    def commit(self, batches: Sequence[AnyBatch], again: bool) -> Sequence[AnyBatch]:
        """Write batches in one transaction (`server.keeping.writer.Commit`)."""
        for clock in dict.fromkeys(batch.clock for batch in batches):
            if clock is not None and not clock.is_dated:
                self._keep(clock)
        try:
            with self._transaction() as connection:
                self._check_gaps(connection, batches)
                _write(connection, batches, again)
        except _ITS_OWN as error:
            if len(batches) == 1:
                _log_fault(error)
                self._rejected.update(_tables(batches))
                return batches
            rejected = [self.commit([batch], again) for batch in batches]
            return [batch for part in rejected for batch in part]
        return []

    def _check_gaps(self, connection: Any, batches: Sequence[AnyBatch]) -> None:
        """Raise LookupError if a batch continues a journal whose last entries were rejected.

        A journal without any entries belongs to a deleted session, which the database notices.
        """
        for table, batch in _tables(batches).items():
            if table in self._rejected and 0 < _entries(connection, batch) < batch.first:
                raise LookupError(f"group {batch.group_id}: the entries before it were rejected")

    def keep(self, idle: bool) -> None:
        """Save the clocks, and checkpoint SQLite's log (`writer.Keep`)."""
        for clock in self._clocks():
            self._keep(clock)
        late = time.monotonic() - self._checkpoint > CHECKPOINT_SECONDS
        if self._engine.name == "sqlite" and not database.IN_MEMORY and (idle or late):
            with self._connected() as connection:
                # PASSIVE does not wait for other connections
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self._checkpoint = time.monotonic()

    def _keep(self, clock: Dating) -> None:
        with suppress(IntegrityError):  # the play's session may have been deleted
            with self._transaction() as connection:
                committed = clock.keep(connection)
            committed()

    @contextmanager
    def _connected(self) -> Iterator[Any]:
        try:
            if self._connection is None:
                self._connection = self._engine.connect()
            yield self._connection
        except BaseException:
            self._drop()
            raise

    @contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._connected() as connection, connection.begin():
            yield connection

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and not database.IN_MEMORY:
            connection.invalidate()
            connection.close()


def _log_fault(error: Exception) -> None:
    """Log a programming error, but not the deletion of a session."""
    if not isinstance(error, IntegrityError | Overtaken):
        _log.error("a batch of a table or lobby cannot be saved", exc_info=error)


def _write(connection: Any, gathered: Sequence[AnyBatch], again: bool) -> None:
    for change in gathered:
        if isinstance(change, LobbyBatch):
            write_lobby(connection, change, again)
    batches = [batch for batch in gathered if isinstance(batch, Batch)]
    if again:
        batches = [batch for batch in batches if not _is_there(connection, batch)]
    for app, part in groupby(sorted(batches, key=lambda batch: batch.app), lambda batch: batch.app):
        models, of_app = get_models_module(app), list(part)
        rows = [(batch.group_id, row) for batch in of_app for row in batch.rows]
        insert_rows(connection, models.Log.__table__, rows)
        _snapshots(connection, models.Group.__table__, of_app)
        for batch in of_app:
            for outcome in batch.outcomes:
                _pay(connection, models.Player.__table__, outcome)


def _tables(batches: Iterable[AnyBatch]) -> dict[tuple[str, int], Batch]:
    """Return each table's last batch, by its app and group id."""
    return {(batch.app, batch.group_id): batch for batch in batches if isinstance(batch, Batch)}


def _is_there(connection: Any, batch: Batch) -> bool:
    """Return whether a batch, with its outcomes and snapshot, was committed despite an error."""
    return bool(batch.rows) and _entries(connection, batch) > batch.first


def _entries(connection: Any, batch: Batch) -> int:
    """Return the number of committed entries in the journal of a batch's table."""
    log = get_models_module(batch.app).Log.__table__
    count = select([func.count()]).where(log.c.group_id == batch.group_id)
    return int(connection.execute(count).scalar())


def _snapshots(connection: Any, groups: Any, batches: Sequence[Batch]) -> None:
    snapshots = [
        {"which": batch.group_id, "text": batch.snapshot}
        for batch in batches
        if batch.snapshot is not None
    ]
    if snapshots:
        change = groups.update().where(groups.c.id == bindparam("which"))
        connection.execute(change.values(table=bindparam("text")), snapshots)


def _pay(connection: Any, players: Any, outcome: Outcome) -> None:
    """Set a player's payoff and update the participant's payoff, as oTree does when `player.payoff`
    is set.
    """
    participants = Participant.__table__
    both = players.join(participants, players.c.participant_id == participants.c.id)
    columns = (players.c._payoff, players.c.status, participants.c.id, participants.c.payoff)
    wanted = select(list(columns)).select_from(both).where(players.c.id == outcome.player_id)
    row = connection.execute(wanted.with_for_update()).first()
    if row is None:
        return
    before, status, participant, total = row
    paid = Currency(outcome.paid)
    values: dict[str, Any] = {"points": outcome.points, "_payoff": paid}
    values |= {"played_share": outcome.played_share, "question_points": outcome.question_points}
    if status == "seated":
        values["status"] = outcome.status
    connection.execute(players.update().where(players.c.id == outcome.player_id).values(**values))
    whose = participants.c.id == participant
    connection.execute(participants.update().where(whose).values(payoff=total + paid - before))
