"""Client for outside agents, in one file: copy it, and write `decide`.

It needs Python 3.11 and `pip install websockets`, but none of the server's code. docs/agents.md
documents the messages on the socket.

    async def decide(game, view):
        return {"harvest": 2.0, "contribution": 0.0}

    asyncio.run(play("ws://127.0.0.1:8000/agents", "mine", KEY, decide))

The `agent` logger reports lost connections and failed decisions as warnings. Run as a command, it
chooses the middle of each range in the schema, and logs its decisions:

    AGENT_KEY=... python client.py ws://127.0.0.1:8000/agents mine
"""

from __future__ import annotations

import asyncio
import itertools
import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from websockets import connect  # type: ignore[attr-defined]  # a lazy import
from websockets.exceptions import WebSocketException

LOG = logging.getLogger("agent")

Json = dict[str, Any]
Decide = Callable[[Json, Json], Awaitable[Json]]
"""Function that takes the `game` message and a view in the `decide` phase, and returns an action
that follows the view's `schema`. After a refusal, it is called again, with `refused` in the view.
`remaining_ms` is always the time left when the function is called."""

Talk = Callable[[Json, Json], Awaitable[str | int | None]]
"""Function for the group's talk: it returns a text, the index of one of the sentences, or None if
it has nothing more to say."""

Refusals = Callable[[Json, Json, str], None]
"""Function that takes the `game` message, a view and a reason. It is called if the server refused a
message to the group, or the last attempt at a decision (the default is then used)."""

MOST_TRIES = 3
MOST_SAYINGS = 4
"""Maximum number of messages that a client sends in one talk phase."""

MOST_WAIT_SECONDS = 10.0
MOST_BYTES = 16 * 1024 * 1024
"""Maximum size of a message. It is large because a complete history can be long."""


class GiveUp(Exception):
    """Error that an agent raises if it cannot decide. The default is then used at once, and the
    reason is recorded in the data."""


class Refused(Exception):
    """Error raised if the server refuses an agent."""


@dataclass
class _Seat:
    game: Json
    view: Json = field(default_factory=dict)
    shown_at: float = 0.0
    step: tuple[int, int] = (-1, 0)
    """Period and stage of the last decision."""
    talked: int = -1
    busy: asyncio.Task[None] | None = None


def _left_now(view: Json, shown_at: float) -> Json:
    """Return a copy of the view with the time left now. `shown_at` is the time at which the view
    arrived."""
    if view.get("remaining_ms") is None:
        return view
    passed = round(1000 * (asyncio.get_running_loop().time() - shown_at))
    return {**view, "remaining_ms": max(0, view["remaining_ms"] - passed)}


