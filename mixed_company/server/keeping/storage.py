"""Tables in the database: append-only journal rows, and snapshots.

A play can be rebuilt from its setup and its journal, which contains the seed and everything that
people did. Thanks to occasional snapshots, a long journal need not be replayed.

This module only reads, using oTree's connection. All writing is done by `server.keeping.writer`, on
its own connection.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import orjson
import otree.settings
from otree import database
from otree.common import get_models_module
from otree.models import Session
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text, func
from sqlalchemy.ext.declarative import declared_attr

from mixed_company.table.journal import HAPPENED, Entry, of_play
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import setup_from
from mixed_company.table.table import Table

EXPORTED = (*HAPPENED, "heard", "message", "report", "answered")
"""Kinds of entries used by exports; `heard` records that a person was heard from."""


class LogRow:
    """Columns of an app's `Log`, which holds the journals of its tables, in order.

    kind   kind of entry (`table.journal`)
    at_ms  time at which the entry took effect, in milliseconds since 1970
    data   the other values, as JSON
    """

    kind = Column(String(20))
    at_ms = Column(BigInteger)
    data = Column(Text)

    @declared_attr
    def group_id(cls) -> Column:  # noqa: N805
        group = f"{cls.get_folder_name()}_group.id"  # type: ignore[attr-defined]
        return Column(Integer, ForeignKey(group, ondelete="CASCADE"), index=True)


@dataclass(frozen=True)
class Row:
    """Journal entry as it is stored."""

    kind: str
    at_ms: int
    data: str


def row_of(entry: Entry) -> Row:
    """Return a journal entry as a database row."""
    content = {key: value for key, value in entry.items() if key not in ("kind", "at_ms")}
    return Row(entry["kind"], entry["at_ms"], orjson.dumps(content).decode())


def entry_of(row: Any) -> Entry:
    """Return the entry in a row. Old rows can contain NaN."""
    try:
        content = orjson.loads(row.data)
    except orjson.JSONDecodeError:
        content = json.loads(row.data)
    return {"kind": row.kind, "at_ms": int(row.at_ms), **content}


def read(group: Any, log: Any) -> Table:
    """Return the table of an oTree group in its committed state."""
    setup, snapshot = setup_from(group.setup), group.table
    covered = json.loads(snapshot)["entries"] if snapshot else 0
    rows = log.objects_filter(group_id=group.id).order_by("id").offset(covered)
    return rebuilt(setup, [entry_of(row) for row in rows], snapshot, apart=True)


def apps() -> list[ModuleType]:
    """Return the apps of this project's games, which are the apps that have a `Log`."""
    modules = [get_models_module(name) for name in otree.settings.OTREE_APPS]
    return [app for app in modules if issubclass(getattr(app, "Log", object), LogRow)]


def apps_of(session: Session) -> list[ModuleType]:
    """Return the apps of this project's games that a session plays.

    A project has dozens of apps, so querying all of them for a session's players takes a long time.
    """
    played = session.config["app_sequence"]
    return [app for app in apps() if app.Player.get_folder_name() in played]


def log_class(player: Any) -> Any:
    """Return the `Log` of a player's app."""
    return get_models_module(player.get_folder_name()).Log


def log_of(log: Any, group: Any) -> list[Entry]:
    """Return the events of one table, in order."""
    wanted = log.objects_filter(log.kind.in_(HAPPENED), log.group_id == group.id)
    return of_play([entry_of(row) for row in wanted.order_by("id")])


def last_of(log: Any, group_id: int, limit: int) -> list[Row]:
    """Return the last start entry and the last period entries in one table's journal, at most
    `limit` rows."""
    wanted = log.objects_filter(log.kind.in_(("start", "period")), log.group_id == group_id)
    rows = list(wanted.order_by(log.id.desc()).limit(limit))
    began = next((index for index, row in enumerate(rows) if row.kind == "start"), len(rows))
    return [Row(row.kind, int(row.at_ms), row.data) for row in reversed(rows[: began + 1])]


def latest_ms(log: Any, group_id: int) -> int:
    """Return the latest time in one table's journal."""
    latest = database.db.query(func.max(log.at_ms)).filter(log.group_id == group_id)
    return int(latest.scalar() or 0)


def logs_of(
    log: Any, group_ids: Iterable[int], kinds: Sequence[str] = ()
) -> dict[int, list[Entry]]:
    """Return the journals of many tables by group id: all entries, or only entries of these
    `kinds`."""
    wanted = sorted(set(group_ids))
    logs: dict[int, list[Entry]] = defaultdict(list)
    columns = (log.group_id, log.kind, log.at_ms, log.data)
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        rows = database.db.query(*columns).filter(log.group_id.in_(part))
        rows = rows.filter(log.kind.in_(kinds)) if kinds else rows
        for row in rows.order_by(log.id):
            logs[row.group_id].append(entry_of(row))
    return logs


def commit() -> None:
    """Commit everything written so far."""
    database.db.commit()
