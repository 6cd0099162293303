"""Sockets of oTree's own pages, opened in this process without a login."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from mixed_company.server.gate import Gate, Limits
from tests.loops import complete
from tests.server.inside import Session, inside

__all__ = ["inside"]  # a fixture

REFUSED = {"type": "websocket.close", "code": 1008}
UNREADABLE = {"type": "websocket.close", "code": 1003}
WAITS = "session_pk={session}&participant_id={person}&page_index=3"


def opened(path: str, query: str = "", *messages: Any) -> list[dict[str, Any]]:
    """Open a socket, send these messages, and return the answers until it closes. Raise the
    server's error."""
    from otree.asgi import app

    scope = {
        "type": "websocket",
        "path": path,
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(b"host", b"lab.example")],
        "client": ("10.0.0.1", 1),
        "scheme": "ws",
        "subprotocols": [],
    }
    texts = [message if isinstance(message, str) else json.dumps(message) for message in messages]
    coming: list[dict[str, Any]] = [{"type": "websocket.connect"}]
    coming += [{"type": "websocket.receive", "text": text} for text in texts]
    sent: list[dict[str, Any]] = []
    left = False

    async def receive() -> dict[str, Any]:
        nonlocal left
        left = not coming
        return {"type": "websocket.disconnect", "code": 1001} if left else coming.pop(0)

    async def send(message: dict[str, Any]) -> None:
        if not left:
            sent.append(message)

    complete(Gate(app, Limits())(scope, receive, send))
    return sent


def kept() -> int:
    """Return the number of sockets in the channel layer."""
    from otree.channels.utils import channel_layer

    return sum(len(sockets) for sockets in channel_layer._subs.values())


def test_no_module_is_imported_because_an_address_names_it(inside):
    query = f"app_name=this&player_id=1&{WAITS.format(session=1, person=1)}"
    sys.modules.pop("this", None)
    assert opened("/group_by_arrival_time", query) == [REFUSED]
    assert "this" not in sys.modules
    app = query.replace("=this", "=commons_game")
    assert opened("/group_by_arrival_time", app)[0]["type"] == "websocket.accept"


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/wait_page", f"group_id=1&{WAITS.format(session=1, person=10**20)}"),
        ("/wait_page", f"group_id=1&{WAITS.format(session=-1, person=1)}"),
        ("/subsession_wait_page", WAITS.format(session=2**31, person=1)),
        ("/auto_advance", f"participant_code=abc&page_index={10**30}"),
        ("/auto_advance", f"participant_code=abc&page_index={'9' * 5000}"),
        ("/wait_for_session_in_room", "room_name=nowhere&tab_unique_id=a"),
        ("/room_without_session/nowhere", ""),
        ("/live", "session_code=a&page_index=1&participant_code=b"),
        ("/trial", "page_index=1&participant_code=b"),
    ],
)
def test_an_invalid_address_is_refused_and_nothing_is_kept(inside, path, query):
    before = kept()
    assert opened(path, query) == [REFUSED]
    assert kept() == before


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("/wait_page", f"group_id=1&{WAITS.format(session=1, person=1)}", 5),
        ("/wait_page", f"group_id=1&{WAITS.format(session=1, person=1)}", {"tab_hidden": "x"}),
        ("/wait_page", f"group_id=1&{WAITS.format(session=1, person=1)}", {"tab_hidden": []}),
        ("/create_demo_session", "", {}),
        ("/create_demo_session", "", {"session_config": ["commons"]}),
        ("/create_session", "", ["commons"]),
        ("/create_session", "", {"session_config": {"a": 1}}),
        ("/create_session", "", '{"session_config": "\\ud800"}'),
        ("/delete_sessions", "", {"a": 1}),
        ("/delete_sessions", "", [1]),
        ("/delete_sessions", "", ["a\0b"]),
        ("/export", "", 1),
    ],
)
def test_an_invalid_message_closes_its_socket(inside, path, query, message):
    before = kept()
    sent = opened(path, query, message)
    assert sent[0]["type"] == "websocket.accept"
    assert sent[-1] == UNREADABLE
    assert kept() == before


def test_a_socket_that_fails_is_forgotten(inside, monkeypatch):
    from otree.channels import consumers

    def fails(*_: Any) -> None:
        raise OSError("no database")

    monkeypatch.setattr(consumers.DetectAutoAdvance, "page_should_be_on", fails)
    before = kept()
    with pytest.raises(OSError, match="no database"):
        opened("/auto_advance", "participant_code=abc&page_index=1")
    assert kept() == before


def test_only_people_in_the_session_are_remembered_as_waiting(inside):
    from otree.channels import consumers
    from otree.models import Participant

    person = Participant.objects_first(code=Session("commons", 1).people[0].code)
    remembered = consumers.participants_with_updated_presence_icons
    remembered.clear()
    strange = WAITS.format(session=person.session_id + 1, person=person.id)
    assert opened("/wait_page", f"group_id=1&{strange}")[0]["type"] == "websocket.accept"
    assert not remembered
    query = WAITS.format(session=person.session_id, person=person.id)
    opened("/wait_page", f"group_id=1&{query}")
    assert dict(remembered) == {person.session_id: {person.id}}


def test_a_rejected_agent_that_has_already_gone_is_not_an_error(inside):
    """Guard against an error that fills a page of the log for each agent that did not wait."""
    from mixed_company.server.outside.door import Door

    class Gone:
        scope = {"type": "websocket", "client": ("10.0.0.1", 1)}

        async def receive(self) -> dict[str, Any]:
            return {"type": "websocket.receive", "text": "{}"}

        async def send_text(self, text: str) -> None:
            raise ConnectionError("it has gone")

    assert complete(Door(Gone()).greet()) is False
