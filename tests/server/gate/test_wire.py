"""Connections: idle ones are closed, and each address may have only a limited number."""

from __future__ import annotations

import asyncio
import errno
import logging
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from functools import partial, wraps
from typing import Any

import pytest
import websockets
from uvicorn.config import Config
from uvicorn.server import ServerState

from mixed_company.server.gate import wire
from mixed_company.server.gate.limits import Limits
from mixed_company.server.gate.wire import protocols
from tests.loops import aside, complete
from tests.server.gate.asking import settled

HEAD_SECONDS = 3.0  # less than uvicorn's own limit
PATIENCE_SECONDS = 60
REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)
LOGGERS = ("uvicorn.error", "websockets.server")
LONG = b"\x81\xff" + (1_000_000).to_bytes(8, "big") + bytes(4) + b"x" * 1_000_000
"""A message of 1 MB (RFC 6455, 5.2), masked with zeros."""


class Turned(asyncio.SelectorEventLoop):
    """Event loop with real connections and a clock that the test moves."""

    _now = 0.0

    def time(self) -> float:
        return self._now

    async def turn(self, seconds: float) -> None:
        """Let `seconds` pass, and run everything that becomes due."""
        self._now += seconds
        await settled()


def current() -> Turned:
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Turned)
    return loop


def in_turned_loop(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Return a test that runs this coroutine function in such a loop, in a separate thread."""
    return wraps(test)(lambda **fixtures: aside(run, test(**fixtures)))


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner(loop_factory=Turned) as runner:
        loop = runner.get_loop()
        task = loop.create_task(coroutine)
        hangs = threading.Timer(PATIENCE_SECONDS, loop.call_soon_threadsafe, (task.cancel,))
        hangs.start()
        try:
            loop.run_until_complete(task)
        finally:
            hangs.cancel()


async def app(scope: Any, receive: Any, send: Any) -> None:
    """Echo a socket's messages. On /slow, respond later than an idle connection would be closed."""
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (message := await receive())["type"] == "websocket.receive":
            await send({"type": "websocket.send", "text": message["text"]})
        return
    if scope["path"] == "/slow":
        await current().turn(2 * HEAD_SECONDS)
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]}
    )
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def serving(
    trusted: str = "192.0.2.1", state: ServerState | None = None, **limits: Any
) -> AsyncIterator[int]:
    """Serve `app` and yield its port. Trust a proxy at `trusted`; `state` lists the connections."""
    http, ws = protocols(Limits(**limits))
    config = Config(app, http=http, ws=ws, log_config=None, forwarded_allow_ips=trusted)
    config.load()
    protocol = partial(
        config.http_protocol_class, config=config, server_state=state or ServerState()
    )
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def line(port: int) -> Line:
    return await asyncio.open_connection("127.0.0.1", port)


async def answered(client: Line, request: bytes = REQUEST) -> bool:
    """Return whether the request gets a response and the connection stays open."""
    client[1].write(request)
    try:
        return (await client[0].readuntil(b"ok")).startswith(b"HTTP/1.1 200")
    except (asyncio.IncompleteReadError, ConnectionError):
        return False


async def ended(client: Line) -> bool:
    try:
        return await client[0].read(1) == b""
    except ConnectionError:
        return True


async def connected(state: ServerState, count: int) -> None:
    """Wait until the server has `count` connections."""
    while len(state.connections) != count:
        await asyncio.sleep(0)


async def let_in(port: int) -> Line:
    """Return a connection that gets a response, retrying until there is room for it."""
    while not await answered(client := await line(port)):
        client[1].close()
    return client


@in_turned_loop
async def test_an_idle_connection_is_closed():
    loop = current()
    state = ServerState()
    async with serving(state=state, head_seconds=HEAD_SECONDS) as port:
        idle, half, done = await line(port), await line(port), await line(port)
        half[1].write(b"GET / HTTP/1.1\r\nHo")
        assert await answered(done)
        await connected(state, 3)
        await loop.turn(0.9 * HEAD_SECONDS)
        assert len(state.connections) == 3
        await loop.turn(0.2 * HEAD_SECONDS)
        assert [await ended(client) for client in (idle, half, done)] == [True] * 3


@in_turned_loop
async def test_a_connection_that_waits_for_an_answer_is_not_closed():
    """Let the response take longer than a connection may be idle."""
    async with serving(head_seconds=HEAD_SECONDS) as port:
        assert await answered(await line(port), REQUEST.replace(b"/ ", b"/slow ", 1))


@in_turned_loop
async def test_each_request_restarts_the_time():
    """Let the pauses add up to more than the limit for a single pause."""
    loop = current()
    async with serving(head_seconds=HEAD_SECONDS) as port:
        client = await line(port)
        for _ in range(2):
            assert await answered(client)
            await loop.turn(0.6 * HEAD_SECONDS)
        assert await answered(client)


def test_a_socket_holds_few_unread_messages_in_memory(monkeypatch):
    monkeypatch.setattr(wire.WebSocketProtocol, "__init__", lambda *_, **__: None)
    socket = wire.Socket(Limits(frame_bytes=7))
    assert (socket.max_size, socket.max_queue) == (7, wire.MOST_MESSAGES_UNREAD)


@pytest.mark.parametrize("trusted", ["127.0.0.1", "192.0.2.1, 127.0.0.1", "*"])
@in_turned_loop
async def test_connections_of_a_trusted_proxy_are_not_counted(trusted):
    async with serving(trusted, connections_of_address=1) as port:
        assert all([await answered(await line(port)) for _ in range(3)])


