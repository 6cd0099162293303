"""Tables where people talk, with a clock that the test sets."""

from __future__ import annotations

from typing import Any

from mixed_company.table.protocol import Message
from mixed_company.table.table import Table
from mixed_company.table.talk.parsing import Content
from tests.table.plays import started

SECOND = 1000


def talking(people: list[int], **options: Any) -> Table:
    """Return a table of four people; the play started at time 0. By default people have half a
    minute to talk before each period."""
    chosen: dict[str, Any] = {"talk": "free", "talk_seconds": 30.0, "decision_seconds": 20.0}
    return started(people, **{**chosen, **options})


def say(table: Table, seat: int, now: int, text: str | None = None, **more: Any) -> dict[str, Any]:
    """Send a person's message. By default the id is the text."""
    name = more.pop("id", f"{seat} says {text or more} at {now}"[:60])
    content = Content(text, more.pop("sentence", None), more.pop("to", None))
    assert not more
    return table.say(seat, Message("say", name, talk=content), now).to_json()


def report(table: Table, seat: int, now: int, number: int, name: str = "r") -> dict[str, Any]:
    return table.say(seat, Message("report", name, talk=Content(number=number)), now).to_json()


def done(table: Table, seat: int, now: int, period: int | None = None) -> dict[str, Any]:
    """Report that a person is ready to continue."""
    which = table.episode.period if period is None else period
    return table.say(seat, Message("done", f"done {which}", which, talk=Content()), now).to_json()


def texts(view: dict[str, Any]) -> list[str]:
    return [message["text"] for message in view["talk"]["messages"]]
