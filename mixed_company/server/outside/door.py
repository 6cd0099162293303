"""Socket of outside agents, at /agents: JSON, one message per frame (docs/agents.md).

    agent -> server   {"kind": "hello", "agent": NAME, "key": KEY}, optional "seats": the maximum
                      {"kind": "act", "place", "id", "period", "action"}
                      {"kind": "give_up", "place", "id", "period", "reason"}
                      {"kind": "say", "place", "id", "text" or "sentence"}, "done", "sync"
    server -> agent   {"kind": "welcome"}, then "game", "view", "ack", "refused", "left"

An agent can do exactly what a person in its seat can do on a page. An agent that reads too slowly
is disconnected; when it reconnects, it is shown the whole play.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from typing import Any

import orjson
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from mixed_company.engine.contract.errors import short
from mixed_company.server.gate.limits import rates
from mixed_company.server.gate.request import address_of
from mixed_company.server.open.agents import Agent
from mixed_company.server.open.tables import tables
from mixed_company.server.outside.keys import is_key, keys
from mixed_company.server.outside.words import with_words
from mixed_company.server.sockets import decoded
from mixed_company.table.outside import GIVE_UP
from mixed_company.table.protocol import MAX_ID, MAX_PERIOD, Message, Refusal, parse

PATH = "/agents"
PROTOCOL = 1
HELLO_SECONDS = 10.0
MOST_UNREAD = 1024
"""Maximum number of unread messages. It is high because an agent can have many seats."""

MOST_REASON = 500
"""Maximum length of an agent's reason for giving up."""

POLICY_VIOLATION = 1008  # a close code (RFC 6455, 7.4.1)
KINDS = ("act", GIVE_UP, "say", "report", "done", "sync")

_log = logging.getLogger(__name__)


class Door:
    """Connection to an agent. See the module's docstring."""

    def __init__(self, websocket: Any) -> None:
        self._websocket = websocket
        self._outbox: deque[dict[str, Any]] = deque()
        self._sending: asyncio.Task[None] | None = None
        self._address = address_of(websocket.scope)
        self._agent: Agent | None = None

    # -- outgoing ----------------------------------------------------------------------------

    def tell(self, message: dict[str, Any]) -> None:
        """Queue a message. If the agent has too many unread messages, disconnect it."""
        if len(self._outbox) > MOST_UNREAD:
            return
        self._outbox.append(message)
        if self._sending is None:
            self._sending = asyncio.get_running_loop().create_task(self._send())

    async def _send(self) -> None:
        try:
            while self._outbox:
                if len(self._outbox) > MOST_UNREAD:
                    self._outbox.clear()
                    await self._websocket.close(POLICY_VIOLATION)
                    return
                message = self._worded(self._outbox[0])
                await self._websocket.send_text(orjson.dumps(message).decode())
                self._outbox.popleft()
        except Exception:  # noqa: BLE001  the agent reconnects, however the connection ends
            self._outbox.clear()
        finally:
            self._sending = None

    def _worded(self, message: dict[str, Any]) -> dict[str, Any]:
        if message["kind"] != "view" or self._agent is None:
            return message
        seat = self._agent.seats.get(message["place"])
        return message if seat is None else with_words(seat.opened.table, seat.seat, message)

    # -- incoming ----------------------------------------------------------------------------

    async def greet(self) -> bool:
        """Check an agent's hello, and admit or reject the agent; return whether it was admitted."""
        try:
            data = decoded(await asyncio.wait_for(self._received(), HELLO_SECONDS))
        except (TimeoutError, ValueError):
            data = None
        loop = asyncio.get_running_loop()
        reason = _why_not(data)
        if reason is not None:
            wait = rates("logins").wait(f"agents of {self._address}", loop.time())
            await asyncio.sleep(min(wait, HELLO_SECONDS))
            _log.warning("refused an agent from %s: %s", self._address, reason)
            await self._turn_away(Refusal(reason))
            return False
        tables.live(loop)
        self.tell({"kind": "welcome", "agent": data["agent"], "protocol": PROTOCOL})
        self._agent = Agent(data["agent"], self, data.get("seats"))
        tables.agents.join(self._agent)
        return True

    async def _turn_away(self, refusal: Refusal) -> None:
        with contextlib.suppress(Exception):  # it may have disconnected already
            await self._websocket.send_text(orjson.dumps(refusal.to_json()).decode())
            await self._websocket.close(POLICY_VIOLATION)

    async def listen(self) -> None:
        """Handle the agent's messages until it disconnects."""
        while True:
            received = await self._received()
            try:
                data = decoded(received)
            except ValueError as error:
                await self._refuse_nonsense(Refusal(str(error)), None)
            else:
                await self._take(data)
            await asyncio.sleep(0)  # let other tasks run

    async def _received(self) -> str | bytes:
        """Return the next frame. Raises WebSocketDisconnect."""
        message = await self._websocket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message["code"])
        text: str | None = message.get("text")
        return message["bytes"] if text is None else text

    async def _take(self, data: Any) -> None:
        place = data.get("place") if isinstance(data, dict) else None
        message = message_of(data)
        if isinstance(message, Refusal):
            await self._refuse_nonsense(message, place)
            return
        seat = self._agent.seats.get(place) if self._agent and isinstance(place, str) else None
        if seat is None:
            reason = f"place = {short(place)}: you have no such seat"
            await self._refuse_nonsense(Refusal(reason, message.id or None), place)
            return
        if message.kind == "sync":
            await self._pause("histories", place)
        seat.opened.take(seat.seat, message)

    async def _refuse_nonsense(self, refusal: Refusal, place: Any) -> None:
        place_field = {"place": place} if isinstance(place, str) and len(place) <= MAX_ID else {}
        self.tell({**refusal.to_json(), **place_field})
        await self._pause("nonsense", self._address)

    async def _pause(self, name: str, whose: Any) -> None:
        wait = rates(name).wait(f"agent {whose}", asyncio.get_running_loop().time())
        if wait:
            await asyncio.sleep(wait)

    def close(self) -> None:
        """Give up the agent's seats, and stop sending messages."""
        if self._agent is not None:
            tables.agents.leave(self._agent)
        if self._sending is not None:
            self._sending.cancel()