@in_turned_loop
async def test_an_address_has_a_limited_number_of_connections_and_ended_ones_are_released():
    async with serving(connections_of_address=2) as port:
        first, second, third = await line(port), await line(port), await line(port)
        assert [await answered(client) for client in (first, second, third)] == [True, True, False]
        for client in (first, second, third):
            client[1].close()
        both = [await let_in(port), await let_in(port)]  # once the server has noticed the ends
        assert not await answered(await line(port))
        assert all([await answered(client) for client in both])


@in_turned_loop
async def test_a_connection_that_becomes_a_socket_no_longer_counts_and_is_not_closed():
    loop = current()
    async with (
        serving(connections_of_address=1, head_seconds=HEAD_SECONDS) as port,
        websockets.connect(f"ws://127.0.0.1:{port}") as socket,
    ):
        assert await answered(await line(port))
        await loop.turn(2 * HEAD_SECONDS)
        await socket.send("there")
        assert await socket.recv() == "there"


@in_turned_loop
async def test_a_message_is_written_at_once_unless_earlier_data_has_not_left(monkeypatch):
    state = ServerState()
    async with serving(state=state) as port:
        async with websockets.connect(f"ws://127.0.0.1:{port}") as client:
            [connection] = state.connections
            write = connection.scope[wire.WRITE]
            assert write(b"first")
            with monkeypatch.context() as full:
                full.setattr(connection.transport, "get_write_buffer_size", lambda: 1)
                assert not write(b"second")
            with monkeypatch.context() as closing:
                closing.setattr(connection, "state", "closing")
                assert not write(b"second")
            assert write(b"third")
            assert [await client.recv(), await client.recv()] == ["first", "third"]
        await connected(state, 0)
        assert not write(b"too late")


@in_turned_loop
async def test_a_waiting_application_learns_that_the_client_has_left():
    state = ServerState()
    async with serving(state=state) as port:
        for leave in ("close", "abort"):
            client = await websockets.connect(f"ws://127.0.0.1:{port}")
            await client.send("there")
            assert await client.recv() == "there"
            if leave == "close":
                await client.close()
            else:
                client.transport.abort()
            await connected(state, 0)
            await settled()
            assert not state.tasks


@in_turned_loop
async def test_a_message_over_the_size_limit_ends_its_socket():
    async with (
        serving(frame_bytes=100) as port,
        websockets.connect(f"ws://127.0.0.1:{port}") as socket,
    ):
        await socket.send("x" * 100)
        assert await socket.recv() == "x" * 100
        await socket.send("x" * 101)
        with pytest.raises(websockets.ConnectionClosed) as closed:
            await socket.recv()
        assert closed.value.code == 1009


@in_turned_loop
async def test_data_after_an_oversized_message_is_read_and_discarded():
    """Guard against keeping the data in memory, and against not noticing that the sender has
    gone."""
    state = ServerState()
    async with serving(state=state, frame_bytes=100) as port:
        reader, writer = await line(port)
        writer.write(UPGRADE)
        await reader.readuntil(b"\r\n\r\n")
        for _ in range(30):  # more than all buffers on the way can hold
            writer.write(LONG)
            await writer.drain()
        [connection] = state.connections
        assert len(connection.reader._buffer) == 0
        writer.close()
        await connected(state, 0)


class LogLines(logging.Handler):
    """Log handler that keeps the lines."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.mark.parametrize(
    ("sent", "answer", "logged"),
    [
        (b"GET /\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", b"", "Invalid HTTP request received."),
        (b"no request\r\n\r\n", b"", "Invalid HTTP request received."),
        (UPGRADE.replace(b"Host: x", b"Host: x\r\nX-Name: \xc3\xa9"), b"HTTP/1.1 400", None),
    ],
)
def test_a_malformed_request_is_at_most_one_line_of_the_log(sent, answer, logged):
    """Guard against writing a page to the log for every request."""
    log, loggers = LogLines(), [logging.getLogger(name) for name in LOGGERS]

    async def test() -> None:
        async with serving() as port:
            client = await line(port)
            client[1].write(sent)
            received = await client[0].read()
            assert received.startswith(answer)
            assert bool(received) == bool(answer)

    for logger in loggers:
        logger.addHandler(log)
    try:
        aside(run, test())
    finally:
        for logger in loggers:
            logger.removeHandler(log)
    lines = [entry for entry in log.lines if "HTTP request" in entry or "handshake" in entry]
    assert [entry.partition(":")[0] for entry in lines] == ([] if logged is None else [logged])
    assert not any("Traceback" in entry for entry in log.lines)


def test_a_socket_whose_sender_left_before_it_was_open_can_be_closed(monkeypatch):
    monkeypatch.setattr(wire.WebSocketProtocol, "__init__", lambda *_, **__: None)
    socket = wire.Socket(Limits())
    socket.transfer_data_task = None
    complete(socket.close())


def test_a_sender_who_leaves_while_the_socket_closes_is_not_an_error(monkeypatch):
    """Accept the system's error that there is no connection to end."""

    async def close(_self: Any, code: int, reason: str) -> None:
        assert (code, reason) == (1008, "")
        raise OSError(errno.ENOTCONN, "Transport endpoint is not connected")

    monkeypatch.setattr(wire.WebSocketProtocol, "__init__", lambda *_, **__: None)
    monkeypatch.setattr(wire.WebSocketProtocol, "close", close)
    socket = wire.Socket(Limits())
    socket.transfer_data_task = object()
    complete(socket.close(1008))
