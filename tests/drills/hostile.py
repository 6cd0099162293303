"""Send invalid messages to a table of every game, and invalid requests to the server, during play.

It is a fault if the server fails on a request (500), or if it neither responds nor closes the
connection within REQUEST_SECONDS.
"""

from __future__ import annotations

import asyncio
import json
import random
import statistics
from argparse import ArgumentParser, Namespace
from typing import Any

from mixed_company import engine
from tests.crowd.page import Page, View
from tests.crowd.places import DATABASES, lasting, running, seated, session
from tests.crowd.wire import BINARY, TEXT
from tests.door.harness import Server
from tests.drills import asking
from tests.drills.drill import Report
from tests.drills.messages import hostile
from tests.drills.wave import Person, differences
from tests.loops import complete

__all__ = ["configure", "on", "run"]

PORTION = 20
AGAIN = 0.05
"""Share of messages that repeat a saved decision's id with another action."""

PATIENCE_SECONDS = 300.0
REQUEST_SECONDS = 60.0
AT_ONCE = 100
CLOSED, LATE = 0, -1
FAILED = {500: "the server failed", LATE: f"no answer in {REQUEST_SECONDS:g} s"}
THINK_SECONDS = 0.05


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--messages", type=int, default=20_000, help="messages per game")
    parser.add_argument("--requests", type=int, default=4_000, help="HTTP requests")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database) as server:
        return on(server, chosen.messages, chosen.requests, chosen.seed)


def on(server: Server, messages: int, requests: int, seed: int) -> Report:
    """Send these messages to each game's table, and these requests to the server."""
    return complete(_all(server, messages, requests, seed))


class HostilePage(Page):
    """Page that plays and also sends hostile messages."""

    def __init__(self, url: str, draw: random.Random) -> None:
        super().__init__(url, draw, lambda: THINK_SECONDS)
        self.refused = 0
        self._marked: asyncio.Future[None] | None = None

    def shoot(self, view: View) -> None:
        """Send a hostile message."""
        message = hostile(view, self.draw)
        promises = self.promises
        if promises.acknowledged and self.draw.random() < AGAIN:
            old = promises.acts[self.draw.choice(promises.acknowledged)]
            message = {**old, "action": self.chosen(view)}  # already saved, so nothing changes
        if isinstance(message, bytes):
            self.send_bytes(message, TEXT if message.isascii() else BINARY)
            return
        if isinstance(message, dict):
            self.promises.sent(message)
        self.send_bytes(json.dumps(message).encode())  # may contain numbers of any size

    async def mark(self, number: int) -> None:
        """Wait until the server has processed all messages that were sent."""
        self._marked = asyncio.get_running_loop().create_future()
        self.send_bytes(json.dumps({"kind": "act", "id": f"mark {number}"}).encode())
        await asyncio.wait_for(self._marked, PATIENCE_SECONDS)

    def hear_message(self, message: dict[str, Any]) -> None:
        """Count rejections."""
        self.refused += message["kind"] == "refused"
        if str(message.get("id")).startswith("mark ") and self._marked is not None:
            self._marked.set_result(None)
        super().hear_message(message)


async def _all(server: Server, messages: int, requests: int, seed: int) -> Report:
    draw, codes, people = random.Random(seed), [], []
    for game_id in engine.game_ids():
        changes = {**lasting(game_id, 10_000), "people_per_group": 2}
        created = await asyncio.to_thread(session, server, game_id, 2, **changes)
        honest, other = await seated(created["session_wide_url"], 2)
        page = Page(honest.live_url(), random.Random(seed), lambda: THINK_SECONDS)
        enemy = HostilePage(other.live_url(), random.Random(draw.getrandbits(32)))
        await asyncio.gather(page.open(), enemy.open())
        await _shoot(enemy, messages)
        await asyncio.wait_for(page.answered.wait(), PATIENCE_SECONDS)  # even on a fast machine
        for opened in (page, enemy):
            opened.close()
        codes.append(created["code"])
        people += [Person(game_id, honest, page), Person(game_id, other, enemy)]
    addresses = [f"/{person.visitor.page.url.split('/', 3)[3]}" for person in people]
    hostile_requests = [asking.hostile(draw.choice(addresses), draw) for _ in range(requests)]
    statuses = await _all_answered(server.port, hostile_requests)
    faults = await asyncio.to_thread(lambda: list(differences(server, codes, people, over=False)))
    figures = _figures(server, messages, people)
    figures |= {"requests": requests, "answered": len(statuses) - statuses.count(CLOSED)}
    failed = [
        f"{FAILED[status]}: {request[:200]!r}"
        for request, status in zip(hostile_requests, statuses, strict=True)
        if status in FAILED
    ]
    return Report(figures, faults + failed + _hung_up(people))


async def _all_answered(port: int, requests: list[bytes]) -> list[int]:
    """Return the statuses of the responses. Send requests in batches, because many never end."""
    statuses: list[int] = []
    for start in range(0, len(requests), AT_ONCE):
        some = requests[start : start + AT_ONCE]
        statuses += await asyncio.gather(*(_answered(port, request) for request in some))
    return statuses


async def _answered(port: int, request: bytes) -> int:
    """Return the status of the response; CLOSED if there is none, LATE if it takes too long."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        writer.write(request)
        head = await asyncio.wait_for(reader.readline(), REQUEST_SECONDS)
        return int(head.split()[1]) if head.startswith(b"HTTP/") else CLOSED
    except ConnectionError:
        return CLOSED
    except TimeoutError:
        return LATE
    finally:
        writer.close()


async def _shoot(enemy: HostilePage, messages: int) -> None:
    await enemy.seen.wait()
    for number in range(messages):
        if enemy.view is not None:
            enemy.shoot(enemy.view)
        if number % PORTION == PORTION - 1:
            await enemy.mark(number)
    await enemy.mark(messages)


def _figures(server: Server, messages: int, people: list[Person]) -> dict[str, object]:
    enemies = [person.page for person in people if isinstance(person.page, HostilePage)]
    honest = [person.page for person in people if not isinstance(person.page, HostilePage)]
    waits = [wait for page in honest for _, wait in page.acks]
    return {
        "database": "SQLite" if server.database_url is None else "PostgreSQL",
        "messages": messages * len(enemies),
        "refused": sum(page.refused for page in enemies),
        "acked": sum(len(page.promises.acknowledged) for page in enemies),
        "beside": len(waits),
        "median ms": f"{1000 * statistics.median(waits):.1f}",
        "max ms": f"{1000 * max(waits):.0f}",
    }


def _hung_up(people: list[Person]) -> list[str]:
    return [
        f"{person.game_id}, {person.visitor.code}: lost the connection {person.page.lost} times"
        for person in people
        if person.page.lost
    ]
