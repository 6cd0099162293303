"""The complete server in this process, with people on live channels and a clock that the test
moves.

    def test_two_people_decide(server):                # the fixture
        session = server.session("commons_two_people", people=2, quiz=False)
        (ann, first), (ben, second) = seated(server, session, 2)
        assert first.act(0, "a", harvest=1, contribution=0)["kind"] == "ack"
        server.turn(45.0)                              # the period is over
        server.crash(away_seconds=100.0)               # memory is lost, the database stays

Sessions, people and live channels have the interface of `tests.door.harness`. Requests and sockets
go through the gate to oTree, in a loop of this thread. Time passes only in `turn` and while a test
waits for a message. The database is in memory.
"""

from __future__ import annotations

import asyncio
import json
import math
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest
from starlette.testclient import TestClient

from mixed_company.server import clock, play_clock
from mixed_company.server.lateness import lateness
from mixed_company.server.open import asking, going_on
from mixed_company.server.open.lobbies import lobbies
from mixed_company.server.open.practices import practices
from mixed_company.server.open.tables import tables
from tests.door import harness
from tests.server.inside import _client, _forget_earlier_tests
from tests.server.loop import LONGEST_SECONDS, Loop, entered
from tests.server.threaded import _free_locks

__all__ = ["Browser", "Live", "Person", "Server", "Socket", "in_process", "server"]

BEGINNING_NS = 1_800_000_000 * 10**9
"""Time on the machine's clock when the first test begins."""


class Machine:
    """Clocks of a machine, on which time passes as in the loop. They are off by `set_by`
    seconds."""

    set_by = 0.0

    def monotonic_ns(self) -> int:
        return round(Loop.latest * 1e9)

    def time_ns(self) -> int:
        return BEGINNING_NS + self.monotonic_ns() + round(self.set_by * 1e9)

    def time(self) -> float:
        return self.time_ns() / 1e9


class AskedAtOnce(asking.Asking):
    """Policies that normally run outside the loop but answer immediately here."""

    def prepare(self, policy: Any) -> None:
        pass

    def ask(self, question: Any, tell: Any) -> None:
        tell(question.answered())


class Browser(TestClient):
    """Browser with its cookies."""

    def __init__(self, server: Server) -> None:
        super().__init__(server.app, raise_server_exceptions=False)
        self.server = server
        self.trust_env = False  # ignores proxies of this machine

    def request(self, *about: Any, **more: Any) -> Any:
        """Send a request, and let its effects take place."""
        with entered(self.server.loop):
            answer = super().request(*about, **{"allow_redirects": True, **more})
        self.server.loop.settle()
        return answer


class Server(harness.Server):
    """Server in this process."""

    def __init__(self) -> None:
        from mixed_company.server.mends.gate import gate

        self.url = "http://testserver"
        self.app = gate()
        self.machine = Machine()
        self.sockets: list[Socket] = []
        self.browser = Browser(self)

    def start(self) -> None:
        """Start as a process does, with the database as it is."""
        self.loop = Loop()
        clock.time = self.machine
        time.time = self.machine.time
        clock._started_ns = self.machine.time_ns() - self.machine.monotonic_ns()
        clock._ahead_ms = 0
        clock._reading = clock._Reading(0, self.machine.monotonic_ns(), math.inf)
        lateness.__init__()
        tables.__init__(tables._make_writer)
        tables._asking = AskedAtOnce()
        _free_locks()
        with entered(self.loop):
            self.loop.run_until_complete(self._begin())
        self.loop.settle()

    async def _begin(self) -> None:
        going_on.begin(asyncio.get_running_loop())

    def stop(self, _how: int = 0) -> None:
        """Lose everything in memory."""
        from otree import database

        for socket in self.sockets:
            socket.cut()
        self.sockets.clear()
        tables._loop, tables._open, lobbies._open = None, {}, {}
        practices.__init__(tables)
        play_clock._clocks.clear()
        with entered(self.loop):
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()
        database.db.new_session()
        _free_locks()

    def crash(self, away_seconds: float = 0.0, set_by: float = 0.0) -> None:
        """Kill the server and start it again, with the machine's clock shifted by `set_by`."""
        self.stop()
        Loop.latest += away_seconds
        self.machine.set_by += set_by
        self.start()

    def turn(self, seconds: float) -> None:
        """Let `seconds` pass."""
        self.loop.turn(seconds)

    def get(self, path: str, **more: Any) -> Any:
        """Return the response to a GET by the manager."""
        return self.browser.get(path, **more)

    def post(self, path: str, **more: Any) -> Any:
        """Return the response to a form or JSON (`json=`) sent by the manager."""
        return self.browser.post(path, **more)

    def create(self, config: str, people: int, **changes: object) -> Any:
        """Create a session. Its random numbers are the same each time, unless a seed is given."""
        body = {
            "session_config_name": config,
            "num_participants": people,
            "modified_session_config_fields": {"seed": "5", **changes},
        }
        return self.post("/api/sessions", json=body)

    def table(self, name: str, session: dict[str, str]) -> str:
        """Return an exported table of a session as CSV. `session` has its `code` and its `app`."""
        query = {
            "app": session["app"],
            "function_name": f"custom_export_{name}",
            "session_code": session["code"],
        }
        answer = self.get("/api/export_app_custom", params=query)
        answer.raise_for_status()
        return str(answer.content.decode("utf-8-sig"))

    def archive(self, *codes: str) -> bytes:
        """Return the file of an export (`server.archive`) of these sessions, or of all."""
        answer = self.get("/api/export_archive", params={"session_code": list(codes)})
        answer.raise_for_status()
        return bytes(answer.content)

    def join(self, session: dict[str, Any]) -> Person:
        return Person(self, session["session_wide_url"])


