"""Let people come and go for a long time. Memory and the time per message must stay constant."""

from __future__ import annotations

import asyncio
import random
import time
from argparse import ArgumentParser, Namespace

import requests

from mixed_company import engine
from tests.crowd.page import Page
from tests.crowd.places import DATABASES, lasting, running, seated, session
from tests.door.harness import Server
from tests.drills import trend
from tests.drills.drill import Report
from tests.drills.wave import Person, differences
from tests.loops import complete

__all__ = ["FEWEST_VISITS", "PEOPLE", "configure", "on", "run"]

PEOPLE = 5
"""Number of people per game."""
FEWEST_VISITS = 2
"""Minimum number of visits per person, however short the drill is."""

STAY_SECONDS = (0.2, 4.0)
AWAY_SECONDS = (0.0, 1.0)
THINK_SECONDS = (0.2, 1.0)
PATIENCE_SECONDS = 300.0


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database) as server:
        return on(server, 60 * chosen.minutes, chosen.seed)


def on(server: Server, seconds: float, seed: int) -> Report:
    """Let people come and go for `seconds`."""
    return complete(_all(server, seconds, seed))


async def _all(server: Server, seconds: float, seed: int) -> Report:
    draw, codes, people = random.Random(seed), [], []
    for game_id in engine.game_ids():
        created = await asyncio.to_thread(
            session, server, game_id, PEOPLE, **lasting(game_id, 10_000), people_per_group=1
        )
        codes.append(created["code"])
        for visitor in await seated(created["session_wide_url"], PEOPLE):
            page = Page(visitor.live_url(), random.Random(draw.getrandbits(32)), lambda: 0.0)
            people.append(Person(game_id, visitor, page))
    end = time.perf_counter() + seconds
    watching = asyncio.create_task(trend.watched(server, end))
    visits = await asyncio.gather(*(_visits(person.page, end) for person in people))
    looks = await watching
    faults = await asyncio.to_thread(lambda: list(differences(server, codes, people, over=False)))
    faults += await _all_gone(server)
    waits = sorted(pair for person in people for pair in person.page.acks)
    measured = {"visits": sum(visits), **trend.figures(looks, waits), "acked": len(waits)}
    return Report(measured, faults)


async def _visits(page: Page, end: float) -> int:
    """Let one person come and go, and return the number of visits. All visits share one set of
    promises."""
    count, draw = 0, page.draw
    while count < FEWEST_VISITS or time.perf_counter() < end:
        visit = Page(page.url, draw, lambda: draw.uniform(*THINK_SECONDS))
        visit.promises, visit.acks = page.promises, page.acks
        await visit.open()
        await asyncio.wait_for(visit.seen.wait(), PATIENCE_SECONDS)
        await asyncio.sleep(draw.uniform(*STAY_SECONDS))
        visit.close(draw.choice(("close", "abort")))
        page.raised += visit.raised
        count += 1
        await asyncio.sleep(draw.uniform(*AWAY_SECONDS))
    return count


async def _all_gone(server: Server) -> list[str]:
    """Check that the server knows that everyone has left."""
    deadline = time.perf_counter() + PATIENCE_SECONDS
    while True:
        answer = await asyncio.to_thread(requests.get, f"{server.url}/live_state", timeout=60)
        if "pages connected: 0" in answer.text:
            return []
        if time.perf_counter() > deadline:
            return [f"everybody has gone, but the server reports: {answer.text}"]
        await asyncio.sleep(0.1)
