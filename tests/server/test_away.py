"""The database is away: who found it, who asks it, and when it is there again."""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError

from server.keeping import away as away_module
from server.keeping.away import Away
from server.keeping.writer import Trouble
from server.mends.gate import absence
from server.open.tables import NotSaved


def error(reason: str) -> OperationalError:
    return OperationalError("SELECT 1", {}, Exception(f"{reason}\nLINE 1"))


class Database:
    """A database that answers from a number of questions on."""

    def __init__(self, answers_from: int) -> None:
        self.answers_from, self.asked, self.there = answers_from, 0, threading.Event()

    def ask(self) -> None:
        self.asked += 1
        if self.asked < self.answers_from:
            raise error("away")

    def rest(self, _seconds: float) -> None:
        """Wait until the test lets the next question be asked."""
        assert self.there.wait(60)


def ended(name: str = "database away") -> None:
    """Wait until nobody asks any more."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(60)


def test_one_thread_asks_until_the_database_is_there_again() -> None:
    database = Database(answers_from=3)
    away = Away(database.ask, database.rest)
    assert away.trouble is None
    for _ in range(5):
        away.failed(error("the connection is gone"))
    assert away.trouble is not None
    assert away.trouble.reason == "the connection is gone"
    database.there.set()
    ended()
    assert (database.asked, away.trouble) == (3, None)


@pytest.mark.parametrize(
    ("raised", "away"),
    [
        (lambda: NotSaved("the database takes nothing"), True),
        (lambda: error("no such table: otree_session"), False),
        (lambda: error('near "SELEC": syntax error'), False),
        (lambda: ValueError("database is locked"), False),
    ],
)
def test_a_fault_of_the_server_is_no_absence_of_the_database(
    raised: Callable[[], Exception], away: bool
) -> None:
    assert (absence(raised()) is not None) == away


def test_an_error_that_another_one_came_of_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from server.mends import gate

    told: list[BaseException] = []
    monkeypatch.setattr(gate.away, "failed", told.append)
    failed = RuntimeError("a page failed")
    failed.__cause__ = cause = error("database is locked")
    assert gate._is_away(failed)
    assert gate._is_away(NotSaved("the database takes nothing"))  # the writer asks it already
    assert not gate._is_away(ValueError("a fault"))
    assert told == [cause]


def test_that_a_database_is_away_and_there_again_is_told_to_the_log(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    threads: list[dict[str, object]] = []

    class Thread:
        def __init__(self, **given: object) -> None:
            threads.append(given)

        def start(self) -> None:
            pass

    monkeypatch.setattr(away_module.threading, "Thread", Thread)
    monkeypatch.setattr(away_module, "time", SimpleNamespace(monotonic=lambda: 7.0))
    caplog.set_level("WARNING")
    database = Database(answers_from=3)
    away = Away(database.ask, rests.append)
    away.failed(error("the connection is gone"))
    away.failed(error("again"))
    assert away.trouble == Trouble(7.0, "the connection is gone")
    assert threads == [{"target": away._wait, "name": "database away", "daemon": True}]
    away._wait()
    assert (rests, away.trouble) == ([away_module.ASK_SECONDS] * 2, None)
    assert [record.getMessage() for record in caplog.records] == [
        "the database does not answer: the connection is gone",
        "the database answers again",
    ]
