"""Errors in the form that creates a session, field by field."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server.mends import sessions
from tests.loops import complete


@pytest.fixture
def done(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return the arguments passed to oTree's own functions."""
    calls: list[Any] = []

    async def take(_consumer: Any, sent: dict[str, Any]) -> None:
        calls.append(sent)

    monkeypatch.setattr(sessions, "_receive", take)
    monkeypatch.setattr(sessions, "_respond", take)
    monkeypatch.setattr(sessions, "SESSION_CONFIGS_DICT", {"commons": {"name": "commons"}})
    return calls


@pytest.mark.parametrize(
    ("name", "unreadable", "sent"),
    [
        ("commons", {}, None),
        ("unknown", {"periods": "should be a number"}, None),
        (
            "commons",
            {"periods": "should be a number", "seed": "is too long"},
            {
                "error": "periods = should be a number\nseed = is too long",
                "fields": {"periods": "should be a number", "seed": "is too long"},
                "others": [],
            },
        ),
    ],
)
def test_an_unreadable_form_is_answered_field_by_field(done, name, unreadable, sent, monkeypatch):
    answered: list[Any] = []
    form = {"session_config": name, "periods": "x"}

    async def send(message: dict[str, Any]) -> None:
        answered.append(message)

    monkeypatch.setattr(sessions.session_form, "unreadable", lambda config, fields: unreadable)
    complete(sessions._receive_checked(SimpleNamespace(send_json=send), form))
    assert (done, answered) == (([form], []) if sent is None else ([], [sent]))


LOG = "See the server's log for details."


@pytest.mark.parametrize(
    ("event", "refusals", "sent", "logged"),
    [
        ({"session_code": "abc"}, ({}, []), {"session_code": "abc"}, False),
        (
            {"error": "no", "traceback": "ZeroDivisionError"},
            ({}, ["no"]),
            {"error": "no", "fields": {}, "others": ["no", LOG]},
            True,
        ),
        (
            {"error": "no", "traceback": "mixed_company.engine.contract.errors.ConfigError"},
            ({}, ["no"]),
            {"error": "no", "fields": {}, "others": ["no"]},
            False,
        ),
        (
            {"error": "a = 1: no", "traceback": "ValueError"},
            ({"a": "no"}, []),
            {"error": "a = 1: no", "fields": {"a": "no"}, "others": []},
            False,
        ),
    ],
)
def test_a_session_that_cannot_be_created_is_answered_in_sentences(
    done, event, refusals, sent, logged, monkeypatch, caplog
):
    monkeypatch.setattr(sessions.session_form, "refusals", lambda error: refusals)
    complete(sessions._respond_in_sentences(None, event))
    assert done == [sent]
    assert ("a session was not created:\nZeroDivisionError" in caplog.text) is logged
