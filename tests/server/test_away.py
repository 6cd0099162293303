"""An unreachable database: how the server notices it, polls it and finds it again."""

from __future__ import annotations

import logging
import threading
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from mixed_company.server.keeping import away as module
from mixed_company.server.keeping import saving
from mixed_company.server.keeping.away import Away
from mixed_company.server.keeping.writer import Trouble
from mixed_company.server.mends.gate import absence
from mixed_company.server.open.tables import NotSaved


def error(reason: str) -> OperationalError:
    return OperationalError("SELECT 1", {}, Exception(f"{reason}\nLINE 1"))


class Database:
    """Database that answers from the query with this number onwards."""

    def __init__(self, answers_from: int) -> None:
        self.answers_from, self.questions, self.allowed = answers_from, 0, threading.Event()

    def ask(self) -> None:
        self.questions += 1
        if self.questions < self.answers_from:
            raise error("away")

    def rest(self, _seconds: float) -> None:
        """Wait until the test allows the next query."""
        assert self.allowed.wait(60)


def ended(name: str = "database away") -> None:
    """Wait until the polling thread has ended."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(60)


def test_one_thread_asks_until_the_database_is_back(caplog):
    caplog.set_level(logging.WARNING, module.__name__)
    database = Database(answers_from=3)
    away = Away(database.ask, database.rest)
    assert away.trouble is None
    for _ in range(5):
        away.failed(error("the connection is gone"))
    assert away.trouble is not None
    assert away.trouble.reason == "the connection is gone"
    database.allowed.set()
    ended()
    assert (database.questions, away.trouble) == (3, None)
    logged = [(record.levelname, record.message) for record in caplog.records]
    assert logged == [
        ("ERROR", "the database is not responding: the connection is gone"),
        ("WARNING", "the database is responding again"),
    ]


def test_between_two_questions_the_thread_rests_for_a_second(monkeypatch):
    database, rests = Database(answers_from=3), list[float]()
    away = Away(database.ask, rests.append)
    begun: list[dict[str, object]] = []
    thread = SimpleNamespace(start=lambda: None)
    monkeypatch.setattr(
        module.threading, "Thread", lambda **about: (begun.append(about), thread)[1]
    )
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 5.0))
    away.failed(ValueError("  no text of a driver\nDETAIL"))
    assert begun == [{"target": away._wait, "name": "database away", "daemon": True}]
    assert away.trouble == Trouble(5.0, "no text of a driver")
    away._wait()
    assert (rests, away.trouble) == ([1.0, 1.0], None)


@pytest.mark.parametrize(
    ("kind", "in_memory", "statements"),
    [
        ("sqlite", True, []),
        ("sqlite", False, ["BEGIN IMMEDIATE", "ROLLBACK"]),
        ("postgresql", False, ["SELECT 1"]),
    ],
)
def test_the_database_is_asked_in_a_way_that_shows_that_it_accepts_writes(
    monkeypatch, kind, in_memory, statements
):
    done: list[str] = []

    class Connection:
        execute = scalar = staticmethod(done.append)

        def __enter__(self) -> Connection:
            return self

        def __exit__(self, *_: object) -> None:
            """Ignore the call, because there is nothing to close."""

    url = SimpleNamespace(get_backend_name=lambda: kind)
    engines = {0.5: SimpleNamespace(url=url, connect=Connection)}
    monkeypatch.setattr(saving, "own_engine", engines.__getitem__)
    monkeypatch.setattr(module, "database", SimpleNamespace(IN_MEMORY=in_memory))
    module._ask_database()
    assert done == statements


@pytest.mark.parametrize(
    ("raised", "away"),
    [
        (lambda: NotSaved("the database takes nothing"), True),
        (lambda: error("no such table: otree_session"), False),
        (lambda: error('near "SELEC": syntax error'), False),
        (lambda: ValueError("database is locked"), False),
    ],
)
def test_an_error_of_the_server_is_not_an_absence_of_the_database(raised, away):
    assert (absence(raised()) is not None) == away


def test_an_error_that_was_caused_by_another_one_is_recognized(monkeypatch):
    from mixed_company.server.mends import gate

    failures: list[BaseException] = []
    monkeypatch.setattr(gate.away, "failed", failures.append)
    failed = RuntimeError("a page failed")
    failed.__cause__ = cause = error("database is locked")
    assert gate._is_away(failed)
    assert gate._is_away(NotSaved("the database takes nothing"))  # the writer polls already
    assert not gate._is_away(ValueError("a fault"))
    assert failures == [cause]
