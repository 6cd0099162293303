"""A fleet: servers side by side, and the front before them, until it is to end."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from engine.contract.errors import ConfigError
from server.fleet.front import PROXIES, TRUSTED, Front
from server.fleet.keeper import Keeper
from server.fleet.owners import MOST_SERVERS

__all__ = ["alone", "check_database", "ports_behind", "serve"]

LOOK_SECONDS = 0.2
MAX_PORT = 65535
KEY = 6_015_008
"""The lock in the database that a fleet holds; any number that nobody else uses."""


def ports_behind(port: int, servers: int) -> list[int]:
    """The ports of the servers behind a front: those that follow. Raises ConfigError."""
    if not 1 <= servers <= MOST_SERVERS:
        raise ConfigError(f"--servers = {servers}: should be from 1 to {MOST_SERVERS}")
    if not 1 <= port <= MAX_PORT - servers:
        raise ConfigError(f"--port = {port}: should be from 1 to {MAX_PORT - servers}")
    return list(range(port + 1, port + 1 + servers))


def check_database(url: str | None) -> str:
    """Its address. Raises ConfigError where several servers cannot share it."""
    if not url or url.startswith("sqlite"):
        raise ConfigError(
            f"DATABASE_URL = {url or ''!r}: SQLite has one writer, and several servers need "
            "PostgreSQL: set DATABASE_URL to postgresql://USER:PASSWORD@HOST/DATABASE; "
            "one server alone plays on SQLite: mixed play"
        )
    return url


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Be the only fleet on this database. Raises ConfigError where there is another, or none."""
    engine = create_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    try:
        connection = engine.connect()
        free = connection.execute(text("SELECT pg_try_advisory_lock(:key)"), key=KEY).scalar()
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", error)).strip().splitlines()[0]
        raise ConfigError(f"DATABASE_URL: the database cannot be reached: {reason}") from None
    try:
        if not free:
            raise ConfigError(
                "DATABASE_URL: other servers are on this database, and a session has one owner; "
                "end them first"
            )
        yield
    finally:
        with suppress(SQLAlchemyError):  # cut meanwhile
            connection.close()


async def serve(
    host: str, port: int, servers: int, variables: Mapping[str, str], ready: Callable[[], None]
) -> None:
    """Run servers and the front before them until SIGINT or SIGTERM.

    `ready` is called when all answer. Raises NotStartedError, or OSError for a port that is taken.
    """
    ports = ports_behind(port, servers)
    keeper, over = Keeper(ports, port, variables), asyncio.Event()
    front = Front(ports, trusted=variables.get(PROXIES, TRUSTED))
    _listen_for_the_end(over)
    try:
        await asyncio.to_thread(keeper.start)
        await front.open(host, port)
        ready()
        await _until(over, keeper)
    finally:
        await front.close()
        await asyncio.to_thread(keeper.end)


async def _until(over: asyncio.Event, keeper: Keeper) -> None:
    while not over.is_set():
        keeper.look()
        try:
            await asyncio.wait_for(over.wait(), LOOK_SECONDS)
        except TimeoutError:
            continue


def _listen_for_the_end(over: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        try:
            loop.add_signal_handler(getattr(signal, name), over.set)
        except (AttributeError, NotImplementedError):  # Windows: Ctrl-C ends the loop
            continue
