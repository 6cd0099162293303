"""How many groups of three can walk at two turns a second, and how long does a person wait?

    python -m benchmarks.turns [seconds [groups ...]]

Each client does what the page does: it chooses once a turn, at a moment drawn afresh, and says that
the turn is over unless another page has said so. Two waits are measured: from a key to its ack
(`ack`), and from the end of a turn by its own time to the picture of the next one (`turn`). Beside
it, in the same run and on the same server, the same number of messages to a page with a live
method that does nothing but answer (`idle`).
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import websockets

from benchmarks.server import lay_idle_app, meet
from tests.door.harness import Server

TURN = 0.5
PEOPLE = 3
TICK_SPREAD = 0.06
PAGES = {"source": "source", "lab": "lab", "idle": "source"}
"""Pages measured, and the archetype each plays; `lab` has a bot on its fourth seat."""
SETTINGS = f"""
from settings_of_project import *
from table.setup import session_config
SESSION_CONFIGS = [
    session_config(name, "punishment_vote", archetype, people_per_group={PEOPLE}, turns=10_000,
                   quiz=False, bots="forager", pace="clock", decision_seconds={TURN})
    for name, archetype in {PAGES!r}.items()
]
SESSION_CONFIGS[-1]["app_sequence"] = ["idle_game"]
"""


class Client:
    """One page."""

    def __init__(self, socket: Any, end: float, begin: float) -> None:
        self.socket, self.end, self.begin = socket, end, begin
        self.acks: list[float] = []
        self.turns: list[float] = []
        self.messages = 0
        self.sent: dict[str, float] = {}
        self.deadline: float | None = None
        self.period = -1

    async def send(self, kind: str, **content: Any) -> None:
        self.messages += 1
        await self.socket.send(json.dumps({"kind": kind, **content}))

    async def act(self) -> None:
        name = f"{self.period} {self.messages}"
        self.sent[name] = time.perf_counter()
        action = {"action": random.randrange(7)}
        await self.send("act", id=name, period=self.period, action=action)

    def hear(self, message: dict[str, Any]) -> None:
        now = time.perf_counter()
        if message["kind"] in ("ack", "refused"):
            started = self.sent.pop(message["id"], None)
            if started is not None and now >= self.begin:
                self.acks.append(now - started)
        elif message["kind"] == "view" and message["remaining_ms"] is not None:
            if message["period"] > self.period and self.deadline is not None and now >= self.begin:
                self.turns.append(now - self.deadline)
            self.deadline = now + message["remaining_ms"] / 1000
            self.period = message["period"]

    async def listen(self, until: float) -> None:
        """Hear what comes until a moment."""
        while (left := until - time.perf_counter()) > 0:
            try:
                text = await asyncio.wait_for(self.socket.recv(), left)
            except TimeoutError:
                return
            self.hear(json.loads(text)["live_method_payload"])

    async def walk(self) -> None:
        await self.send("sync")
        while time.perf_counter() < self.end:
            turn, over = self.period, (self.deadline or time.perf_counter() + TURN)
            await self.listen(over - TURN * random.uniform(0.2, 0.9))
            if self.period == turn >= 0:
                await self.act()
            await self.listen(over + random.uniform(0, TICK_SPREAD))
            if self.period == turn:
                await self.send("tick", period=turn)
                await self.listen_for_news(turn)

    async def listen_for_news(self, turn: int) -> None:
        patience = time.perf_counter() + 1.0
        while self.period == turn and time.perf_counter() < min(patience, self.end):
            await self.listen(time.perf_counter() + 0.01)

    async def idle(self, ticks: float) -> None:
        """As many messages, to a page that only answers: one key a turn, and some ticks."""
        over = time.perf_counter()
        while time.perf_counter() < self.end:
            over += TURN
            self.period += 1
            await self.listen(over - TURN * random.uniform(0.2, 0.9))
            await self.act()
            await self.listen(over)
            if random.random() < ticks:
                await self.act()


async def run(urls: list[str], seconds: float, ticks: float | None) -> list[Client]:
    start = time.perf_counter() + 2.0 + len(urls) * 0.02
    clients: list[Client] = []

    async def one(number: int, url: str) -> None:
        async with websockets.connect(url, ping_interval=None) as socket:
            client = Client(socket, start + seconds, start)
            clients.append(client)
            await asyncio.sleep((number // PEOPLE * 0.37) % TURN)
            await (client.walk() if ticks is None else client.idle(ticks))

    await asyncio.gather(*(one(number, url) for number, url in enumerate(urls)))
    return clients


def measure(server: Server, config: str, groups: int, seconds: float, ticks: float | None) -> Any:
    session = server.session(config, groups * PEOPLE)
    people = [server.join(session) for _ in range(groups * PEOPLE)]
    for person in people:
        person.next()
    meet(people)
    return asyncio.run(run([person.live_url() for person in people], seconds, ticks))


def row(name: str, groups: int, clients: list[Client], seconds: float) -> str:
    def p95(values: list[float]) -> str:
        return (
            f"{1000 * statistics.quantiles(values, n=20)[18]:8.0f}" if len(values) > 20 else " " * 8
        )

    acks = [wait for client in clients for wait in client.acks]
    turns = [wait for client in clients for wait in client.turns]
    rate = sum(client.messages for client in clients) / (seconds + 2.0)
    settled = len(turns) / PEOPLE / groups / seconds
    return f"{groups:6d}  {name:6s} {rate:11.0f} {settled:14.2f} {p95(acks)} {p95(turns)}"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    counts = [int(count) for count in sys.argv[2:]] or [4, 8, 12, 16, 20, 24, 32]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "project"
        server = Server(place, settings=SETTINGS)
        lay_idle_app(place, "punishment_vote", "vote")
        with server:
            print(f"{seconds:g} s each; waits: 95th percentile in ms")
            print("groups  page    messages/s  turns/s/group    ack     turn")
            for groups in counts:
                for page in ("source", "lab"):
                    walked = measure(server, page, groups, seconds, None)
                    print(row(page, groups, walked, seconds), flush=True)
                keys = sum(len(client.acks) for client in walked)
                ticks = max(sum(client.messages for client in walked) - keys, 0) / max(keys, 1)
                idle = measure(server, "idle", groups, seconds, min(ticks, 1.0))
                print(row("idle", groups, idle, seconds), flush=True)


if __name__ == "__main__":
    main()
