"""Short-lived cache of the files under /static/.

When forty people arrive in the same second, their browsers request the same ten files. Finding a
file on disk, in a thread, takes ten times as long as sending it. If a file changes, the new version
is served after at most FRESH_SECONDS.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from mixed_company.server.gate.request import App, Receive, Scope, Send

FRESH_SECONDS = 2.0
MOST_BYTES = 300_000
"""Maximum size of a cached file; a larger file is read again for every request."""

MOST_FILES = 200
"""Maximum number of cached files. It is enough for the files of this project, oTree and the
experimenter.
"""

_RANGE = b"range"
_UNCHANGED = (b"etag", b"last-modified", b"cache-control")


@dataclass(frozen=True)
class _Kept:
    """Cached response, which is valid until the clock shows `until`."""

    headers: list[tuple[bytes, bytes]]
    body: bytes
    until: float

    @property
    def tag(self) -> bytes | None:
        return next((value for name, value in self.headers if name.lower() == b"etag"), None)


class Files:
    """ASGI application in front of `app`, which reads the files; `now` is a clock in seconds."""

    def __init__(self, app: App, now: Callable[[], float] = time.monotonic) -> None:
        self._app, self._now = app, now
        self._kept: dict[str, _Kept] = {}
        self._reading: dict[str, asyncio.Future[None]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        head = dict(scope["headers"])
        if scope["method"] != "GET" or _RANGE in head:
            await self._app(scope, receive, send)
            return
        path = scope["path"]
        if path in self._reading:
            await asyncio.wait([self._reading[path]])
        kept = self._kept.get(path)
        if kept is None or kept.until <= self._now():
            await self._read(scope, receive, send)
        elif kept.tag is not None and head.get(b"if-none-match") == kept.tag:
            headers = [pair for pair in kept.headers if pair[0].lower() in _UNCHANGED]
            await _answer(send, 304, headers, b"")
        else:
            await _answer(send, 200, kept.headers, kept.body)

    async def _read(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have `app` read the file, and make other requests for the file wait until it has done so.
        They do not have to wait for a slow client to receive it.
        """
        path, reading = scope["path"], asyncio.get_running_loop().create_future()
        self._reading[path] = reading
        held: list[dict[str, Any]] = []

        def read() -> None:
            if not reading.done():
                reading.set_result(None)
            if self._reading.get(path) is reading:
                del self._reading[path]

        async def hold(message: dict[str, Any]) -> None:
            if reading.done():
                await send(message)
                return
            held.append(message)
            if sum(len(part.get("body", b"")) for part in held) > MOST_BYTES:
                read()
                await _sent(send, held)

        try:
            await self._app(scope, receive, hold)
            if not reading.done():
                self._keep(path, held)
                read()
                await _sent(send, held)
        finally:
            read()

    def _keep(self, path: str, held: Sequence[dict[str, Any]]) -> None:
        if held[0]["status"] != 200:
            return
        if path not in self._kept and len(self._kept) >= MOST_FILES:
            del self._kept[next(iter(self._kept))]
        body = b"".join(message.get("body", b"") for message in held)
        self._kept[path] = _Kept(held[0]["headers"], body, self._now() + FRESH_SECONDS)


async def _answer(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    begun = {"type": "http.response.start", "status": status, "headers": list(headers)}
    await _sent(send, [begun, {"type": "http.response.body", "body": body}])


async def _sent(send: Send, messages: Sequence[dict[str, Any]]) -> None:
    for message in messages:
        await send(message)
