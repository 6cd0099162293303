"""Play page without a browser: it requests, shows, decides, sends again, and reconnects.

    page = Page(url, random.Random(1), think=lambda: 0.2)
    await page.open()
    await page.over.wait()

It follows the rules of `_static/mixed/table.js`. A decision is sent until it gets a reply, always
with the same id; `sync` after every connection; `tick` if nothing has come half a second after a
deadline; and `shown` at once if a view requests it. Measurements are pairs (time, duration) in
seconds of `time.perf_counter`.
"""

from __future__ import annotations

import asyncio
import math
import random
import secrets
import time
from collections.abc import Callable
from typing import Any, NamedTuple

import orjson

from tests.crowd.promises import Promises
from tests.crowd.wire import TEXT, Socket, connected

__all__ = ["BarePage", "Late", "Page", "choice"]

BEAT_SECONDS = 1.0
RESEND_SECONDS = ALIVE_SECONDS = 3.0
OVERDUE_SECONDS = 0.5
RETRY_SECONDS = 0.2

View = dict[str, Any]


def choice(view: View, draw: random.Random) -> dict[str, int]:
    """Return an action that the seat may choose now, with a whole number for each field."""
    return {field: _number(limits, draw) for field, limits in view["limits"].items()}


def _number(limits: list[Any], draw: random.Random) -> int:
    low, high, *listed = limits
    if listed:
        return int(draw.choice(listed[0]))
    least = math.ceil(low or 0)
    return draw.randint(least, max(least, least + 10 if high is None else math.floor(high)))


class Late(NamedTuple):
    """Decision that came too late: its period, the seconds until the page learnt that, and the
    seconds that were shown as remaining when it was sent."""

    period: int
    wait: float
    left: float


