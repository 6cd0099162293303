"""Servers side by side on one database: started, started again when they end, ended together.

    keeper = Keeper([8001, 8002], 8000, environment())
    keeper.start()     # waits until all answer
    keeper.look()      # now and then: whoever has ended is started again
    keeper.end()

Beside them runs one timeout worker, whose requests come in by the front. A server ends when its
keeper does: it holds the other end of a pipe (`server.mends.fleet`).
"""

from __future__ import annotations

import logging
import socket
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from engine.contract.errors import EngineError
from server import process
from server.fleet.front import PROXIES
from server.fleet.owners import PLACE, Place

__all__ = ["Keeper", "NotStartedError"]

PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.1
PAUSES = (0.2, 1.0, 5.0, 15.0)
"""Seconds before a server that ended is started again; the last goes on, if it ends at once."""

LASTING_SECONDS = 60.0
"""A server that lasted so long is started again without much of a pause."""

_log = logging.getLogger(__name__)


class NotStartedError(EngineError):
    """A server ends before it answers."""


@dataclass
class Kept:
    """A process that is kept running; `failures` counts its ends, one soon after another."""

    name: str
    run: Callable[[], subprocess.Popen[bytes]]
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    again: float = 0.0

    def look(self, now: float) -> None:
        """Start it where it does not run and its pause is over; `now` is `time.monotonic()`."""
        if self.process is not None and self.process.poll() is not None:
            lasted = now - self.started >= LASTING_SECONDS
            self.failures = 0 if lasted else self.failures
            pause = PAUSES[min(self.failures, len(PAUSES) - 1)]
            _log.warning("%s has ended (%s); again in %g s", *self._end(), pause)
            self.again, self.failures, self.process = now + pause, self.failures + 1, None
        if self.process is None and now >= self.again:
            self.process, self.started = self.run(), now

    def _end(self) -> tuple[str, int | None]:
        return self.name, self.process.returncode if self.process else None


class Keeper:
    """Servers at these ports of this machine, behind a front at another one.

    variables   of their environment, the address of their database among them
    folder      of the project; None: this one
    log         takes what they print; None: the terminal
    """

    def __init__(
        self,
        ports: Sequence[int],
        front: int,
        variables: Mapping[str, str],
        folder: Path | None = None,
        log: IO[bytes] | None = None,
    ) -> None:
        self._ports, self._variables, self._folder, self._log = ports, variables, folder, log
        self.servers = [
            Kept(f"server {number + 1}", self._runner(Place(number, len(ports)), port))
            for number, port in enumerate(ports)
        ]
        alone = {"USE_TIMEOUT_WORKER": "1"}
        self._worker = Kept("timeout worker", lambda: self._run(alone, "timeoutsubprocess", front))

    def _runner(self, place: Place, port: int) -> Callable[[], subprocess.Popen[bytes]]:
        own = {PLACE: str(place), PROXIES: "127.0.0.1"}  # the front is here, whoever is before it
        return lambda: self._run(own, "prodserver", f"127.0.0.1:{port}")

    def _run(self, own: Mapping[str, str], command: str, where: object) -> subprocess.Popen[bytes]:
        variables = {**self._variables, **own}
        return process.start(
            command, str(where), variables=variables, folder=self._folder, log=self._log, held=True
        )

    def start(self) -> None:
        """Start all, the first before the others: it makes the database's tables.

        Raises NotStartedError; then none is left.
        """
        first, *others = zip(self.servers, self._ports, strict=True)
        try:
            for some in ([first], others):
                for kept, _ in some:
                    kept.look(time.monotonic())
                for kept, port in some:
                    _await(kept, port)
            self._worker.look(time.monotonic())
        except BaseException:
            self.end()
            raise

    def look(self) -> None:
        """Start whoever has ended."""
        for kept in (*self.servers, self._worker):
            kept.look(time.monotonic())

    def end(self) -> None:
        """End all of them."""
        for kept in (self._worker, *self.servers):
            if kept.process is not None:
                process.end(kept.process)


def _await(kept: Kept, port: int) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while kept.process is not None and kept.process.poll() is None and time.monotonic() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(LOOK_SECONDS)
    raise NotStartedError(f"{kept.name} does not start; what it has printed says why")
