"""Kill the server at random moments, and start it again: in play, and while people come.

Half of the kills fall, if it takes so many, in the time in which sessions are created and people
read, hand in pages and wait in the lobby; who gets no answer tries again. Then no session may be
half made, and no place taken by nobody: there are as many as people.
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
    """Declare how long it is."""
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--database", choices=DATABASES, default="sqlite")


def run(chosen: Namespace) -> Report:
    """Do it, on a server of its own."""
    with running(chosen.database) as server:
        return on(server, chosen.kills, chosen.seed)


def on(server: Server, kills: int, seed: int, size: Size | None = None) -> Report:
    """Kill a server so often."""

    def kill() -> None:
        server.stop(signal.SIGKILL)
        server.start()

    async def blow() -> None:
        await asyncio.to_thread(kill)

    report = complete(struck(server, blow, kills, size or Size(), seed, coming=True))
    return Report(report.figures, [*report.faults, *_half_made(server)])


def _half_made(server: Server) -> list[str]:
    """The sessions that are listed and lack some of their places."""
    listed = requests.get(f"{server.url}/api/sessions", timeout=60).json()
    faults = []
    for own in listed:
        address = f"{server.url}/api/get_session/{own['code']}"
        told = requests.post(address, json={}, timeout=60)
        places = len(told.json()["participants"]) if told.ok else told.status_code
        if places != own["num_participants"]:
            faults.append(f"session {own['code']}: {own['num_participants']} places, {places}")
    return faults
