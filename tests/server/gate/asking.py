"""Requests and sockets through a gate without a server: what clients send and receive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from mixed_company.server.gate import Gate, Limits
from tests.server.loop import Loop

HOST = (b"host", b"lab.example")
FORM = (b"content-type", b"application/x-www-form-urlencoded")
JSON = (b"content-type", b"application/json")
NEVER: list[bytes] = []


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test in a loop in which time passes only while all tasks are waiting."""
    Loop().complete(test())


def in_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Return a test that runs this coroutine function in such a loop."""

    @wraps(test)
    def complete(*arguments: Any, **fixtures: Any) -> None:
        Loop().complete(test(*arguments, **fixtures))

    return complete


@dataclass
class Answer:
    """The response that a client got; status 0 if there was none."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    text: str = ""


class Behind:
    """Application behind the gate. It responds when it is allowed to, and records requests in
    order."""

    def __init__(self) -> None:
        self.paths: list[str] = []
        self.bodies: list[bytes] = []
        self.answers = asyncio.Event()
        self.answers.set()
        self.status = 200
        self.page = b"<p>page</p>"
        self.headers: list[tuple[bytes, bytes]] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.paths.append(scope["path"])
        body, more = b"", True
        while more:
            message = await receive()
            body += message["body"]
            more = message["more_body"]
        self.bodies.append(body)
        await self.answers.wait()
        start = {"type": "http.response.start", "status": self.status, "headers": self.headers}
        await send(start)
        await send({"type": "http.response.body", "body": self.page})


def gate_before(app: Any, **changes: Any) -> Gate:
    return Gate(app, Limits(**changes))


async def ask(
    gate: Gate,
    path: str = "/demo",
    *headers: tuple[bytes, bytes],
    method: str = "GET",
    body: Iterable[bytes] = (b"",),
    query: bytes = b"",
    client: str = "10.0.0.1",
    scheme: str = "http",
    gone: asyncio.Event | None = None,
) -> Answer:
    """Send a request with these parts of a body. An empty body (`NEVER`) never ends."""
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": query,
        "headers": list(headers) if b"host" in dict(headers) else [HOST, *headers],
        "client": (client, 1),
        "scheme": scheme,
    }
    parts = list(body)
    ends = bool(parts)
    answer, away = Answer(), gone or asyncio.Event()

    async def receive() -> dict[str, Any]:
        if parts:
            part = parts.pop(0)
            return {"type": "http.request", "body": part, "more_body": not ends or bool(parts)}
        await away.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            pairs = ((name.decode(), value.decode()) for name, value in message["headers"])
            answer.headers = dict(pairs)
        else:
            answer.text += message["body"].decode()

    await gate(scope, receive, send)
    return answer


async def settled() -> None:
    """Let tasks run until all of them are waiting."""
    for _ in range(50):
        await asyncio.sleep(0)
