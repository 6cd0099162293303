"""Waiting times of a hundred outside agents, each with a separate connection and seat.

    python -m benchmarks.agents [database [agents]]

Four agents (`mixed_company/agents/client.py`) and a person play in a group of the commons. Agents
decide as soon as they see a period, so the four agents of a group decide at the same time. The
person decides one to two seconds after the start. A wait is the time from a decision to its
acknowledgement. It is measured in the agents' process, which is separate from those of the server
and the people.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from multiprocessing.connection import Connection
from typing import Any

from benchmarks.served import GAME, arguments, busy, live_urls, served
from mixed_company.agents.client import Client, middle
from tests.crowd.clients import Crowd, measured, percentile
from tests.crowd.processes import many_sockets

SECONDS, WARM = 30.0, 2.0
THINK = (1.0, 2.0)
GROUP = 4
NAME, KEY = "crowd", "a-key-of-at-least-16-characters"


class Timed(Client):
    """Client that records when each decision is acknowledged and how long that took."""

    def __init__(self) -> None:
        super().__init__(middle)
        self.waits: list[tuple[float, float]] = []

    async def _ask(self, message: dict[str, Any]) -> dict[str, Any]:
        began = time.perf_counter()
        answer = await super()._ask(message)
        if (message["kind"], answer["kind"]) == ("act", "ack"):
            self.waits.append((time.perf_counter(), time.perf_counter() - began))
        return answer


def played(url: str, agents: int, pipe: Connection) -> None:
    """Run agents until a message arrives, and reply with their waits."""
    many_sockets()

    async def play() -> None:
        clients = [Timed() for _ in range(agents)]
        tasks = [asyncio.create_task(agent.connected(url, NAME, KEY, seats=1)) for agent in clients]
        await asyncio.to_thread(pipe.recv)
        pipe.send([pair for agent in clients for pair in agent.waits])
        for task in tasks:
            task.cancel()

    asyncio.run(play())


def main() -> None:
    name, (agents, *_) = arguments(100)
    with served(name, MIXED_AGENTS=f"{NAME}={KEY}") as server:
        pipe, end_of_agents = multiprocessing.Pipe()
        address = server.url.replace("http", "ws") + "/agents"
        context = multiprocessing.get_context("spawn")
        process = context.Process(target=played, args=(address, round(agents), end_of_agents))
        process.start()
        seats = {"people_per_group": 1, "seats": 1 + GROUP, "bots": f"outside:{NAME}"}
        urls = live_urls(server, GAME, round(agents) // GROUP, **busy(GAME) | seats)
        people = measured(server, Crowd(urls, THINK), SECONDS, WARM)
        end = time.perf_counter()
        pipe.send("end")
        waits = [1000 * wait for when, wait in pipe.recv() if when > end - SECONDS]
        process.join()
    print(f"{name}: {agents:.0f} agents and {len(urls)} people; {SECONDS:g} s")
    print("            decisions/s    p50 ms   p95 ms   p99 ms   max ms")
    for who, sample in (("agents", waits), ("people", people.acks)):
        ranks = "".join(f"{percentile(sample, percent):9.1f}" for percent in (50, 95, 99))
        print(f"{who:10s} {len(sample) / SECONDS:12.1f} {ranks} {max(sample):8.1f}")


if __name__ == "__main__":
    main()
