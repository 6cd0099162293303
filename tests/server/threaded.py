"""The complete server in a thread of this process, with real requests and sockets and a database in
memory.

Tests that do not need a separate process use it, and faults planted in this process
(`tests.planted`) reach it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from mixed_company.server import clock
from mixed_company.server.rehearse import server
from tests.server.inside import _forget_earlier_tests

__all__ = ["Server", "threaded"]

PATIENCE_SECONDS = 60.0


def _free_locks() -> None:
    """Replace the locks of modules. They belong to the loop that first waited for them, which may
    have ended."""
    from otree import common, middleware

    from mixed_company.server.archive import download
    from mixed_company.server.board import acting, addresses

    module_locks = (download._one_at_a_time, acting._one_at_a_time, addresses._looking)
    for lock in (common.lock, middleware.lock2, *module_locks):
        fresh = asyncio.Lock()
        lock.__dict__.clear()
        lock.__dict__.update(fresh.__dict__)


class Server(server.Server):
    """Server of `server.rehearse` without a separate process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = server.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.servers: list[Any] = []
        self._thread = threading.Thread(target=self._serve, daemon=True)

    def _serve(self) -> None:
        from mixed_company.server.mends import gate

        gate._serve("127.0.0.1", str(self.port), is_devserver=True)

    def start(self) -> None:
        """Start, and wait until the server responds."""
        self._thread.start()
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (self.servers and self.servers[0].started):
            assert time.monotonic() < deadline
            assert self._thread.is_alive()
            time.sleep(0.01)

    def stop(self, _how: int = 0) -> None:
        """Stop the server, even if someone is still connected."""
        for running in self.servers:
            running.should_exit = True
        self._thread.join(1.0)
        for running in self.servers:
            running.force_exit = True
        self._thread.join(PATIENCE_SECONDS)

    def run(self, task: Coroutine[Any, Any, Any]) -> Any:
        """Return the result of a task in the server's loop."""
        from mixed_company.server.open.tables import tables

        assert tables._loop is not None
        return asyncio.run_coroutine_threadsafe(task, tables._loop).result(PATIENCE_SECONDS)

    def log(self) -> str:
        """Return nothing, because the server prints to the standard streams."""
        return ""


@contextmanager
def _one_thread() -> Iterator[None]:
    """Handle requests in the thread of the sockets.

    A database in memory has a single connection, on which two threads could begin a transaction at
    the same time.
    """
    from otree.views import abstract
    from starlette import endpoints

    async def run(handle: Callable[..., Any], *arguments: Any) -> Any:
        return handle(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        for module in (abstract, endpoints):
            patch.setattr(module, "run_in_threadpool", run)
        yield


@contextmanager
def threaded(folder: Path) -> Iterator[Server]:
    """Run a server without people, and restore its tables and the clock afterwards."""
    _forget_earlier_tests()
    from otree import database

    from mixed_company.server import play_clock
    from mixed_company.server.mends import gate
    from mixed_company.server.open.lobbies import lobbies
    from mixed_company.server.open.tables import tables

    database._dumped = True  # so it does not write a file at the end
    running, made_by = Server(folder), gate.Server
    before = clock._reading, clock._ahead_ms

    def make(config: Any) -> Any:
        running.servers.append(made_by(config=config))
        return running.servers[0]

    gate.Server = make
    _free_locks()
    try:
        with _one_thread():
            running.start()
            yield running
    finally:
        running.stop()
        gate.Server = made_by
        tables._loop, tables._open, lobbies._open = None, {}, {}
        play_clock._clocks.clear()
        _free_locks()
        clock._reading, clock._ahead_ms = before
