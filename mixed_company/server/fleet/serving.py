"""Runs a fleet (several servers with a proxy in front of them) until it is stopped."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event

from sqlalchemy import create_engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.fleet.entrance import Entrance
from mixed_company.server.fleet.keeper import Keeper
from mixed_company.server.fleet.owners import MOST_SERVERS
from mixed_company.server.fleet.proxy import PROXIES, Proxy

LOOK_SECONDS = 0.2
FOLDER = ".servers"
RESTART = "restart"
"""File in the run folder that exists while a restart of the servers is pending."""

MAX_PORT = 65535
KEY = 6_015_008
"""Key of a fleet's database lock; an arbitrary unused number."""


def ports_behind(port: int, servers: int) -> list[int]:
    """Return the servers' ports, which follow the proxy's port. Raises ConfigError."""
    if not 1 <= servers <= MOST_SERVERS:
        raise ConfigError(f"--servers = {servers}: should be from 1 to {MOST_SERVERS}")
    if not 1 <= port <= MAX_PORT - servers:
        raise ConfigError(f"--port = {port}: should be from 1 to {MAX_PORT - servers}")
    return list(range(port + 1, port + 1 + servers))


def check_database(url: str | None) -> str:
    """Return the database's address. Raises ConfigError if several servers cannot share it."""
    if not url or url.startswith("sqlite"):
        raise ConfigError(
            f"DATABASE_URL = {url or ''!r}: SQLite allows only one writer, so several servers need "
            "PostgreSQL: set DATABASE_URL to postgresql://USER:PASSWORD@HOST/DATABASE; "
            "a single server can use SQLite: mixed play"
        )
    return url


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Hold the lock that allows only one fleet on this database.

    Raises ConfigError if the lock is taken or the database cannot be reached.
    """
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
                "DATABASE_URL: other servers are using this database, but a session can run on "
                "only one server; stop them first"
            )
        yield
    finally:
        with suppress(SQLAlchemyError):  # the connection may be lost by now
            connection.close()


def run_folder(port: int) -> Path:
    """Return the folder of the proxy on this port, which holds its file and restart requests."""
    return Path(FOLDER).absolute() / str(port)


def serve(
    entrance: Entrance, proxy: Proxy, variables: Mapping[str, str], ready: Callable[[], None]
) -> None:
    """Run servers and their proxy until SIGINT or SIGTERM.

    `ready` is called when all servers answer. Raises ConfigError or NotStartedError.
    """
    folder, over = run_folder(entrance.port), _listen_for_the_end()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / RESTART).unlink(missing_ok=True)
    try:
        program = proxy.prepare(entrance, folder)
        keeper = Keeper(entrance.ports, entrance.port, variables, program)
        keeper.start()
        try:
            ready()
            _keep(keeper, folder / RESTART, over)
        finally:
            keeper.end()
    finally:
        (folder / proxy.file).unlink(missing_ok=True)


def _keep(keeper: Keeper, request: Path, over: Event) -> None:
    restarting = False
    while not over.wait(LOOK_SECONDS):
        keeper.look()
        if restarting and not keeper.restarting:
            request.unlink(missing_ok=True)
            restarting = False
        elif not restarting and request.exists():
            keeper.restart()
            restarting = True


def restart(port: int) -> None:
    """Have the servers behind this port restart one after another; return once all of them are
    back.

    Raises ConfigError if no `mixed serve` from this folder is running there.
    """
    folder = run_folder(port)
    request = folder / RESTART
    if not any((folder / proxy.file).exists() for proxy in PROXIES.values()):
        raise ConfigError(f"--port = {port}: no `mixed serve` from this folder is running there")
    request.touch()
    try:
        while request.exists():
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)):
                    raise ConfigError(f"--port = {port}: `mixed serve` has stopped")
            time.sleep(LOOK_SECONDS)
    finally:
        request.unlink(missing_ok=True)


def _listen_for_the_end() -> Event:
    over = Event()
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):  # Windows has no SIGHUP
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: over.set())
    return over
