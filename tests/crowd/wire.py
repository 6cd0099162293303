"""Minimal web socket for the browser's side. It sends and receives text.

    socket = await connected("ws://127.0.0.1:8000/live/...", hear, gone)
    socket.send(b'{"kind": "sync"}')

`hear` is called with each message, and `gone` when the connection ends. There is no queue, task or
lock per message, so a process with a thousand people does not become the bottleneck.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from urllib.parse import urlsplit

__all__ = ["Refused", "Socket", "connected"]

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10
NO_MASK = b"\0\0\0\0"
"""Mask for messages, which clients must use. Its zeros leave the text unchanged."""


class Refused(ConnectionError):
    """Error: the server refused to open the socket."""


async def connected(
    url: str, hear: Callable[[bytes], None], gone: Callable[[], None], patience: float = 60.0
) -> Socket:
    """Return an open socket. Raise OSError if the server is down or refuses."""
    parts = urlsplit(url)
    loop = asyncio.get_running_loop()
    target = f"{parts.path}?{parts.query}" if parts.query else parts.path
    _, socket = await loop.create_connection(
        lambda: Socket(parts.netloc, target, hear, gone), parts.hostname or "", parts.port or 80
    )
    try:
        await asyncio.wait_for(socket.opened, patience)
    except BaseException:
        socket.abort()
        raise
    return socket


class Socket(asyncio.Protocol):
    """Web socket; see the module's docstring."""

    def __init__(
        self, host: str, target: str, hear: Callable[[bytes], None], gone: Callable[[], None]
    ) -> None:
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._host, self._target, self._hear, self._gone = host, target, hear, gone
        self._transport: asyncio.Transport | None = None
        self._unread = bytearray()

    def send(self, text: bytes, kind: int = TEXT) -> None:
        """Send a message, unless the connection is gone."""
        if self._transport is None or self._transport.is_closing():
            return
        size = len(text)
        if size < 126:
            length = bytes([0x80 | size])
        elif size < 1 << 16:
            length = bytes([0x80 | 126]) + size.to_bytes(2, "big")
        else:
            length = bytes([0x80 | 127]) + size.to_bytes(8, "big")
        self._transport.write(bytes([0x80 | kind]) + length + NO_MASK + text)

    def close(self) -> None:
        """Close as a browser does."""
        self.send((1000).to_bytes(2, "big"), CLOSE)

    def abort(self) -> None:
        """Cut the connection."""
        if self._transport is not None:
            self._transport.abort()

    # -- callbacks of asyncio --------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        request = (
            f"GET {self._target} HTTP/1.1\r\nHost: {self._host}\r\n"
            f"Origin: http://{self._host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        transport.write(request.encode())

    def data_received(self, data: bytes) -> None:
        self._unread += data
        if not self.opened.done() and not self._answered():
            return
        while (size := self._frame()) > 0:
            del self._unread[:size]

    def connection_lost(self, _error: Exception | None) -> None:
        if not self.opened.done():
            self.opened.set_exception(Refused("the server has hung up"))
        else:
            self._gone()

    def _answered(self) -> bool:
        """Return whether the response to the request is complete."""
        head, end, _ = bytes(self._unread).partition(b"\r\n\r\n")
        if not end:
            return False
        status = head.partition(b"\r\n")[0].decode()
        if " 101" not in status:
            self.opened.set_exception(Refused(status))
            self.abort()
            return False
        del self._unread[: len(head) + 4]
        self.opened.set_result(None)
        return True

    def _frame(self) -> int:
        """Process the first frame, and return its size in bytes, or 0 while it is incomplete."""
        unread = self._unread
        if len(unread) < 2:
            return 0
        kind, size, start = unread[0] & 15, unread[1] & 127, 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(unread) < start:
                return 0
            size = int.from_bytes(unread[2:start], "big")
        if len(unread) < start + size:
            return 0
        content = bytes(unread[start : start + size])
        if kind in (TEXT, BINARY):
            self._hear(content)
        elif kind == PING:
            self.send(content, PONG)
        elif kind == CLOSE and self._transport is not None:
            self._transport.close()
        return start + size
