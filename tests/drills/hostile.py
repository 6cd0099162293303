"""Send what no page sends, at a table of every game, beside somebody who plays."""

from __future__ import annotations

import asyncio
import json
import random
import statistics
from argparse import ArgumentParser, Namespace
from typing import Any

import engine
from tests.crowd.page import Page, View
from tests.crowd.places import DATABASES, lasting, running, seated, session
from tests.crowd.wire import BINARY, TEXT
from tests.door.harness import Server
from tests.drills.drill import Report
from tests.drills.messages import hostile
from tests.drills.wave import Person, differences
from tests.loops import complete

__all__ = ["configure", "on", "run"]

PORTION = 20
AGAIN = 0.05
"""So often a decision that is saved is sent again, with the same id and another action."""

PATIENCE_SECONDS = 300.0
THINK_SECONDS = 0.05


def configure(parser: ArgumentParser) -> None:
    """Declare how long it is."""
    parser.add_argument("--messages", type=int, default=20_000, help="for each game")
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Do it, on a server of its own."""
    with running(chosen.database) as server:
        return on(server, chosen.messages, chosen.seed)


def on(server: Server, messages: int, seed: int) -> Report:
    """Send so many to each game's table."""
    return complete(_all(server, messages, seed))


class HostilePage(Page):
    """A page that plays, and sends everything else besides."""

    def __init__(self, url: str, draw: random.Random) -> None:
        super().__init__(url, draw, lambda: THINK_SECONDS)
        self.refused = 0
        self._marked: asyncio.Future[None] | None = None

    def shoot(self, view: View) -> None:
        """Send something."""
        message = hostile(view, self.draw)
        promises = self.promises
        if promises.acknowledged and self.draw.random() < AGAIN:
            old = promises.acts[self.draw.choice(promises.acknowledged)]
            message = {**old, "action": self.chosen(view)}  # saved already: nothing changes
        if isinstance(message, bytes):
            self.send_bytes(message, TEXT if message.isascii() else BINARY)
        elif isinstance(message, dict):
            self.send(message)
        else:
            self.send_bytes(json.dumps(message).encode())

    async def mark(self, number: int) -> None:
        """Wait until the server has come to the end of all that was sent."""
        self._marked = asyncio.get_running_loop().create_future()
        self.send_bytes(json.dumps({"kind": "act", "id": f"mark {number}"}).encode())
        await asyncio.wait_for(self._marked, PATIENCE_SECONDS)

    def hear_message(self, message: dict[str, Any]) -> None:
        """Count what is refused."""
        self.refused += message["kind"] == "refused"
        if str(message.get("id")).startswith("mark ") and self._marked is not None:
            self._marked.set_result(None)
        super().hear_message(message)


async def _all(server: Server, messages: int, seed: int) -> Report:
    draw, codes, people = random.Random(seed), [], []
    for game_id in engine.game_ids():
        changes = {**lasting(game_id, 10_000), "people_per_group": 2}
        own = await asyncio.to_thread(session, server, game_id, 2, **changes)
        honest, other = await seated(own["session_wide_url"], 2)
        page = Page(honest.live_url(), random.Random(seed), lambda: THINK_SECONDS)
        enemy = HostilePage(other.live_url(), random.Random(draw.getrandbits(32)))
        await asyncio.gather(page.open(), enemy.open())
        await _shoot(enemy, messages)
        await asyncio.wait_for(page.answered.wait(), PATIENCE_SECONDS)  # also on a quick machine
        for each in (page, enemy):
            each.close()
        codes.append(own["code"])
        people += [Person(game_id, honest, page), Person(game_id, other, enemy)]
    faults = await asyncio.to_thread(lambda: list(differences(server, codes, people, over=False)))
    return Report(_figures(server, messages, people), faults + _hung_up(people))


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
        "most ms": f"{1000 * max(waits):.0f}",
    }


def _hung_up(people: list[Person]) -> list[str]:
    return [
        f"{person.game_id}, {person.visitor.code}: lost the connection {person.page.lost} times"
        for person in people
        if person.page.lost
    ]
