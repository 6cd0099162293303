"""Commits: transactions that oTree 6.0.15 keeps open, SQLite's disk writes, and lost connections.

* Its timeout worker keeps a transaction open while the server answers the worker's request. On
  SQLite, the two then wait for each other, and the page whose time is up is never finished. Here
  the worker commits first, whether it posts a page or only loads it.
* Its timeout worker stops permanently after a single database failure. Here it tries again.
* SQLite lets one process write at a time, and Python gives up after 5 s. On a busy machine, another
  process can take longer, for example to create a large session. Here commands wait for a minute,
  but a server waits only BRIEF_SECONDS, because everybody would have to wait with it.
* SQLite on disk syncs at every commit. With a write-ahead log, data also survives a server crash,
  at a lower cost.
* SQLite reuses the number of a deleted row (a session, group or player, for example). The server's
  memory would mistake the new row for the old one. Here each number is used only once, as in
  PostgreSQL. SQLite keeps these numbers in an internal table, which `otree resetdb` cannot drop.
  Here the command skips that table, and the numbers start again.
* If the database is in memory (`otree devserver`), all threads share one connection. When a thread
  returns it, oTree rolls back other threads' uncommitted changes, such as a session being created.
  Here the connection is returned without a rollback.
* If a connection to PostgreSQL is lost, the next request fails. Here a connection is tested before
  each use, and replaced if necessary.
* psycopg2 waits forever if PostgreSQL does not answer, and blocks everybody. Here oTree's
  connection gives up after a period of silence; connections in other threads
  (`server.keeping.saving.own_engine`) wait longer.
"""

from __future__ import annotations

import logging
import os
from typing import Any

import otree.tasks
from otree import database
from otree.cli import resetdb
from sqlalchemy import MetaData, Table, event, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool.base import reset_none

from mixed_company.server.keeping.saving import PATIENCE

BUSY_MS = 60_000
BRIEF_SECONDS = 1.4
REST_SECONDS = 3
_LOG = ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=20000")

_get, _post, _listen = otree.tasks.get, otree.tasks.post, otree.tasks.Worker.listen
_log = logging.getLogger(__name__)


def install() -> None:
    """Change how the timeout worker and SQLite commit, and replace lost connections."""
    otree.tasks.get, otree.tasks.post = _commit_then_get, _commit_then_post
    otree.tasks.Worker.listen = _listen_again
    _prepare_sqlite()
    event.listen(Table, "before_create", _number_once)
    resetdb.MetaData = _Tables
    if database.engine.url.get_backend_name() != "sqlite":
        event.listen(database.engine, "engine_connect", _make_sure)


def be_brief() -> None:
    """Make a server give up on a database that does not answer within BRIEF_SECONDS.

    Everybody who is playing waits with the server; a page that failed retries automatically.
    """
    if database.IN_MEMORY:
        return
    if database.engine.url.get_backend_name() == "sqlite":
        database.sqlite_disk_conn.execute(f"PRAGMA busy_timeout={BRIEF_SECONDS * 1000:.0f}")
    else:
        _be_brief_on_postgresql(BRIEF_SECONDS)


def _be_brief_on_postgresql(seconds: float) -> None:
    """Limit how long this process's connections wait for the database, except connections that set
    their own PATIENCE."""
    import select as system

    from psycopg2 import OperationalError, extensions  # installed wherever PostgreSQL is used

    def wait(connection: Any) -> None:
        patience = getattr(connection, PATIENCE, seconds)
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = [connection] if state == extensions.POLL_READ else []
            writes = [connection] if state == extensions.POLL_WRITE else []
            if not any(system.select(reads, writes, [], patience)):
                raise OperationalError(f"PostgreSQL did not answer for {patience:g} s")

    extensions.set_wait_callback(wait)


class _Tables(MetaData):
    """Tables to drop when a database is emptied: all except SQLite's internal tables."""

    def reflect(self, bind: Any, **options: Any) -> None:
        super().reflect(bind, only=lambda name, _: not name.startswith("sqlite_"), **options)


def _number_once(table: Any, *_: Any, **__: Any) -> None:
    table.dialect_options["sqlite"]["autoincrement"] = True


def _commit_then_get(url: str) -> None:
    database.db.commit()
    _get(url)


def _listen_again(worker: Any) -> None:
    while True:
        try:
            _listen(worker)
        except DBAPIError as error:
            _log.warning("the timeout worker is waiting for the database: %s", error.orig)
            otree.tasks.sleep(REST_SECONDS)


def _make_sure(connection: Any, branch: bool) -> None:
    if branch:
        return
    try:
        connection.scalar(select([1]))
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        connection.scalar(select([1]))  # on a new connection
    # the next transaction may set its own mode, so the test must not be part of it
    connection.connection.rollback()


def _commit_then_post(url: str, data: Any) -> None:
    database.db.commit()
    _post(url, data)


def _prepare_sqlite() -> None:
    if database.IN_MEMORY:
        database.engine.pool._reset_on_return = reset_none
    on_disk = not database.IN_MEMORY and database.engine.url.get_backend_name() == "sqlite"
    if on_disk and not os.environ.get("OTREE_EPHEMERAL"):
        for setting in (f"busy_timeout={BUSY_MS}", *_LOG):
            database.sqlite_disk_conn.execute(f"PRAGMA {setting}")
