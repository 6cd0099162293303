"""Limits on connections below HTTP: how many may be open, and how long each may stay silent.

uvicorn 0.13.4 waits forever for the headers of a request, and accepts messages of a megabyte. It
logs a traceback for every malformed request, and for every client that disconnects during a
handshake. Here each of these is logged in one line.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from contextlib import suppress
from functools import partial
from http import HTTPStatus
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_impl import WebSocketProtocol

from mixed_company.server.gate.limits import Limits

WRITE = "mixed_company.write"
"""Key of a socket's scope; its value is `Socket.write_now`."""

TEXT = 1
"""Opcode of a text message (RFC 6455, 5.2)."""

MOST_MESSAGES_UNREAD = 4
"""Maximum number of unread messages that are kept in memory per socket; the sender has to hold any
others.
"""


_LOGGERS = ("uvicorn.error", "websockets.server")
_OF_SENDERS = ("Invalid HTTP request received.", "opening handshake failed")


def protocols(limits: Limits) -> tuple[Any, Any]:
    """Return the factories for the `http` and `ws` options of uvicorn's Config."""
    for name in _LOGGERS:
        logging.getLogger(name).addFilter(_in_one_line)
    return partial(Http, limits, Counter()), partial(Socket, limits)


def _in_one_line(record: logging.LogRecord) -> bool:
    """Shorten the log record of a client error to one line without a traceback."""
    if record.msg in _OF_SENDERS and record.exc_info:
        record.msg, record.args = f"{record.msg}: %r", (record.exc_info[1],)
        record.exc_info = None
    return True


class Http(H11Protocol):
    """Connection that is closed unless a request arrives in time."""

    def __init__(
        self, limits: Limits, connections: Counter[str], *arguments: Any, **more: Any
    ) -> None:
        super().__init__(*arguments, **more)
        self._limits = limits
        self._of_addresses = connections
        self._address: str | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Count the connection; close it if its address has too many connections."""
        super().connection_made(transport)
        trusted = str(self.config.forwarded_allow_ips).replace(" ", "").split(",")
        if self.client and self.client[0] not in trusted and "*" not in trusted:
            self._address = str(self.client[0])
            self._of_addresses[self._address] += 1
            if self._of_addresses[self._address] > self._limits.connections_of_address:
                transport.abort()
                return
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop counting the connection."""
        super().connection_lost(exc)
        self._forget()

    def handle_upgrade(self, event: Any) -> None:
        """Stop counting a connection that becomes a socket; sockets are counted elsewhere."""
        self._forget()
        super().handle_upgrade(event)

    def on_response_complete(self) -> None:
        """Start the timer for the next request."""
        super().on_response_complete()
        if not self.transport.is_closing():
            self._expect_head()

    def _expect_head(self) -> None:
        self._stop_timer()
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(self._limits.head_seconds, self._close_if_idle)

    def _close_if_idle(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self.transport.close()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _forget(self) -> None:
        self._stop_timer()
        if self._address is not None:
            self._of_addresses[self._address] -= 1
            if not self._of_addresses[self._address]:
                del self._of_addresses[self._address]
            self._address = None


class Socket(WebSocketProtocol):
    """Socket that accepts only short messages, and only a few at a time.

    After a failure, further data is read and discarded. Keeping the data would fill the memory;
    leaving it unread would hide that the sender has gone.
    """

    def __init__(self, limits: Limits, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self.max_size = limits.frame_bytes
        self.max_queue = MOST_MESSAGES_UNREAD
        self._failed = False

    async def run_asgi(self) -> None:
        """Run the application, which can also call `write_now`."""
        self.scope[WRITE] = self.write_now
        await super().run_asgi()

    def write_now(self, text: bytes) -> bool:
        """Send a text message without a task, which would cost more than the message itself.

        Return False, and send nothing, if earlier data is still unsent or the socket is not open.
        """
        line = self.transport
        if not self.open or line.is_closing() or line.get_write_buffer_size():
            return False
        self.write_frame_sync(True, TEXT, text)
        return True

    def connection_open(self) -> None:
        """Start reading; when reading ends, `recv` wakes up."""
        super().connection_open()
        self.transfer_data_task.add_done_callback(self._wake)

    def _wake(self, _done: object = None) -> None:
        waiter = self._pop_message_waiter
        if waiter is not None and not waiter.done():
            waiter.set_result(None)

    async def recv(self) -> Any:
        """Return the next message.

        websockets 10.1 waits with `asyncio.wait`, which costs more than reading the message.
        """
        if not self.messages and not self.transfer_data_task.done():
            waiter = self._pop_message_waiter = self.loop.create_future()
            try:
                await asyncio.shield(waiter)
            finally:
                self._pop_message_waiter = None
        return await super().recv()

    async def process_request(self, path: str, headers: Any) -> Any:
        """Reject a path or header with characters that are not ASCII."""
        if not all(part.isascii() for pair in [(path,), *headers.raw_items()] for part in pair):
            return HTTPStatus.BAD_REQUEST, [], b"the request has a character that is not ASCII\n"
        return await super().process_request(path, headers)

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Close the socket, unless its client disconnected before or during the handshake."""
        if self.transfer_data_task is not None:
            with suppress(OSError):
                await super().close(code, reason)

    def fail_connection(self, code: int = 1006, reason: str = "") -> None:
        """Fail the connection and discard any data that still arrives."""
        super().fail_connection(code, reason)
        self._failed = True
        self.reader = asyncio.StreamReader(loop=self.loop)  # drops the buffered data
        if self.transport is not None:
            self.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        """Process the data, unless the socket has failed."""
        if not self._failed:
            super().data_received(data)
