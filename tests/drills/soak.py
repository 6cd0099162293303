"""Play all games for hours, session after session. Memory and cost must not grow.

Two hundred people come, play and see their results. Then new sessions are created, and other people
come. Memory and the cost of a decision must not grow, and the export of every session must be
correct.
"""

from __future__ import annotations

import asyncio
import random
import time
from argparse import ArgumentParser, Namespace

from mixed_company import engine
from tests.crowd.places import DATABASES, running
from tests.door.harness import Server
from tests.drills import trend
from tests.drills.drill import Report
from tests.drills.wave import Size, Wave, differences
from tests.loops import complete

__all__ = ["configure", "on", "run"]

PERIODS = 60
THINK_SECONDS = (0.5, 2.0)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--minutes", type=float, default=120.0)
    parser.add_argument(
        "--people", type=int, default=200, help="people at the same time, in all games together"
    )
    parser.add_argument("--database", choices=DATABASES, default="postgresql")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    groups = max(chosen.people // (2 * len(engine.game_ids())), 1)
    with running(chosen.database) as server:
        size = Size(groups=groups, periods=PERIODS, think=THINK_SECONDS)
        return on(server, 60 * chosen.minutes, chosen.seed, size)


def on(server: Server, seconds: float, seed: int, size: Size) -> Report:
    """Run waves of people one after the other. No wave starts after `seconds`."""
    return complete(_all(server, seconds, seed, size))


async def _all(server: Server, seconds: float, seed: int, size: Size) -> Report:
    draw, waves = random.Random(seed), list[Wave]()
    end = time.perf_counter() + seconds
    watching = asyncio.create_task(trend.watched(server, end))
    while time.perf_counter() < end:
        waves.append(await Wave.begin(server, size, draw))
        await waves[-1].end()
    faults = [fault for wave in waves for fault in await asyncio.to_thread(_wrong, server, wave)]
    pages = [person.page for wave in waves for person in wave.people]
    waits = sorted(pair for page in pages for pair in page.acks)
    measured = {
        "database": "SQLite" if server.database_url is None else "PostgreSQL",
        "plays": len(pages) // 2,
        "acked": sum(len(page.promises.acknowledged) for page in pages),
        "refused": sum(len(page.refusals) for page in pages),
        **trend.figures(await watching, waits),
    }
    return Report(measured, faults)


def _wrong(server: Server, wave: Wave) -> list[str]:
    codes = [created["code"] for created in wave.sessions]
    return list(differences(server, codes, wave.people))