class Client:
    """A connection and all its seats. `over` contains the seats whose play is over."""

    def __init__(
        self,
        decide: Decide,
        talk: Talk | None = None,
        plays: int | None = None,
        refused: Refusals | None = None,
    ) -> None:
        self._decide, self._talk, self._plays, self._refused = decide, talk, plays, refused
        self._seats: dict[str, _Seat] = {}
        self._answers: dict[str, asyncio.Future[Json]] = {}
        self._names = (f"m{number}" for number in itertools.count())
        self._socket: Any = None
        self.over: set[str] = set()
        self.periods = 0

    async def connected(self, url: str, name: str, key: str, seats: int | None = None) -> None:
        """Connect once, and play until all plays have ended or the connection is closed or lost.

        Raises Refused, OSError.
        """
        async with connect(url, max_size=MOST_BYTES) as socket:
            self._socket, self._seats = socket, {}
            hello = {"kind": "hello", "agent": name, "key": key}
            await self._send(hello if seats is None else {**hello, "seats": seats})
            try:
                async for text in socket:
                    self._take(json.loads(text))
                    if self.done:
                        break
            finally:
                for seat in self._seats.values():
                    if seat.busy is not None:
                        seat.busy.cancel()

    @property
    def done(self) -> bool:
        """True if all plays are over."""
        return self._plays is not None and len(self.over) >= self._plays

    async def _send(self, message: Json) -> None:
        await self._socket.send(json.dumps(message))

    def _take(self, message: Json) -> None:
        kind, place = message["kind"], message.get("place", "")
        if kind == "refused" and not self._seats and message.get("id") is None:
            raise Refused(message["reason"])
        if kind == "welcome":
            LOG.info("connected as %s", message["agent"])
        elif kind == "game":
            self._seats[place] = _Seat(message)
        elif kind == "left":
            self._seats.pop(place, None)
        elif kind in ("ack", "refused") and message.get("id") in self._answers:
            self._answers.pop(message["id"]).set_result(message)
        elif kind == "view" and place in self._seats:
            self._show(self._seats[place], place, message)

    def _show(self, seat: _Seat, place: str, view: Json) -> None:
        seat.view, seat.shown_at = view, asyncio.get_running_loop().time()
        if view["phase"] == "over":
            self.over.add(place)
        step = (view["period"], view.get("observation", {}).get("stage", 0))
        if view["phase"] == "decide" and step > seat.step:
            if seat.busy is not None:
                seat.busy.cancel()
            seat.step = step
            seat.busy = asyncio.ensure_future(self._act(seat, place, view))
        elif view["phase"] == "talk" and view["period"] != seat.talked:
            seat.talked = view["period"]
            seat.busy = asyncio.ensure_future(self._speak(seat, place, seat.busy))

    async def _act(self, seat: _Seat, place: str, view: Json) -> None:
        """Ask for a decision and send it; ask again after a refusal."""
        about = {"place": place, "period": view["period"]}
        reason, failure, shown_at = "", None, seat.shown_at
        try:
            for _ in range(MOST_TRIES):
                shown = {**view, "refused": reason} if reason else view
                action = await self._decide(seat.game, _left_now(shown, shown_at))
                answer = await self._ask({"kind": "act", **about, "action": action})
                if answer["kind"] == "ack":
                    self.periods += 1
                    LOG.info("%s, period %d: %s", place, view["period"], action)
                    return
                reason = answer["reason"]
            self._tell(seat.game, view, reason)
        except GiveUp as given_up:
            reason = str(given_up)
        except Exception as error:  # noqa: BLE001  other seats go on
            reason, failure = f"{type(error).__name__}: {error}", error
        default = "%s, period %d: the default is used: %s"
        LOG.warning(default, place, view["period"], reason, exc_info=failure)
        await self._ask({"kind": "give_up", **about, "reason": reason})

    async def _speak(self, seat: _Seat, place: str, before: asyncio.Task[None] | None) -> None:
        """Send the seat's messages in a talk phase, and then report that the seat is done."""
        period = seat.talked
        if before is not None:
            await before
        for _ in range(MOST_SAYINGS):
            open_now = seat.view.get("talk", {}).get("open", False)
            if self._talk is None or not open_now:
                break
            view = _left_now(seat.view, seat.shown_at)
            text = await self._talk(seat.game, view)
            if text is None:
                break
            content: Json = {"sentence": text} if isinstance(text, int) else {"text": text}
            if seat.game["talk"]["one"]:
                content["to"] = seat.game["talk"]["partners"][0]
            answer = await self._ask({"kind": "say", "place": place, **content})
            if answer["kind"] == "refused":
                self._tell(seat.game, view, answer["reason"])
        await self._ask({"kind": "done", "place": place, "period": period})

    def _tell(self, game: Json, view: Json, reason: str) -> None:
        if self._refused is not None:
            self._refused(game, view, reason)

    async def _ask(self, message: Json) -> Json:
        """Send a message with a new id, and return the server's reply to it."""
        name = next(self._names)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._answers[name] = answer
        await self._send({**message, "id": name})
        return await answer


async def play(
    url: str,
    name: str,
    key: str,
    decide: Decide,
    talk: Talk | None = None,
    seats: int | None = None,
    plays: int | None = None,
    refused: Refusals | None = None,
) -> None:
    """Play all seats that are offered, and reconnect when the connection is lost.

    seats   maximum number of seats at the same time; None: no maximum
    plays   number of plays, over all seats, after which this returns; None: it never returns

    Raises Refused.
    """
    client, wait = Client(decide, talk, plays, refused), 1.0
    while True:
        try:
            await client.connected(url, name, key, seats)
            if client.done:
                return
            wait, why = 1.0, "the connection was closed"
        except (OSError, WebSocketException) as error:
            wait, why = min(2 * wait, MOST_WAIT_SECONDS), str(error) or type(error).__name__
        LOG.warning("%s: %s; retrying in %g s", url, why, wait)
        await asyncio.sleep(wait)


async def middle(_game: Json, view: Json) -> Json:
    """Return the middle of the range in a schema, or the default if the range is unbounded."""
    return {
        name: _middle(field_schema) for name, field_schema in view["schema"]["properties"].items()
    }


def _middle(field_schema: Json) -> Any:
    if "enum" in field_schema:
        return field_schema["enum"][len(field_schema["enum"]) // 2]
    if (
        field_schema["type"] == "array"
        or "minimum" not in field_schema
        or "maximum" not in field_schema
    ):
        return field_schema["default"]
    amount = (field_schema["minimum"] + field_schema["maximum"]) / 2
    return int(amount) if field_schema["type"] == "integer" else amount


def main() -> None:
    """Run this file as a command."""
    if len(sys.argv) < 3:
        sys.exit("AGENT_KEY=... python client.py ws://127.0.0.1:8000/agents NAME [SEATS]")
    if "AGENT_KEY" not in os.environ:
        sys.exit("AGENT_KEY: not set; it should be the server's key for this name")
    logging.basicConfig(format="%(message)s")
    LOG.setLevel(logging.INFO)
    url, name, *seats = sys.argv[1:]
    seat_count = int(seats[0]) if seats else None
    try:
        asyncio.run(play(url, name, os.environ["AGENT_KEY"], middle, seats=seat_count))
    except Refused as refused:
        sys.exit(f"{url}: {refused}")
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