class Person(harness.Person):
    """Participant with a separate browser."""

    server: Server

    def __init__(self, server: Server, link: str) -> None:
        self.server, self.http = server, Browser(server)
        self.page = self.http.get(link)

    def live(self) -> Live:
        return Live(self.server, self.live_url())


class Socket:
    """Socket of a page, with the unread texts in `heard`.

    code   the server's close code, None while the socket is open
    """

    code: int | None = None

    def __init__(self, server: Server, url: str) -> None:
        self.server, self.heard = server, deque[str]()
        self._sent: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        parts = urlsplit(url)
        scope = {
            "type": "websocket",
            "path": parts.path,
            "root_path": "",
            "scheme": "ws",
            "query_string": parts.query.encode(),
            "headers": [(b"host", b"testserver")],
            "client": ["testclient", 50000],
            "server": ["testserver", 80],
            "subprotocols": [],
        }
        self._task = server.loop.create_task(server.app(scope, self._sent.get, self._hear))
        server.sockets.append(self)
        self._put({"type": "websocket.connect"})

    @property
    def closed(self) -> bool:
        return self.code is not None

    async def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            self.heard.append(message["text"])
        if message["type"] == "websocket.close" and self.code is None:
            self.code = message.get("code", 1000)

    def _put(self, message: dict[str, Any]) -> None:
        self._sent.put_nowait(message)
        self.server.loop.settle()

    def post(self, text: str) -> None:
        """Send a text together with the next one."""
        self._sent.put_nowait({"type": "websocket.receive", "text": text, "bytes": None})

    def send(self, text: str) -> None:
        """Send a text unchanged."""
        self.post(text)
        self.server.loop.settle()

    def send_binary(self, data: bytes) -> None:
        """Send bytes unchanged."""
        self._put({"type": "websocket.receive", "text": None, "bytes": data})

    def recv(self) -> str:
        """Return the next text, letting time pass until it arrives."""
        latest = Loop.latest + LONGEST_SECONDS
        while not self.heard:
            assert not self._task.done(), "the socket is closed"
            assert Loop.latest < latest, "no message arrived"
            self.server.loop.step()
        return self.heard.popleft()

    def close(self) -> None:
        """Close the page."""
        self._put({"type": "websocket.disconnect", "code": 1001})

    def cut(self) -> None:
        """Lose the connection, because the server has stopped."""
        self._task.cancel()


class Live(harness.Live):
    """Live channel of a page."""

    socket: Socket

    def __init__(self, server: Server, url: str) -> None:
        self.socket = Socket(server, url)
        self._unread = deque()

    def heard(self) -> list[dict[str, Any]]:
        """Return the unread messages, and mark them as read."""
        texts = [self.socket.heard.popleft() for _ in range(len(self.socket.heard))]
        return [json.loads(text)["live_method_payload"] for text in texts]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Yield the server on an empty database, and restore the clock and open tables afterwards."""
    with in_process(monkeypatch) as running:
        yield running


@contextmanager
def in_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Run the server, and restore everything it changes."""
    for name in ("time", "_started_ns", "_reading", "_ahead_ms"):
        monkeypatch.setattr(clock, name, getattr(clock, name))
    monkeypatch.setattr(time, "time", time.time)
    _client()
    _forget_earlier_tests()
    running = Server()
    before = tables._asking
    running.start()
    try:
        yield running
    finally:
        running.stop()
        tables.__init__(tables._make_writer)
        tables._asking = before
