"""Take the server or its database down for longer than the grace period, and change the clock.

An outage lasts AWAY_SECONDS, and a person without contact for GRACE_SECONDS counts as gone. If the
outage counted, policies would take over all seats. The machine's clock is set back or forward by up
to a day while the server is down. Any seat that is taken over is a fault.

A killed server, cut connections and a full disk are separate drills (`crash`, `connection`,
`disk`).
"""

from __future__ import annotations

import asyncio
import csv
import io
import random
import signal
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from contextlib import closing
from dataclasses import replace
from typing import Any

import psycopg2

from tests.crowd.places import DATABASES, running
from tests.door.clocks import set_clock, settings
from tests.door.harness import Server
from tests.drills.drill import Report
from tests.drills.wave import Size, Wave, struck
from tests.loops import complete

__all__ = ["configure", "on", "run"]

GRACE_SECONDS = 10.0
AWAY_SECONDS = (12.0, 15.0)
MOST_SET_SECONDS = 86_400
BACK, FORWARD = "server away, clock back", "server away, clock forward"
DATABASE = "database away"


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--outages", type=int, default=40)
    parser.add_argument("--database", choices=DATABASES, default="postgresql")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database, settings=settings()) as server:
        return on(server, chosen.outages, chosen.seed)


def on(server: Server, outages: int, seed: int, size: Size | None = None) -> Report:
    """Cause outages of a server with an adjustable clock, or of its database."""
    outage = _Outage(server, random.Random(seed))
    size = replace(size or Size(groups=1), grace=GRACE_SECONDS)
    report = complete(struck(server, outage.blow, outages, size, seed, outage.begun))
    gone = [line for created in outage.sessions for line in _taken(server, created)]
    return Report({**report.figures, **outage.counts}, [*report.faults, *gone])


class _Outage:
    """Source of outages. Every kind happens once before any is repeated."""

    def __init__(self, server: Server, draw: random.Random) -> None:
        self.server, self.draw = server, draw
        self.counts: Counter[str] = Counter()
        self.sessions: list[dict[str, Any]] = []
        self._left: list[str] = []

    async def begun(self, wave: Wave) -> None:
        self.sessions += wave.sessions

    async def blow(self) -> None:
        kinds = [BACK, FORWARD]
        kinds += [] if self.server.database_url is None else [DATABASE]
        self._left = self._left or self.draw.sample(kinds, len(kinds))
        kind = self._left.pop()
        self.counts[kind] += 1
        away = self.draw.uniform(*AWAY_SECONDS)
        if kind == DATABASE:
            await asyncio.to_thread(_without_database, str(self.server.database_url), away)
        else:
            set_by = self.draw.uniform(0, MOST_SET_SECONDS) * (1 if kind == FORWARD else -1)
            await asyncio.to_thread(self._away, away, set_by)

    def _away(self, seconds: float, set_by: float) -> None:
        self.server.stop(self.draw.choice((signal.SIGTERM, signal.SIGKILL)))
        set_clock(self.server, set_by)
        time.sleep(seconds)
        self.server.start()


def _without_database(url: str, seconds: float) -> None:
    """End all connections to the database, and allow no new ones for `seconds`."""
    name = url.split("?")[0].rsplit("/", 1)[1]
    beside = url.replace(f"/{name}?", "/template1?")
    with closing(psycopg2.connect(beside)) as other, other.cursor() as cursor:
        other.autocommit = True
        cursor.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (name,)
            )
            time.sleep(seconds)
        finally:
            cursor.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


def _taken(server: Server, session: dict[str, Any]) -> list[str]:
    """Return the seats that were taken over, although everyone was present."""
    rows = csv.DictReader(io.StringIO(server.table("seats", session)))
    return [f"{session['app']}: {row}" for row in rows if row["reason"] != "seated"]
