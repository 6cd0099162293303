"""Gate in front of oTree: handles each request and each socket, step by step."""

from __future__ import annotations

import asyncio
import logging
import math
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from mixed_company.server import clock
from mixed_company.server.gate import reading
from mixed_company.server.gate.faults import AWAY_SECONDS, Faults, Tell, as_sentences
from mixed_company.server.gate.headers import Headers
from mixed_company.server.gate.limits import Limits, Rates, Turns
from mixed_company.server.gate.origins import check_origin, check_sender
from mixed_company.server.gate.reading import Bodies, Gone, again
from mixed_company.server.gate.request import (
    App,
    Receive,
    Refused,
    Scope,
    Send,
    address_of,
    answer,
    participant_of,
)
from mixed_company.server.gate.sockets import UNREADABLE, Sockets, checked_json
from mixed_company.server.lateness import Lateness

STATIC = "/static/"
LOGIN = "/login"
LINKS = ("/join/", "/room/")
"""Paths where participants arrive.

Several participants can share an IP address, so the wait of each request is timed separately.
"""
LIVE = ("/live", "/agents")
"""Sockets that themselves reject messages that are not JSON, with an error message."""
POLICY_VIOLATION = 1008  # a close code (RFC 6455, 7.4.1)
FROM_MEMORY = (
    *(STATIC, LOGIN, "/live_state", "/session_board/", "/board_view/", "/api/session_board/"),
    *("/SessionBoard/", "/BoardView/"),
)
"""Prefixes of paths that are served even while the database is not responding."""
MOST_SECONDS = 10.0
"""Maximum delay before a refusal is sent."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class _Queue:
    """Queue of one client's requests.

    app     application that answers the requests
    limit   maximum number of waiting requests
    rates   rate limiter for the requests
    units   number of requests that a second of work counts as; with 0, each request counts once
    timed   maximum number of waiting requests that are timed (`server.lateness`)
    """

    app: App
    client: str
    limit: int
    rates: Rates
    units: float = 0.0
    timed: int = 0


class Gate:
    """ASGI application in front of another application.

    app       application behind the gate: oTree
    limits    sizes and rates
    static    application for /static/, which bypasses the queue of `app`; by default `app` itself
    handlers  event handlers (onclick and the like) that pages may run
    lockless  returns prefixes of paths on which `app` blocks nobody; requests to them need no turn
    public    origins of this server's pages, besides the host that a socket is opened to
    tell      reports failures to people
    lateness  measures how long participants wait
    """

    def __init__(
        self,
        app: App,
        limits: Limits,
        static: App | None = None,
        handlers: Iterable[str] = (),
        lockless: Callable[[], Iterable[str]] = tuple,
        public: frozenset[str] = frozenset(),
        tell: Tell = as_sentences,
        lateness: Lateness | None = None,
    ) -> None:
        self._app = app
        self._static = static or app
        self._limits = limits
        self._lockless = lockless
        self._public = public
        self._tell = tell
        self._lateness = lateness or Lateness()
        self._headers = Headers(handlers)
        self._bodies = Bodies(limits)
        self._turns = Turns(limits.requests_inside)
        self._early: Counter[str] = Counter()
        self._done = -math.inf
        self._sockets = Sockets(limits)
        self._pages = limits.rates("pages")
        self._visits = limits.rates("visits")
        self._looks = limits.rates("looks")
        self._files = limits.rates("files")
        self._refusals = limits.rates("refusals")
        self._logins = limits.rates("logins")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._request(scope, receive, self._headers.dress(scope, send))
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    # -- a request --------------------------------------------------------------------------------

    async def _request(self, scope: Scope, receive: Receive, send: Send) -> None:
        faults = Faults(self._tell, scope, send)
        try:
            reading.check_head(scope)
            check_sender(scope, self._public)
            body = await self._bodies.read(scope, receive)
            try:
                reading.check_body(scope, body, self._limits)
                faults.form = bytes(body)
                await self._admit(scope, again(faults.form, receive), receive, faults.send)
            finally:
                self._bodies.drop(body)
        except Refused as refusal:
            await self._refuse(refusal, scope, faults.send)
        except Gone:
            pass  # the client has gone
        except Exception as error:  # noqa: BLE001  people get a page no matter what fails
            await faults.fail(error)

    async def _refuse(self, refusal: Refused, scope: Scope, send: Send) -> None:
        """Send the refusal, after a delay if requests from this address keep being refused."""
        address = address_of(scope)
        wait = self._refusals.wait(address, asyncio.get_running_loop().time())
        if wait > MOST_SECONDS:
            self._refusals.uncount(address)
        await asyncio.sleep(min(wait, MOST_SECONDS))
        await answer(refusal, send)

    async def _admit(self, scope: Scope, body: Receive, rest: Receive, send: Send) -> None:
        trouble = self._tell.trouble()
        if trouble and not scope["path"].startswith(FROM_MEMORY):
            # no delay, because the client is not at fault
            await answer(Refused(503, trouble, AWAY_SECONDS), send)
            return
        if scope["path"] == LOGIN and scope["method"] == "POST":
            send = self._slow_login(scope, send)
        if scope["path"].startswith(tuple(self._lockless())):
            await self._in_time(self._lookers(scope), rest)
            await self._app(scope, body, send)
        else:
            await self._in_turn(self._queue(scope), scope, body, rest, send)

    async def _in_turn(
        self, queue: _Queue, scope: Scope, body: Receive, rest: Receive, send: Send
    ) -> None:
        """Pass on the request when it is its client's turn. The turn ends when the response
        starts.
        """
        client, asked_ms = queue.client, clock.now_ms()
        timed = self._waiting(client) < queue.timed
        await self._in_time(queue, rest)
        number = self._lateness.ask(asked_ms) if timed else None
        turn = self._turns.ask(client)
        inside = True
        began: float | None = None

        def leave() -> None:
            nonlocal inside
            if inside:
                inside = False
                self._turns.leave(client, turn)
                if number is not None:
                    self._lateness.answer(number, clock.now_ms())
                if began is not None:
                    self._charge(queue, began)

        async def send_and_leave(message: dict[str, Any]) -> None:
            leave()
            await send(message)

        try:
            await _wait_for(turn, rest)
            began = asyncio.get_running_loop().time()
            await queue.app(scope, body, send_and_leave)
        finally:
            leave()

    async def _in_time(self, queue: _Queue, rest: Receive) -> None:
        """Delay a request that arrives too early.

        Raises Refused if too many requests are waiting, or Gone if the client disconnects; the
        request then does not count.
        """
        client = queue.client
        if self._waiting(client) >= queue.limit:
            raise Refused(
                429,
                f"{client}: {queue.limit} requests are waiting, the maximum; try again later",
                seconds=1,
            )
        wait = queue.rates.wait(client, asyncio.get_running_loop().time())
        if not wait:
            return
        self._early[client] += 1
        sleep = asyncio.ensure_future(asyncio.sleep(wait))
        try:
            await _wait_for(sleep, rest)
        except Gone:
            queue.rates.uncount(client)
            raise
        finally:
            sleep.cancel()
            self._early[client] -= 1
            if not self._early[client]:
                del self._early[client]

    def _waiting(self, client: str) -> int:
        """Return how many of a client's requests are waiting, either for a turn or because they
        came too early.
        """
        return self._turns.waiting(client) + self._early[client]

    def _charge(self, queue: _Queue, began: float) -> None:
        """Count a slow request as several requests. oTree handles one request at a time, so work on
        a request starts when it arrives or when the previous one is done.
        """
        now = asyncio.get_running_loop().time()
        seconds, self._done = now - max(began, self._done), now
        queue.rates.charge(queue.client, max(seconds * queue.units - 1, 0.0))

    def _queue(self, scope: Scope) -> _Queue:
        """Return the queue that a request joins."""
        limits, participant = self._limits, participant_of(scope)
        if scope["path"].startswith(STATIC):
            client = f"address {address_of(scope)}, files,"
            return _Queue(self._static, client, limits.requests_of_address, self._files)
        if participant is not None:
            client = f"participant {participant}"
            limit = limits.requests_of_participant
            return _Queue(self._app, client, limit, self._pages, timed=1)
        client = f"address {address_of(scope)}"
        units = limits.visits_per_second / limits.visits_share
        limit = limits.requests_of_address
        timed = limit if scope["path"].startswith(LINKS) else 0
        return _Queue(self._app, client, limit, self._visits, units, timed)

    def _lookers(self, scope: Scope) -> _Queue:
        """Return the queue for a request that needs no turn."""
        client = f"address {address_of(scope)} (board and data)"
        return _Queue(self._app, client, self._limits.requests_of_address, self._looks)

    def _slow_login(self, scope: Scope, send: Send) -> Send:
        """Return a `send` that counts failed logins. Raises Refused if this login comes too
        early.
        """
        address = address_of(scope)
        wait = self._logins.wait(address, asyncio.get_running_loop().time())
        if wait:
            self._logins.uncount(address)
            raise Refused(429, f"too many login attempts: wait {wait:.0f} s", seconds=wait)

        async def send_and_count(message: dict[str, Any]) -> None:
            if message.get("status") == 302:
                self._logins.uncount(address)
            await send(message)

        return send_and_count

    # -- a socket ---------------------------------------------------------------------------------

    async def _socket(self, scope: Scope, receive: Receive, send: Send) -> None:
        address, participant = address_of(scope), participant_of(scope)
        try:
            reading.check_address(scope)
            check_origin(scope, self._public)
            with self._sockets.opened(address, participant):
                await self._sockets.begin(address, participant)
                slow = self._sockets.slowed(address, participant, receive)
                await self._connected(scope, slow, send)
        except Refused as refusal:
            _log.warning("refused a socket from %s: %s", address, refusal.sentence)
            await receive()
            await send({"type": "websocket.close", "code": POLICY_VIOLATION})

    async def _connected(self, scope: Scope, receive: Receive, send: Send) -> None:
        accepted = closed = False

        async def send_and_look(message: dict[str, Any]) -> None:
            nonlocal accepted, closed
            accepted = accepted or message["type"] == "websocket.accept"
            closed = closed or message["type"] == "websocket.close"
            await send(message)

        live = scope["path"] in LIVE
        try:
            await self._app(scope, receive if live else checked_json(receive), send_and_look)
        except Exception as error:
            if accepted:
                raise
            # if the address is wrong, oTree fails before opening a socket
            _log.warning("no socket at %s: %r", scope["path"], error)
        if not closed:
            code = UNREADABLE if accepted else POLICY_VIOLATION
            await send({"type": "websocket.close", "code": code})


async def _wait_for(turn: asyncio.Future[None], rest: Receive) -> None:
    """Wait for a turn, or until a delay is over. Raises Gone if the client disconnects first."""
    if turn.done():
        return
    gone = asyncio.ensure_future(rest())
    either: set[asyncio.Future[Any]] = {turn, gone}
    try:
        await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
    finally:
        gone.cancel()
    if not turn.done():
        raise Gone
