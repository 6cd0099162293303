"""Tables in the database: rows of their journals that are only ever added, and snapshots.

What is needed to rebuild a play stands in its journal: the seed and all that people did; the setup
stands beside it. A snapshot, now and then, saves going through a long journal again.

Read here, on oTree's connection; `server.keeping.writer` writes all of it, on one of its own.
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
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text, func
from sqlalchemy.ext.declarative import declared_attr

from mixed_company.table.journal import HAPPENED, Entry, of_play
from mixed_company.table.rebuilding import rebuilt
from mixed_company.table.setup import setup_from
from mixed_company.table.table import Table

__all__ = [
    "EXPORTED",
    "LogRow",
    "Row",
    "apps",
    "commit",
    "entry_of",
    "last_of",
    "latest_ms",
    "log_class",
    "log_of",
    "logs_of",
    "read",
    "row_of",
]

EXPORTED = (*HAPPENED, "heard", "message", "report", "answered")
"""The kinds of entries that an export is made of; `heard` tells of silences."""


class LogRow:
    """Columns of an app's `Log`: the journals of its tables, in order.

    kind   as `table.journal` has them
    at_ms  when it took effect, milliseconds since 1970
    data   the rest, JSON
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
    """An entry of a journal as it is stored."""

    kind: str
    at_ms: int
    data: str


def row_of(entry: Entry) -> Row:
    """How an entry is stored."""
    content = {key: value for key, value in entry.items() if key not in ("kind", "at_ms")}
    return Row(entry["kind"], entry["at_ms"], orjson.dumps(content).decode())


def entry_of(row: Any) -> Entry:
    """The entry that a row holds; NaN, that old rows can have, included."""
    try:
        content = orjson.loads(row.data)
    except orjson.JSONDecodeError:
        content = json.loads(row.data)
    return {"kind": row.kind, "at_ms": int(row.at_ms), **content}


def read(group: Any, log: Any) -> Table:
    """The table of an oTree group as it was committed."""
    setup, snapshot = setup_from(group.setup), group.table
    known = json.loads(snapshot)["entries"] if snapshot else 0
    rows = log.objects_filter(group_id=group.id).order_by("id").offset(known)
    return rebuilt(setup, [entry_of(row) for row in rows], snapshot, apart=True)


def apps() -> list[ModuleType]:
    """The apps of the project that play a game at a table."""
    modules = [get_models_module(name) for name in otree.settings.OTREE_APPS]
    return [app for app in modules if issubclass(getattr(app, "Log", object), LogRow)]


def log_class(player: Any) -> Any:
    """The `Log` of the app a player belongs to."""
    return get_models_module(player.get_folder_name()).Log


def log_of(log: Any, group: Any) -> list[Entry]:
    """What happened at one table, in order."""
    wanted = log.objects_filter(log.kind.in_(HAPPENED), log.group_id == group.id)
    return of_play([entry_of(row) for row in wanted.order_by("id")])


def last_of(log: Any, group_id: int, most: int) -> list[Row]:
    """The start and the periods of one table's journal, in order: the last so many of these, from
    the last start on."""
    wanted = log.objects_filter(log.kind.in_(("start", "period")), log.group_id == group_id)
    rows = list(wanted.order_by(log.id.desc()).limit(most))
    began = next((at for at, row in enumerate(rows) if row.kind == "start"), len(rows))
    return [Row(row.kind, int(row.at_ms), row.data) for row in reversed(rows[: began + 1])]


def latest_ms(log: Any, group_id: int) -> int:
    """The latest time in one table's journal."""
    latest = database.db.query(func.max(log.at_ms)).filter(log.group_id == group_id)
    return int(latest.scalar() or 0)


def logs_of(
    log: Any, group_ids: Iterable[int], kinds: Sequence[str] = ()
) -> dict[int, list[Entry]]:
    """Return the journals of many tables by group id: all entries, or those of some kinds."""
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
    """Make everything written so far survive a crash."""
    database.db.commit()