def _why_not(data: Any) -> str | None:
    """Return the reason for rejecting a hello, or None."""
    if not isinstance(data, dict) or data.get("kind") != "hello":
        return 'the first message should be {"kind": "hello", "agent": NAME, "key": KEY}'
    name, key, seats = data.get("agent"), data.get("key"), data.get("seats")
    if not isinstance(name, str) or not isinstance(key, str):
        return "agent, key: should be strings"
    if seats is not None and (isinstance(seats, bool) or not isinstance(seats, int) or seats < 1):
        return f"seats = {short(seats)}: should be a whole number of at least 1"
    return None if is_key(keys(), name, key) else "this is not that agent's key"


def message_of(data: Any) -> Message | Refusal:
    """Parse an agent's JSON as a message."""
    kind = data.get("kind") if isinstance(data, dict) else None
    if kind == GIVE_UP:
        return _given_up(data)
    message = parse(data)
    if isinstance(message, Message) and message.kind not in KINDS:
        reason = f"kind = {short(kind)}: should be one of {', '.join(KINDS)}"
        return Refusal(reason, message.id or None)
    return message


def _given_up(data: dict[str, Any]) -> Message | Refusal:
    name, period, reason = data.get("id"), data.get("period"), data.get("reason", "")
    if not isinstance(name, str) or not 0 < len(name) <= MAX_ID:
        return Refusal(f"id = {short(name)}: should be a string of 1 to {MAX_ID} characters")
    if isinstance(period, bool) or not isinstance(period, int) or abs(period) > MAX_PERIOD:
        return Refusal(f"period = {short(period)}: should be a whole number", name)
    if not isinstance(reason, str) or "\x00" in reason:
        return Refusal("reason: should be a string", name)
    return Message(GIVE_UP, name, period, value=reason[:MOST_REASON])


async def agents_door(websocket: WebSocket) -> None:
    """Serve one connection."""
    await websocket.accept()
    door = Door(websocket)
    try:
        if await door.greet():
            await door.listen()
    except (WebSocketDisconnect, AssertionError):
        pass  # the agent is gone; this version of starlette then fails an assertion
    finally:
        door.close()


ROUTES = [WebSocketRoute(PATH, agents_door, name="Agents")]
"""Route that `server.mends` adds to oTree."""
