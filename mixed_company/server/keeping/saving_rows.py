"""Inserts journal rows into the database. One `INSERT` contains all rows of a commit, because each
statement costs the waiting thread a context switch.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mixed_company.server.keeping.storage import Row

ROWS_AT_ONCE = 1000


def insert_rows(connection: Any, log: Any, rows: Sequence[tuple[int, Row]]) -> None:
    """Append rows, each with its group's id, to the journals in the `log` table."""
    for start in range(0, len(rows), ROWS_AT_ONCE):
        statement, values = _insertion(connection, log, rows[start : start + ROWS_AT_ONCE])
        connection.execute(statement, values)


def _insertion(connection: Any, log: Any, rows: Sequence[tuple[int, Row]]) -> tuple[str, Any]:
    """Return a single statement that inserts all rows, with the driver's placeholders."""
    gap = "?" if connection.dialect.paramstyle == "qmark" else "%s"
    places = ", ".join([f"({gap}, {gap}, {gap}, {gap})"] * len(rows))
    values = [value for group, row in rows for value in (group, row.kind, row.at_ms, row.data)]
    return (
        f"INSERT INTO {log.name} (group_id, kind, at_ms, data) VALUES {places}",  # noqa: S608
        tuple(values),
    )
