"""Audit of a server's exports in tests, with the audit of `analysis`."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from mixed_company import engine
from mixed_company.analysis.audit import Difference, audited
from mixed_company.analysis.data import Data
from mixed_company.analysis.types import typed
from mixed_company.table.export import OPTIONAL, columns, tables
from mixed_company.table.export.outcomes import OF_QUESTIONS
from tests.door.harness import Server

__all__ = ["CODES", "differences", "table", "wrong_numbers"]

CODES: Any = dict.fromkeys(("participant", "session", "label"), "str")
"""Columns that stay strings, because oTree codes such as 12345 or 12345e67 look like numbers."""


def table(server: Server, name: str, session: dict[str, Any]) -> pd.DataFrame:
    """Read one exported table as a pandas user would, for the app in `session["app"]`."""
    return pd.read_csv(io.StringIO(server.table(name, session)), dtype=CODES)


def wrong_numbers(server: Server, session: dict[str, Any]) -> list[str]:
    """Return every fault in the tables of a session; the list is empty if the export is correct."""
    names = tables(engine.make(session["app"]))
    frames = {name: table(server, name, session) for name in names}
    more = {name: table(server, name, session) for name in OPTIONAL}
    return list(_differences(frames | {name: rows for name, rows in more.items() if len(rows)}))


def differences(
    decisions: pd.DataFrame,
    periods: pd.DataFrame,
    config: pd.DataFrame,
    pairs: pd.DataFrame | None = None,
) -> Iterator[str]:
    """Yield the differences between these tables and a replay of their seeds and actions."""
    exported = {"decisions": decisions, "periods": periods, "config": config}
    yield from _differences(exported if pairs is None else {**exported, "pairs": pairs})


def _differences(exported: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    games = [engine.make(json.loads(text)) for text in exported["config"]["config"]]
    frames: dict[str, Any] = {}
    for name in (*tables(games[0]), *(name for name in OPTIONAL if name in exported)):
        types = {
            label: column.type
            for game in games
            for column in columns(name, game)
            for label in column.names()
        }
        rows = exported.get(name, pd.DataFrame(columns=list(types), dtype=object))
        missing = {label for label in types if label not in rows} - set(OF_QUESTIONS)
        if missing:
            raise KeyError(f"{name}: has no {missing}")
        frames[name] = typed(rows.reindex(columns=list(types)), types)
    unread = tuple(name for name in frames if name not in exported)
    manifest = {"rehearsed": {"seed": None}} if frames["config"]["rehearsed"].any() else {}
    audit = audited(Data(games[0].id, **frames, unread=unread, manifest=manifest))
    assert audit.groups * audit.periods > 0, "nothing was played"
    for problem in audit.problems:
        if problem.kind == "unknown":  # the tables contain no errors
            continue
        if isinstance(problem, Difference) and problem.column:
            where = ", ".join(part for part in (problem.key, problem.column) if part)
            yield f"{where}: {problem.actual} should be {problem.should}"
        else:
            yield str(problem)
