"""Test that a page that stops reading does not block others."""

from __future__ import annotations

import socket
from typing import Any

import pytest
import websocket

from tests.door.harness import Live, Person, Server

pytestmark = [pytest.mark.door, pytest.mark.long]

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def at_the_table(server: Server, **changes: Any) -> tuple[dict[str, Any], Person, Live]:
    session = server.session("commons", 1, **AT_ONCE, **changes)
    person = server.join(session)
    person.walk_to("Play")
    live = person.live()
    live.ask({"kind": "sync"})
    return session, person, live


def test_a_page_that_never_reads_blocks_nobody_else(server):
    _, _, other = at_the_table(server)
    _, greedy, stuck = at_the_table(server, periods=80, collapse_stock=0.0)
    for period in range(60):
        stuck.act(period, f"p{period}", harvest=1, contribution=0)
    deaf = websocket.create_connection(
        greedy.live_url(), timeout=3, sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
    )
    try:
        for _ in range(400):  # each response holds the whole history and is never read
            deaf.send('{"kind": "sync"}')
    except (websocket.WebSocketException, OSError):
        pass  # the server no longer reads this page's messages
    for period in range(10):  # raises an error if a response takes more than a minute
        assert other.act(period, f"p{period}", harvest=1, contribution=0)["kind"] == "ack"
    deaf.sock.close()
