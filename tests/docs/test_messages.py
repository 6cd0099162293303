"""Tests that the messages in docs/agents.md and docs/board.md match those of the server."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from mixed_company.server.outside import words
from mixed_company.server.outside.door import PROTOCOL, _why_not, message_of
from mixed_company.table.directives import Directive, parse_directive
from mixed_company.table.protocol import Message
from tests.docs.blocks import blocks
from tests.server.test_open_table import Clock, Room

AGENTS = [block for block in blocks("docs/agents.md") if block.mark == "run by"]
MESSAGES = [text for block in AGENTS for text in re.split(r"^(?=[-<])", block.text, flags=re.M)[1:]]
"""Messages with the arrow before them; `->` means to the server."""

OMITTED = re.compile(r", \.\.\.(?=[}\]])|\.\.\.(?=[}\]])")


def read(text: str) -> dict[str, Any]:
    """Return a message from a document. `...` in it marks omitted entries of a list or object."""
    shortened = OMITTED.sub("", text[2:].strip())
    message, _ = json.JSONDecoder().raw_decode(shortened)
    assert isinstance(message, dict)
    return message


def differences(shown: Any, real: Any, where: str = "") -> list[str]:
    """Return the paths at which a document's message has a key or type that the server's message
    lacks.
    """
    if shown is None or real is None:
        return []
    if isinstance(shown, dict) and isinstance(real, dict):
        wrong = [f"{where}.{key}" for key in shown if key not in real]
        for key in set(shown) & set(real):
            wrong += differences(shown[key], real[key], f"{where}.{key}")
        return wrong
    if isinstance(shown, list) and isinstance(real, list):
        nearest = [min((differences(item, other) for other in real), key=len) for item in shown]
        return [f"{where}[]{path}" for paths in nearest for path in paths]
    numbers = (int, float)
    same = (isinstance(shown, numbers) and isinstance(real, numbers)) or type(shown) is type(real)
    return [] if same and isinstance(shown, bool) == isinstance(real, bool) else [where]


def sent_by_the_server() -> dict[str, dict[str, Any]]:
    """Return a real message of each kind for one seat of the commons after its first period."""
    room = Room(Clock(), decision_seconds=45.0, pace="answers", bot_delay="instant")
    room.begin()
    for seat in room.pages:
        room.act(seat, f"m{seat}")
    room.act(0, "late", period=0)
    room.paper.save()
    place = {"place": "app/1/0"}
    sent = {message["kind"]: {**message, **place} for message in room.pages[0].messages}
    assert sent["view"]["period"] == 1
    sent["view"] = words.with_words(room.table.table, 0, sent["view"])
    sent["game"] = {"kind": "game", **place, **words.introduced(room.table, 0)}
    return sent


def test_messages_to_the_server_are_understood(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIXED_AGENTS", "mine=a-key-of-16-characters-or-more")
    sent = [read(text) for text in MESSAGES if text.startswith("->")]
    assert {message["kind"] for message in sent} == {"hello", "act", "give_up", "say", "done"}
    for message in sent:
        if message["kind"] == "hello":
            key = "a-key-of-16-characters-or-more"
            assert _why_not({**message, "key": key}) is None
        else:
            assert isinstance(message_of(message), Message), message


def test_messages_of_the_server_have_the_keys_of_the_document() -> None:
    real = sent_by_the_server()
    welcome, *shown = [read(text) for text in MESSAGES if text.startswith("<-")]
    assert welcome == {"kind": "welcome", "agent": "mine", "protocol": PROTOCOL}
    assert {message["kind"] for message in shown} == set(real)
    for message in shown:
        assert differences(message, real[message["kind"]]) == []


def test_a_directive_of_the_board_is_understood() -> None:
    [block] = [block for block in blocks("docs/board.md") if "curl" in block.text]
    [data] = re.findall(r"-d '(.*?)'", block.text)
    assert isinstance(parse_directive(json.loads(data)), Directive)


def test_a_message_that_the_server_does_not_send_is_detected() -> None:
    real = {"kind": "view", "points": 1, "last": {"reward": 2.0}, "seats": [{"you": True}]}
    shown = {"kind": "view", "points": 7.5, "last": {"reward": 2}, "seats": []}
    assert differences(shown, real) == []
    assert differences({**shown, "point": 3}, real) == [".point"]
    assert differences({**shown, "last": {"rewards": 2}}, real) == [".last.rewards"]
    assert differences({**shown, "seats": [{"you": 1}]}, real) == [".seats[].you"]
    assert differences({**shown, "points": "7.5"}, real) == [".points"]
