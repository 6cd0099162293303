"""Commits: what oTree 6.0.15 keeps open too long, how SQLite writes to disk, and a lost connection.

* Its timeout worker keeps a transaction open while the server answers it; on SQLite both then
  wait for each other, and the page that timed out is never finished. Here it commits first,
  whether it posts a page or only loads it.
* Its timeout worker ends for ever when the database does not answer once. Here it tries again.
* SQLite lets one process write at a time, and Python gives up after 5 s. On a busy machine the
  other can take longer, to create a large session, say. Here it waits for a minute; a server, in
  which everybody would wait, for BRIEF_SECONDS.
* SQLite on disk waits for the disk at every commit. A write-ahead log survives a crash of the
  server as well, and costs less.
* SQLite gives the number of a deleted row to the next one, here a session, a group or a player: who
  still had the old one in memory would take the new one for it. Here a number is given once, as
  PostgreSQL does. SQLite keeps these numbers in a table of its own, which `otree resetdb` tried to
  drop, and cannot: here it leaves it, and they begin anew.
* In memory (`otree devserver`) all threads share one connection. Whoever gave it back undid what
  another thread had not committed yet, a session that was being created, say. Here it is given back
  as it is.
* A connection to PostgreSQL that was cut fails the next request. Here it is asked whether it still
  holds before each use, and made anew if not.
* psycopg2 waits for a PostgreSQL that does not answer for ever, and everybody with it. Here oTree's
  connection gives up after a while in which nothing came; those in threads of their own
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

__all__ = ["install"]

BUSY_MS = 60_000
BRIEF_SECONDS = 1.4
REST_SECONDS = 3
_LOG = ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=20000")

_get, _post, _listen = otree.tasks.get, otree.tasks.post, otree.tasks.Worker.listen
_log = logging.getLogger(__name__)


def install() -> None:
    """Change when the timeout worker commits, how SQLite does, and what a lost connection does."""
    otree.tasks.get, otree.tasks.post = _commit_then_get, _commit_then_post
    otree.tasks.Worker.listen = _listen_again
    _prepare_sqlite()
    event.listen(Table, "before_create", _number_once)
    resetdb.MetaData = _Tables
    if database.engine.url.get_backend_name() != "sqlite":
        event.listen(database.engine, "engine_connect", _make_sure)


def be_brief() -> None:
    """Give up on a database that does not answer within BRIEF_SECONDS, in a server.

    Everybody who plays waits meanwhile; a page that was given up on tries again by itself.
    """
    if database.IN_MEMORY:
        return
    if database.engine.url.get_backend_name() == "sqlite":
        database.sqlite_disk_conn.execute(f"PRAGMA busy_timeout={BRIEF_SECONDS * 1000:.0f}")
    else:
        _be_brief_on_postgresql(BRIEF_SECONDS)


def _be_brief_on_postgresql(seconds: float) -> None:
    """Let connections of this process wait for so many seconds, unless they have a PATIENCE."""
    import select as system

    from psycopg2 import OperationalError, extensions  # which is there where the database is

    def wait(connection: Any) -> None:
        patience = getattr(connection, PATIENCE, seconds)
        while (state := connection.poll()) != extensions.POLL_OK:
            reads = [connection] if state == extensions.POLL_READ else []
            writes = [connection] if state == extensions.POLL_WRITE else []
            if not any(system.select(reads, writes, [], patience)):
                raise OperationalError(f"PostgreSQL did not answer for {patience:g} s")

    extensions.set_wait_callback(wait)


class _Tables(MetaData):
    """The tables of a database but those of SQLite itself, when it is emptied."""

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
            _log.warning("the timeout worker waits for the database: %s", error.orig)
            otree.tasks.sleep(REST_SECONDS)


def _make_sure(connection: Any, branch: bool) -> None:
    if branch:
        return
    try:
        connection.scalar(select([1]))
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        connection.scalar(select([1]))  # on a new one
    connection.connection.rollback()  # asking is no part of a transaction, which may be of a kind


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
