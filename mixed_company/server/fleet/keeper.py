"""Starts several servers on one database and their proxy, restarts them, and ends them all.

    keeper = Keeper([8001, 8002], 8000, environment(), proxy.prepare(entrance, folder))
    keeper.start()     # waits until all servers answer
    keeper.look()      # call regularly: restarts processes that have ended
    keeper.restart()   # the next calls of look restart the servers, one after another
    keeper.end()

One timeout worker runs alongside them; its requests go through the proxy. Each process ends when
its keeper ends, because the keeper holds the other end of a pipe (`server.mends.fleet`,
`server.fleet.held`).
"""

from __future__ import annotations

import logging
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from mixed_company.engine.contract.errors import EngineError
from mixed_company.server import process
from mixed_company.server.fleet import held
from mixed_company.server.fleet.entrance import PROXIES
from mixed_company.server.fleet.owners import PLACE, Place
from mixed_company.server.fleet.proxy import Program

PATIENCE_SECONDS = 60.0
LOOK_SECONDS = 0.1
PAUSES = (0.2, 1.0, 5.0, 15.0)
"""Pauses in seconds before a crashed server is restarted; the last value repeats."""

LASTING_SECONDS = 60.0
"""Time that a server must have been running for its next crash to count as its first."""

_log = logging.getLogger(__name__)


class NotStartedError(EngineError):
    """Error raised if a server ended before it answered a request."""


@dataclass
class Kept:
    """Process that is kept running, and that answers on `port` if it has one.

    failures   number of crashes in quick succession
    killed     time at which the process is killed if it is still running; None if it is not being
               stopped
    """

    name: str
    run: Callable[[], subprocess.Popen[bytes]]
    port: int | None = None
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    failures: int = 0
    again: float = 0.0
    killed: float | None = None

    def look(self, now: float) -> None:
        """Start the process if it is not running and its pause is over; `now` comes from
        `time.monotonic()`.
        """
        if self.process is not None and self.killed is not None and now >= self.killed:
            process.send(self.process, by_force=True)
        if self.process is not None and self.process.poll() is not None:
            lasted = self.killed is not None or now - self.started >= LASTING_SECONDS
            self.failures = 0 if lasted else self.failures
            pause = PAUSES[min(self.failures, len(PAUSES) - 1)]
            _log.warning("%s has ended (%s); restarting in %g s", *self._end(), pause)
            self.again, self.failures = now + pause, self.failures + 1
            self.process = self.killed = None
        if self.process is None and now >= self.again:
            self.process, self.started = self.run(), now

    def restart(self, now: float) -> None:
        """Ask the process to end; `look` will start it again."""
        if self.process is not None:
            process.send(self.process)
            self.killed = now + process.PATIENCE_SECONDS

    @property
    def answers(self) -> bool:
        """True if the process is running, is not being stopped, and accepts connections on its
        port.
        """
        if self.process is None or self.killed is not None or self.port is None:
            return False
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def _end(self) -> tuple[str, int | None]:
        return self.name, self.process.returncode if self.process else None


class Keeper:
    """Servers on these ports of this machine, behind a proxy on another port.

    variables   environment of the servers, including the address of the database
    proxy       program of the proxy
    folder      folder of the project, by default the current one
    """

    def __init__(
        self,
        ports: Sequence[int],
        entrance: int,
        variables: Mapping[str, str],
        proxy: Program,
        folder: Path | None = None,
    ) -> None:
        self._variables, self._folder = variables, folder
        self.servers = [
            Kept(f"server {number + 1}", self._runner(Place(number, len(ports)), port), port)
            for number, port in enumerate(ports)
        ]
        self._proxy = Kept("proxy", lambda: self._run_held(proxy), entrance)
        alone = {"USE_TIMEOUT_WORKER": "1"}
        self._worker = Kept(
            "timeout worker", lambda: self._run(alone, "timeoutsubprocess", entrance)
        )
        self._due: list[Kept] = []

    def _runner(self, place: Place, port: int) -> Callable[[], subprocess.Popen[bytes]]:
        added = {PLACE: str(place), PROXIES: "127.0.0.1"}  # the proxy runs on this machine
        return lambda: self._run(added, "prodserver", f"127.0.0.1:{port}")

    def _run(
        self, added: Mapping[str, str], command: str, where: object
    ) -> subprocess.Popen[bytes]:
        variables = {**self._variables, **added}
        return process.start(
            command, str(where), variables=variables, folder=self._folder, held=True
        )

    def _run_held(self, program: Program) -> subprocess.Popen[bytes]:
        command = [sys.executable, str(held.__file__), *program.command]
        variables = {**self._variables, **program.variables}
        return process.launch(command, variables=variables, folder=self._folder, held=True)

    def start(self) -> None:
        """Start all processes, beginning with the server that creates the database tables. If one
        does not start, end them all and raise NotStartedError.
        """
        first, *others = self.servers
        try:
            for some in ([first], others, [self._proxy]):
                for kept in some:
                    kept.look(time.monotonic())
                for kept in some:
                    _await(kept)
            self._worker.look(time.monotonic())
        except BaseException:
            self.end()
            raise

    def look(self) -> None:
        """Restart processes that have ended and, once all servers answer, restart the next server
        that is due.
        """
        now = time.monotonic()
        for kept in (*self.servers, self._proxy, self._worker):
            kept.look(now)
        if self._due and self._all_answer:
            self._due.pop(0).restart(now)

    def restart(self) -> None:
        """Restart the servers one after another, beginning at the next `look`."""
        self._due = list(self.servers)

    @property
    def restarting(self) -> bool:
        """True if a server still has to be restarted or does not answer yet."""
        return bool(self._due) or not self._all_answer

    @property
    def _all_answer(self) -> bool:
        return all(kept.answers for kept in self.servers)

    def end(self) -> None:
        """End all processes."""
        for kept in (self._worker, self._proxy, *self.servers):
            if kept.process is not None:
                process.end(kept.process)


def _await(kept: Kept) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while kept.process is not None and kept.process.poll() is None and time.monotonic() < end:
        if kept.answers:
            return
        time.sleep(LOOK_SECONDS)
    raise NotStartedError(f"{kept.name} did not start; see its output")