class Page:
    """Play page; see the module's docstring.

    think      seconds from a view to the decision, drawn for each decision
    returns    whether it reconnects after losing the connection
    holds      whether it makes no decisions for now; call `next` afterwards
    promises   messages that it sent, and their acknowledgements
    acks       waits for replies to decisions
    turns      waits from the deadline of a period to the view of the next one
    late       decisions whose period was over when they arrived
    history    all periods, from the last answer to `sync`
    refusals   reasons for refusals
    raised     number of errors in the server's code
    lost       number of lost connections
    """

    def __init__(
        self, url: str, draw: random.Random, think: Callable[[], float], returns: bool = True
    ) -> None:
        self.url, self.think, self.returns = url, think, returns
        self.holds = False
        self.draw = draw
        self.promises = Promises()
        self.acks: list[tuple[float, float]] = []
        self.turns: list[tuple[float, float]] = []
        self.late: list[Late] = []
        self.history: list[dict[str, Any]] | None = None
        self.refusals: list[str] = []
        self.raised = self.lost = 0
        self.messages = 0
        self.view: View | None = None
        self.seen = asyncio.Event()
        self.answered = asyncio.Event()
        self.over = asyncio.Event()
        self._socket: Socket | None = None
        self._decided = -1
        self._pending: dict[str, Any] | None = None
        self._sent = self._first = self._spoke = self._left = 0.0
        self._deadline: float | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._coming: asyncio.Task[None] | None = None

    # -- coming and going ---------------------------------------------------------------------

    async def open(self) -> None:
        """Connect. Raise OSError if that fails."""
        self._socket = await connected(self.url, self.hear, self._gone)
        self.seen.clear()
        if self._pending is not None:
            self._deliver()
        self.greet()
        self._later("beat", BEAT_SECONDS, self._beat)

    def greet(self) -> None:
        """Request the whole view."""
        self.send({"kind": "sync"})

    def close(self, by: str = "close") -> None:
        """Leave for good: by `close`, as a browser does, or by `abort`, as when a connection is
        cut."""
        self.returns = False
        for timer in self._timers.values():
            timer.cancel()
        if self._coming is not None:
            self._coming.cancel()
        if self._socket is not None:
            getattr(self._socket, by)()

    def cut(self) -> None:
        """Lose the connection."""
        if self._socket is not None:
            self._socket.abort()

    def _gone(self) -> None:
        self._socket = None
        self.seen.clear()
        if self.returns and not self.over.is_set():
            self.lost += 1
            self._coming = asyncio.get_running_loop().create_task(self._come_back())

    async def _come_back(self) -> None:
        while self._socket is None:
            await asyncio.sleep(RETRY_SECONDS * self.draw.uniform(0.5, 1.5))
            try:
                await self.open()
            except (OSError, TimeoutError):
                continue

    # -- sending ------------------------------------------------------------------------------

    def send(self, message: dict[str, Any]) -> None:
        """Send a message. Without a connection it is lost."""
        self.messages += 1
        self._spoke = time.perf_counter()
        self.promises.sent(message)
        self.send_bytes(orjson.dumps(message))

    def send_bytes(self, content: bytes, kind: int = TEXT) -> None:
        """Send arbitrary bytes."""
        if self._socket is not None:
            self._socket.send(content, kind)

    def _decide(self) -> None:
        view = self.view
        if view is None or self._pending is not None:
            return
        if view["phase"] != "decide":  # paused meanwhile; it decides after the pause
            self._decided = view["period"] - 1
            return
        self._decided = view["period"]
        name = secrets.token_hex(6)  # unique, also among pages with the same seed
        action = self.chosen(view)
        self._pending = {"kind": "act", "id": name, "period": view["period"], "action": action}
        self._first = time.perf_counter()
        self._left = math.inf if self._deadline is None else self._deadline - self._first
        self._deliver()

    def chosen(self, view: View) -> dict[str, Any]:
        """Return the action to send."""
        return choice(view, self.draw)

    def _deliver(self) -> None:
        self._sent = time.perf_counter()
        if self._pending is not None:
            self.send(self._pending)

    def _beat(self) -> None:
        now, late = time.perf_counter(), self._deadline
        if self._pending is not None and now - self._sent > RESEND_SECONDS:
            self._deliver()
        elif late is not None and now > late + OVERDUE_SECONDS and not self.over.is_set():
            self.send({"kind": "tick", "period": self.view["period"] if self.view else 0})
        elif now - self._spoke > ALIVE_SECONDS:
            self.send({"kind": "alive"})
        self._later("beat", BEAT_SECONDS, self._beat)

    # -- receiving ----------------------------------------------------------------------------

    def hear(self, text: bytes) -> None:
        """Process the text of a frame."""
        frame = orjson.loads(text)
        if not frame["otree_success"]:
            self.raised += 1
            return
        self.hear_message(frame["live_method_payload"])

    def hear_message(self, message: dict[str, Any]) -> None:
        """Process a message from the table."""
        if "sent_ms" in message:
            self.send({"kind": "shown", "sent_ms": message["sent_ms"]})
        if message["kind"] == "view":
            self._show(message)
        elif self._pending is not None and message["id"] == self._pending["id"]:
            self._answer(message)
        else:
            self.promises.answered(message)
            self.refusals += [message["reason"]] if message["kind"] == "refused" else []

    def _answer(self, message: dict[str, Any]) -> None:
        now = time.perf_counter()
        period = self._pending["period"] if self._pending else 0
        self._pending = None
        self.promises.answered(message)
        self.acks.append((now, now - self._first))
        self.answered.set()
        if message["kind"] == "refused":
            self.refusals.append(message["reason"])
            if message.get("period", period) > period:
                self.late.append(Late(period, now - self._first, self._left))
            if self.view is not None and message.get("period") == self.view["period"]:
                self._decided -= 1  # the person can choose again
        self.next()

    def _show(self, view: View) -> None:
        now = time.perf_counter()
        before = -1 if self.view is None else self.view["period"]
        if view["period"] > before and self._deadline is not None:
            self.turns.append((now, now - self._deadline))
        left = view["remaining_ms"]
        self._deadline = None if left is None else now + left / 1000
        self.view = view
        self.history = view.get("history", self.history)
        self.seen.set()
        if view["phase"] == "over":
            self.over.set()
        self.next()

    def next(self) -> None:
        """Decide after a while if there is a new decision to make."""
        view = self.view
        if view is None or view["phase"] != "decide" or view["period"] <= self._decided:
            return
        if self._pending is None and not self.holds:
            self._decided = view["period"]
            self._later("decide", self.think(), self._decide)

    def _later(self, name: str, seconds: float, function: Callable[[], None]) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        loop = asyncio.get_running_loop()
        self._timers[name] = loop.call_later(seconds, function)


class BarePage(Page):
    """Page whose live method only replies. Each reply counts as the next period."""

    def greet(self) -> None:
        self.view = {"phase": "decide", "period": 0, "limits": {}}
        self.seen.set()
        self.next()

    def chosen(self, view: View) -> dict[str, Any]:
        return {"harvest": 1, "contribution": 0}

    def next(self) -> None:
        if self.view is not None and self.acks:
            self.view["period"] = len(self.acks)
        super().next()
