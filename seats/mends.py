"""What oTree 6.0.15 needs to hold with many people at once. Loaded by server and timeout worker.

* It waits for every live message to be taken, inside its only lock: one page that has stopped
  reading (a phone out of reach) would stop everybody. Here messages are sent without waiting.
* Its timeout worker keeps a transaction open while the server answers it; on SQLite both then
  wait for each other, and the page that timed out is never finished. Here it commits first.
* SQLite on disk waits for the disk at every commit. A write-ahead log survives a crash of the
  server as well, and costs less.
"""

from __future__ import annotations

import os
from typing import Any

import otree.live
import otree.tasks
from otree import database
from otree.channels import utils as channels

__all__: list[str] = []


async def _send_without_waiting(session_code: str, page_index: int, replies: Any) -> None:
    for code, data in replies.items():
        group = channels.live_group(session_code, page_index, code)
        channels.sync_group_send(group=group, data=data)


_post = otree.tasks.post


def _commit_then_post(url: str, data: Any) -> None:
    database.db.commit()
    _post(url, data)


def _write_ahead() -> None:
    on_disk = not database.IN_MEMORY and database.engine.url.get_backend_name() == "sqlite"
    if on_disk and not os.environ.get("OTREE_EPHEMERAL"):
        for setting in ("journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=20000"):
            database.sqlite_disk_conn.execute(f"PRAGMA {setting}")


otree.live._live_send_back = _send_without_waiting
otree.tasks.post = _commit_then_post
_write_ahead()
