"""Tables in the database: one JSON field on the group, and log rows that are only ever added.

The field and the rows are written in one transaction. What is needed to rebuild a play stands in
the log: the setup, the seed and every action.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from otree import database
from otree.common import get_models_module
from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text, bindparam
from sqlalchemy.ext.declarative import declared_attr
from sqlalchemy.orm.attributes import set_committed_value

from table.journal import Entry
from table.setup import setup_from
from table.table import Table

__all__ = [
    "LogRow",
    "commit",
    "flush",
    "last_of",
    "load",
    "log_class",
    "log_of",
    "logs_of",
    "rollback",
    "save",
]


class LogRow:
    """Columns of an app's `Log`: what happened at a table, in order.

    kind   start, seat, period or event
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


def load(group: Any) -> Table:
    """The table of an oTree group."""
    return Table.from_json(setup_from(group.setup), group.table)


def save(group: Any, table: Table, log: Any) -> bool:
    """Write a table and its new log rows (`log` is the app's Log class); `commit` makes it last.

    False if there is nothing new.
    """
    text = table.to_json()
    if not table.rows and text == group.table:
        return False
    change, append = _statements(type(group).__table__, log.__table__)
    _execute(change, {"which": group.id, "text": text})
    set_committed_value(group, "table", text)
    if table.rows:
        _execute(append, [_log_row(group.id, row) for row in table.rows])
    table.rows = []
    return True


def _log_row(group_id: int, row: Entry) -> dict[str, Any]:
    content = {key: value for key, value in row.items() if key not in ("kind", "at_ms")}
    text = json.dumps(content, separators=(",", ":"))
    return {"group_id": group_id, "kind": row["kind"], "at_ms": row["at_ms"], "data": text}


@lru_cache(maxsize=16)
def _statements(groups: Any, logs: Any) -> tuple[Any, Any]:
    """The two statements of every decision, made once per app, so that they compile once."""
    change = groups.update().where(groups.c.id == bindparam("which"))
    return change.values(table=bindparam("text")), logs.insert()


_COMPILED: dict[Any, Any] = {}


def _execute(statement: Any, values: Any) -> None:
    connection = database.db._db.connection()
    connection.execution_options(compiled_cache=_COMPILED).execute(statement, values)


def log_class(player: Any) -> Any:
    """The `Log` of the app a player belongs to."""
    return get_models_module(player.get_folder_name()).Log


def log_of(log: Any, group: Any) -> list[Entry]:
    """The log of one table, in order."""
    return [_plain(row) for row in log.objects_filter(group_id=group.id).order_by("id")]


def last_of(log: Any, group: Any, most: int) -> list[Entry]:
    """The start and the periods of one table's log, in order: the last so many of these rows."""
    wanted = log.objects_filter(log.kind.in_(("start", "period")), log.group_id == group.id)
    rows = list(wanted.order_by(log.id.desc()).limit(most))
    return [_plain(row) for row in reversed(rows)]


def logs_of(log: Any, group_ids: Iterable[int]) -> dict[int, list[Entry]]:
    """The logs of many tables, by group id."""
    wanted = sorted(set(group_ids))
    logs: dict[int, list[Entry]] = defaultdict(list)
    columns = (log.group_id, log.kind, log.at_ms, log.data)
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        rows = database.db.query(*columns).filter(log.group_id.in_(part)).order_by(log.id)
        for row in rows:
            logs[row.group_id].append(_plain(row))
    return dict(logs)


def _plain(row: Any) -> Entry:
    return {"kind": row.kind, "at_ms": int(row.at_ms), **json.loads(row.data)}


def commit() -> None:
    """Make everything written so far survive a crash."""
    database.db.commit()


def flush() -> None:
    """Give new rows their ids, without making them last."""
    database.db._db.flush()


def rollback() -> None:
    """Forget everything written since the last commit."""
    database.db.rollback()
