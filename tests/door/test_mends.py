"""Many people at once: a page that stops reading stops nobody, a left table is finished."""

from __future__ import annotations

import socket
import time
from pathlib import Path
from typing import Any

import pytest
import websocket

from tests.door.audit import table, wrong_numbers
from tests.door.harness import Live, Person, Server

pytestmark = [pytest.mark.door]

AT_ONCE: dict[str, Any] = {"quiz": False, "bot_delay": "instant"}


def at_the_table(server: Server, **changes: Any) -> tuple[dict[str, Any], Person, Live]:
    session = server.session("commons", 1, **AT_ONCE, **changes)
    person = server.join(session)
    person.walk_to("Play")
    live = person.live()
    live.ask({"kind": "sync"})
    return session, person, live


@pytest.mark.xdist_group("sockets")
def test_a_page_that_never_reads_stops_nobody_else(server: Server) -> None:
    _, _, other = at_the_table(server)
    _, greedy, own = at_the_table(server, periods=80, collapse_stock=0.0)
    for period in range(60):
        own.act(period, f"p{period}", harvest=1, contribution=0)
    deaf = websocket.create_connection(
        greedy.live_url(), timeout=3, sockopt=((socket.SOL_SOCKET, socket.SO_RCVBUF, 4096),)
    )
    try:
        for _ in range(400):  # each answer holds the whole history; none is ever read
            deaf.send('{"kind": "sync"}')
    except (websocket.WebSocketException, OSError):
        pass  # the server no longer takes what this page sends
    for period in range(10):  # an answer that does not come within ten seconds raises
        time.sleep(0.5)
        assert other.act(period, f"p{period}", harvest=1, contribution=0)["kind"] == "ack"
    deaf.sock.close()


@pytest.mark.xdist_group("timeouts")
def test_tables_that_everybody_left_are_finished_by_their_page_timeouts(tmp_path: Path) -> None:
    with Server(tmp_path / "project") as server:
        changes = {"periods": 2, "decision_seconds": 1.0, "grace_seconds": 10.0}
        left = [at_the_table(server, **changes) for _ in range(5)]
        for _, _, live in left:
            live.close()
        stays, _, busy = at_the_table(server, decision_seconds=0.0, collapse_stock=0.0)
        sessions = [session for session, _, _ in left]
        for attempt in range(
            120
        ):  # the page ends after 32 s, oTree's worker comes some seconds later
            busy.ask({"kind": "sync"}, "view")
            time.sleep(0.5)
            if attempt % 10 == 9 and all(finished(server, each) for each in sessions):
                break
        for session in sessions:
            assert finished(server, session), server.log()[-3000:]
            assert wrong_numbers(server, session) == []
            assert len(table(server, "periods", session)) == 2
        assert "database is locked" not in server.log()
        assert busy.act(0, "still here", harvest=1, contribution=0)["kind"] == "ack"
        assert wrong_numbers(server, stays) == []


def finished(server: Server, session: dict[str, Any]) -> bool:
    """Is the participant's part over and paid?"""
    return table(server, "outcomes", session)["status"].tolist() == ["finished"]
