"""Commits: what oTree 6.0.15 keeps open too long, and how SQLite writes to disk.

* Its timeout worker keeps a transaction open while the server answers it; on SQLite both then
  wait for each other, and the page that timed out is never finished. Here it commits first.
* SQLite on disk waits for the disk at every commit. A write-ahead log survives a crash of the
  server as well, and costs less.
"""

from __future__ import annotations

import os
from typing import Any

import otree.tasks
from otree import database

__all__ = ["install"]

_post = otree.tasks.post


def install() -> None:
    """Change when the timeout worker commits, and how SQLite does."""
    otree.tasks.post = _commit_then_post
    _write_ahead()


def _commit_then_post(url: str, data: Any) -> None:
    database.db.commit()
    _post(url, data)


def _write_ahead() -> None:
    on_disk = not database.IN_MEMORY and database.engine.url.get_backend_name() == "sqlite"
    if on_disk and not os.environ.get("OTREE_EPHEMERAL"):
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=20000"):
            database.sqlite_disk_conn.execute(f"PRAGMA {setting}")
