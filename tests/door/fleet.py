"""Several servers behind one address, as `mixed serve` runs them, for tests and benchmarks."""

from __future__ import annotations

import contextlib
import random
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import requests

from mixed_company.server.rehearse.server import ServerError
from tests.door.harness import Server, when

__all__ = ["Fleet", "free_ports"]


class Fleet(Server):
    """Several servers behind a proxy: the named proxy, or the first one that is installed."""

    def __init__(
        self, folder: Path, database_url: str, servers: int = 2, proxy: str | None = None
    ) -> None:
        super().__init__(folder, database_url)
        self.servers, self.proxy = servers, proxy

    def start(self) -> None:
        self.port = free_ports(1 + self.servers)
        self.url = f"http://127.0.0.1:{self.port}"
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command_line(),
                cwd=self.folder,
                env=self._environment(),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        try:
            when(self._answers)
        except BaseException:
            self.stop()
            raise

    def _answers(self) -> bool:
        """Return whether the proxy and a server behind it respond. Raise ServerError if it has
        exited.
        """
        assert self.process is not None
        if self.process.poll() is not None:
            raise ServerError(f"the servers did not start:\n{self.log()}")
        with contextlib.suppress(requests.RequestException):
            return requests.get(f"{self.url}/demo", timeout=60).ok
        return False

    def command_line(self) -> list[str]:
        proxy = [] if self.proxy is None else ["--proxy", self.proxy]
        options = ["--servers", str(self.servers), *proxy, "--port", str(self.port)]
        return [sys.executable, "-m", "mixed_company", "serve", *options]

    def processes(self, command: str) -> list[psutil.Process]:
        """Return the running oTree processes of this command."""
        assert self.process is not None
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if command in _words(child)]

    def server(self, number: int) -> psutil.Process:
        """Return the process of a server, counted from 0."""
        [running] = self.processes(f"127.0.0.1:{self.port + 1 + number}")
        return running

    def state(self, number: int) -> str:
        """Return the state that a server reports."""
        return requests.get(f"{self.url}/live_state?server={number + 1}", timeout=30).text

    def restart(self) -> None:
        """Restart the servers one by one."""
        command = [
            sys.executable,
            "-m",
            "mixed_company",
            "serve",
            "--restart",
            "--port",
            str(self.port),
        ]
        subprocess.run(command, cwd=self.folder, env=self._environment(), check=True)


def _words(process: psutil.Process) -> list[str]:
    """Return a process's command line, or an empty string if it has ended."""
    words: list[str] = []
    with contextlib.suppress(psutil.Error):
        words = process.cmdline()
    return words


def free_ports(number: int) -> int:
    """Return the first of several consecutive free ports outside the ephemeral range."""
    while True:
        first = random.randrange(20_000, 32_000)
        with contextlib.ExitStack() as stack, contextlib.suppress(OSError):
            for port in range(first, first + number):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first
