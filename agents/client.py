"""A client for agents from outside, in one file: copy it, and write `decide`.

Needs Python 3.11 and `pip install websockets`; nothing of the server's code. What goes over the
socket stands in docs/agents.md.

    async def decide(game, view):
        return {"harvest": 2.0, "contribution": 0.0}

    asyncio.run(play("ws://127.0.0.1:8000/agents", "mine", KEY, decide))

As a command it decides in the middle of what the schema allows, which shows that all is well:

    AGENT_KEY=... python client.py ws://127.0.0.1:8000/agents mine
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets import connect  # type: ignore[attr-defined]  # it is imported when it is used
from websockets.exceptions import WebSocketException

__all__ = ["Client", "GiveUp", "Refused", "middle", "play"]

Json = dict[str, Any]
Decide = Callable[[Json, Json], Awaitable[Json]]
"""Called with the message `game` and a view whose phase is `decide`; the action, by its `schema`.
A refused action is asked for again, with `refused` in the view."""

Talk = Callable[[Json, Json], Awaitable[str | int | None]]
"""The same while the group talks: a text, the place of one of the sentences; None: it is done."""

MOST_TRIES = 3
MOST_SAYINGS = 4
"""So many messages a client writes before it is done with a time for talk."""

MOST_WAIT_SECONDS = 10.0
MOST_BYTES = 16 * 1024 * 1024
"""Of one message: a whole history can be long."""


class GiveUp(Exception):
    """An agent cannot decide: the default counts at once, and the data say why."""


class Refused(Exception):
    """The server lets this agent not in."""


@dataclass
class _Seat:
    game: Json
    view: Json = field(default_factory=dict)
    period: int = -1
    talked: int = -1
    sayings: int = 0
    busy: asyncio.Task[None] | None = None


class Client:
    """One connection, with all its seats. `over`: seats whose play is over."""

    def __init__(self, decide: Decide, talk: Talk | None = None) -> None:
        self._decide, self._talk = decide, talk
        self._seats: dict[str, _Seat] = {}
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._names = (f"m{number}" for number in itertools.count())
        self._socket: Any = None
        self.over: set[str] = set()
        self.periods = 0

    async def connected(self, url: str, name: str, key: str, seats: int | None = None) -> None:
        """Connect once, and play until the line is cut. Raises Refused, OSError."""
        async with connect(url, max_size=MOST_BYTES) as socket:
            self._socket, self._seats = socket, {}
            hello = {"kind": "hello", "agent": name, "key": key}
            await self._send(hello if seats is None else {**hello, "seats": seats})
            try:
                async for text in socket:
                    self._take(json.loads(text))
            finally:
                for seat in self._seats.values():
                    if seat.busy is not None:
                        seat.busy.cancel()

    async def _send(self, message: Json) -> None:
        await self._socket.send(json.dumps(message))

    def _take(self, message: Json) -> None:
        kind, place = message["kind"], message.get("place", "")
        if kind == "refused" and not self._seats and message.get("id") is None:
            raise Refused(message["reason"])
        if kind == "game":
            self._seats[place] = _Seat(message)
        elif kind == "left":
            self._seats.pop(place, None)
        elif kind in ("ack", "refused") and message.get("id") in self._answers:
            self._answers.pop(message["id"]).set_result(message)
        elif kind == "view" and place in self._seats:
            self._show(self._seats[place], place, message)

    def _show(self, seat: _Seat, place: str, view: Json) -> None:
        seat.view = view
        if view["phase"] == "over":
            self.over.add(place)
        working = seat.busy is not None and not seat.busy.done()
        if view["phase"] == "decide" and view["period"] > seat.period:
            if seat.busy is not None:
                seat.busy.cancel()
            seat.period = view["period"]
            seat.busy = asyncio.ensure_future(self._decided(seat, place, view))
        elif view["phase"] == "talk" and not working:
            seat.busy = asyncio.ensure_future(self._talked(seat, place))

    async def _decided(self, seat: _Seat, place: str, view: Json) -> None:
        """Have it decided, and sent; a refused action is asked for again."""
        about = {"place": place, "period": view["period"]}
        reason = ""
        try:
            for _ in range(MOST_TRIES):
                shown = {**view, "refused": reason} if reason else view
                action = await self._decide(seat.game, shown)
                answer = await self._ask({"kind": "act", **about, "action": action})
                if answer["kind"] == "ack":
                    self.periods += 1
                    return
                reason = answer["reason"]
        except GiveUp as given_up:
            reason = str(given_up)
        except Exception as error:  # noqa: BLE001  one wrong decision ends no other seat
            reason = f"{type(error).__name__}: {error}"
        await self._ask({"kind": "give_up", **about, "reason": reason})

    async def _talked(self, seat: _Seat, place: str) -> None:
        """Say what there is to be said; then be done, until the next time for talk."""
        period, partners = seat.view["period"], (seat.game["talk"] or {}).get("partners", [])
        if seat.talked == period:
            return
        open_now = seat.view.get("talk", {}).get("open", False)
        text = None
        if self._talk is not None and open_now and seat.sayings < MOST_SAYINGS:
            text = await self._talk(seat.game, seat.view)
        if text is None:
            seat.talked, seat.sayings = period, 0
            await self._ask({"kind": "done", "place": place, "period": period})
            return
        seat.sayings += 1
        content: Json = {"sentence": text} if isinstance(text, int) else {"text": text}
        if seat.game["talk"]["one"] and partners:
            content["to"] = partners[0]
        await self._ask({"kind": "say", "place": place, **content})

    async def _ask(self, message: Json) -> Json:
        """Send a message with an id of its own; what it is answered."""
        name = next(self._names)
        self._answers[name] = asyncio.get_running_loop().create_future()
        await self._send({**message, "id": name})
        return await self._answers[name]


async def play(
    url: str,
    name: str,
    key: str,
    decide: Decide,
    talk: Talk | None = None,
    seats: int | None = None,
) -> None:
    """Play whatever comes, and connect again when the line is cut. Raises Refused."""
    client, wait = Client(decide, talk), 1.0
    while True:
        try:
            await client.connected(url, name, key, seats)
            wait = 1.0
        except (OSError, WebSocketException):
            wait = min(2 * wait, MOST_WAIT_SECONDS)
        await asyncio.sleep(wait)


async def middle(_game: Json, view: Json) -> Json:
    """In the middle of what the schema allows; the default where that has no ends."""
    return {name: _middle(own) for name, own in view["schema"]["properties"].items()}


def _middle(own: Json) -> Any:
    if "enum" in own:
        return own["enum"][len(own["enum"]) // 2]
    if own["type"] == "array" or "minimum" not in own or "maximum" not in own:
        return own["default"]
    amount = (own["minimum"] + own["maximum"]) / 2
    return int(amount) if own["type"] == "integer" else amount


if __name__ == "__main__":
    _url, _name, *_seats = sys.argv[1:]
    _most = int(_seats[0]) if _seats else None
    asyncio.run(play(_url, _name, os.environ["AGENT_KEY"], middle, seats=_most))
