"""Is what a server exports the record of its plays? The audit of `analysis`, for tests."""

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
"""Columns that stay texts: an oTree code of digits alone, or as 12345e67, is no number."""


def table(server: Server, name: str, session: dict[str, Any]) -> pd.DataFrame:
    """Read one exported table, as a user of pandas does. `session["app"]` says of which app."""
    return pd.read_csv(io.StringIO(server.table(name, session)), dtype=CODES)


def wrong_numbers(server: Server, session: dict[str, Any]) -> list[str]:
    """Everything in all tables that is not as it should be; nothing if the export is right."""
    names = tables(engine.make(session["app"]))
    found = {name: table(server, name, session) for name in names}
    more = {name: table(server, name, session) for name in OPTIONAL}
    return list(_differences(found | {name: own for name, own in more.items() if len(own)}))


def differences(
    decisions: pd.DataFrame,
    periods: pd.DataFrame,
    config: pd.DataFrame,
    pairs: pd.DataFrame | None = None,
) -> Iterator[str]:
    """The places where these tables differ from what their seeds and actions give."""
    found = {"decisions": decisions, "periods": periods, "config": config}
    yield from _differences(found if pairs is None else {**found, "pairs": pairs})


def _differences(found: Mapping[str, pd.DataFrame]) -> Iterator[str]:
    games = [engine.make(json.loads(text)) for text in found["config"]["config"]]
    frames: dict[str, Any] = {}
    for name in (*tables(games[0]), *(name for name in OPTIONAL if name in found)):
        types = {
            each: column.type
            for game in games
            for column in columns(name, game)
            for each in column.names()
        }
        given = found.get(name, pd.DataFrame(columns=list(types), dtype=object))
        missing = {label for label in types if label not in given} - set(OF_QUESTIONS)
        if missing:
            raise KeyError(f"{name}: has no {missing}")
        frames[name] = typed(given.reindex(columns=list(types)), types)
    unread = tuple(name for name in frames if name not in found)
    told = {"rehearsed": bool(frames["config"]["rehearsed"].any())}  # as the manifest would
    audit = audited(Data(games[0].id, **frames, unread=unread, manifest=told))
    assert audit.groups * audit.periods > 0, "nothing was played"
    for each in audit.problems:
        if isinstance(each, Difference) and each.column:
            where = ", ".join(part for part in (each.key, each.column) if part)
            yield f"{where}: {each.actual} should be {each.should}"
        else:
            yield str(each)
