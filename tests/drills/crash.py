"""Kill the server at random moments during play and while people arrive, and restart it.

Up to half of the kills come while sessions are created and while people read, submit pages and wait
in the lobby. Clients that get no response try again. Afterwards no session may be incomplete, and
the number of occupied places must equal the number of people.
"""

from __future__ import annotations

import asyncio
import signal
from argparse import ArgumentParser, Namespace

import requests

from tests.crowd.places import DATABASES, running
from tests.door.harness import Server
from tests.drills.drill import Report
from tests.drills.wave import Size, struck
from tests.loops import complete

__all__ = ["configure", "on", "run"]


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments of the drill."""
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Run the drill on a separate server."""
    with running(chosen.database) as server:
        return on(server, chosen.kills, chosen.seed)


def on(server: Server, kills: int, seed: int, size: Size | None = None) -> Report:
    """Kill a server this many times."""

    def kill() -> None:
        server.stop(signal.SIGKILL)
        server.start()

    async def blow() -> None:
        await asyncio.to_thread(kill)

    report = complete(struck(server, blow, kills, size or Size(), seed, coming=True))
    return Report(report.figures, [*report.faults, *_half_made(server)])


def _half_made(server: Server) -> list[str]:
    """Return the listed sessions in which some places are missing."""
    listed = requests.get(f"{server.url}/api/sessions", timeout=60).json()
    faults = []
    for entry in listed:
        address = f"{server.url}/api/get_session/{entry['code']}"
        details = requests.post(address, json={}, timeout=60)
        places = len(details.json()["participants"]) if details.ok else details.status_code
        if places != entry["num_participants"]:
            faults.append(f"session {entry['code']}: {entry['num_participants']} places, {places}")
    return faults
