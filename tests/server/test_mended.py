"""The replaced parts of oTree are the project's own, and they handle an unreachable database."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from tests.server.inside import Session, inside
from tests.server.mended import CHANGED

__all__ = ["inside"]  # a fixture

BY_OTREE = {"otree.channels.routing.websocket_routes"}
"""oTree's list with one entry added."""


def value_at(name: str) -> Any:
    """Return the value with a dotted name in a module, or in a class of a module."""
    parts = name.split(".")
    for length in range(len(parts) - 1, 0, -1):
        try:
            value: Any = importlib.import_module(".".join(parts[:length]))
        except ImportError:
            continue
        for part in parts[length:]:
            value = vars(value)[part] if isinstance(value, type) else getattr(value, part)
        return value
    raise AssertionError(name)


@pytest.mark.parametrize("name", sorted(CHANGED - BY_OTREE))
def test_the_replacement_is_in_place(inside, name):
    value = value_at(name)
    assert getattr(value, "__module__", "").startswith("mixed_company.server.")


def test_a_timeout_worker_continues_when_the_database_answers_again(inside, monkeypatch, caplog):
    import otree.tasks

    from mixed_company.server.mends import database

    rests: list[float] = []
    answers = [OperationalError("", {}, Exception("gone")), OperationalError("", {}, Exception())]

    def listen(_worker: Any) -> None:
        if answers:
            raise answers.pop(0)
        raise KeyboardInterrupt

    monkeypatch.setattr(database, "_listen", listen)
    monkeypatch.setattr(otree.tasks, "sleep", rests.append)
    with pytest.raises(KeyboardInterrupt):
        otree.tasks.Worker.listen(None)
    assert rests == [database.REST_SECONDS] * 2
    assert "is waiting for the database: gone" in caplog.text


def test_a_timeout_worker_commits_before_it_asks_the_server(inside, monkeypatch):
    import otree.tasks
    from otree import database as otrees

    from mixed_company.server.mends import database

    order: list[Any] = []
    monkeypatch.setattr(otrees.DBWrapper, "commit", lambda _: order.append("commit"), raising=False)
    monkeypatch.setattr(database, "_get", lambda *arguments: order.append(arguments))
    monkeypatch.setattr(database, "_post", lambda *arguments: order.append(arguments))
    otree.tasks.get("there")
    otree.tasks.post("there", {"a": 1})
    assert order == ["commit", ("there",), "commit", ("there", {"a": 1})]


class Cut:
    """Connection to a database that fails a number of times."""

    def __init__(self, times: int, noticed: bool = True) -> None:
        self.times, self.noticed, self.queries, self.back = times, noticed, 0, 0
        self.connection = self

    def scalar(self, _query: Any) -> None:
        self.queries += 1
        if self.queries <= self.times:
            error = OperationalError("", {}, Exception("cut"))
            error.connection_invalidated = self.noticed
            raise error

    def rollback(self) -> None:
        self.back += 1


def test_a_cut_connection_is_replaced_before_it_is_used():
    from mixed_company.server.mends.database import _make_sure

    for times, asked_for in ((0, 1), (1, 2)):
        line = Cut(times)
        _make_sure(line, False)
        assert (line.queries, line.back) == (asked_for, 1)
    branch = Cut(0)
    _make_sure(branch, True)
    assert (branch.queries, branch.back) == (0, 0)
    for gone in (Cut(1, noticed=False), Cut(2)):
        with pytest.raises(OperationalError):
            _make_sure(gone, False)
        assert gone.back == 0


def test_all_codes_of_a_session_end_with_one_letter(inside):
    """Use a letter to name the server on which the session is played."""
    session = Session("commons", 3)
    assert {person.code[-1] for person in session.people} == {session.code[-1]}
    assert len({person.code for person in session.people}) == 3
