"""Journals are stored and read back."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Column, Integer, Text, create_engine
from sqlalchemy.ext.declarative import declarative_base
from sqlalchemy.orm import Session

from mixed_company.server.keeping import storage
from mixed_company.server.keeping.storage import Row, entry_of, row_of


def test_apps_that_a_session_does_not_play_are_left_out(monkeypatch):
    names = ("sanctions", "gem_mining", "sanctions_2")
    folders = [SimpleNamespace(get_folder_name=lambda name=name: name) for name in names]
    apps = [SimpleNamespace(Player=folder) for folder in folders]
    monkeypatch.setattr(storage, "apps", lambda: apps)
    session: Any = SimpleNamespace(config={"app_sequence": ["survey", "sanctions_2", "sanctions"]})
    assert storage.apps_of(session) == [apps[0], apps[2]]


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return the journals of two tables, 1 and 2, as rows of a database in memory."""
    base: Any = declarative_base()

    class Log(base):
        __tablename__ = "log"
        id = Column(Integer, primary_key=True)
        group_id = Column(Integer)
        kind = Column(Text)
        at_ms = Column(Integer)
        data = Column(Text)

        @staticmethod
        def objects_filter(*wanted: Any) -> Any:
            return database.query(Log).filter(*wanted)

    engine = create_engine("sqlite://")
    base.metadata.create_all(engine)
    database = Session(engine)
    monkeypatch.setattr(storage.database, "db", database)
    entries = [
        (1, "start", 5),
        (2, "start", 6),
        (1, "period", 30),
        (1, "act", 20),
        (1, "period", 9),
    ]
    for group, kind, at_ms in entries:
        database.add(Log(group_id=group, kind=kind, at_ms=at_ms, data=f'{{"n": {at_ms}}}'))
    database.add_choice = lambda: database.add(Log(group_id=1, kind="start", at_ms=40, data="{}"))
    Log.database = database
    return Log


def test_an_entry_is_stored_as_its_kind_its_time_and_the_rest():
    entry = {"kind": "act", "at_ms": 5, "seat": 1, "action": {"harvest": 1.5}}
    row = row_of(entry)
    assert row == Row("act", 5, '{"seat":1,"action":{"harvest":1.5}}')
    assert entry_of(row) == entry
    old = entry_of(SimpleNamespace(kind="act", at_ms=5.0, data='{"a": NaN}'))
    assert (old["at_ms"], math.isnan(old["a"])) == (5, True)
    assert isinstance(old["at_ms"], int)


def test_the_latest_time_of_a_journal_is_its_largest(log):
    assert [storage.latest_ms(log, group) for group in (1, 2, 3)] == [30, 6, 0]


def test_the_last_periods_are_read_with_the_start_before_them(log):
    def last(limit: int) -> list[tuple[str, int, str]]:
        return [(row.kind, row.at_ms, row.data) for row in storage.last_of(log, 1, limit)]

    first, second = ("period", 30, '{"n": 30}'), ("period", 9, '{"n": 9}')
    assert last(3) == [("start", 5, '{"n": 5}'), first, second]
    assert last(2) == [first, second]
    assert last(1) == [second]
    log.database.add_choice()
    assert last(3) == [("start", 40, "{}")]
    assert storage.last_of(log, 3, 9) == []


def test_the_journals_of_many_tables_are_read_in_order(log, monkeypatch):
    monkeypatch.setattr(storage, "of_play", list)
    logs = storage.logs_of(log, [2, 1, 1], ("start", "period"))
    assert {key: [(row["kind"], row["n"]) for row in rows] for key, rows in logs.items()} == {
        1: [("start", 5), ("period", 30), ("period", 9)],
        2: [("start", 6)],
    }
    many = storage.logs_of(log, [*range(2, 1200), 1], ("act",))
    assert {key: [row["at_ms"] for row in rows] for key, rows in many.items()} == {1: [20]}
