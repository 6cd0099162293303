"""`otree prodserver` on 127.0.0.1, in its own folder, with its own database.

with Server(Path(temporary) / "project") as server:
    print(server.url)
"""

from __future__ import annotations

import contextlib
import random
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Self

import requests

from mixed_company.engine.contract.errors import EngineError
from mixed_company.server import process

ROOT = Path(__file__).resolve().parents[3]
PATIENCE_SECONDS = 300
"""Maximum time to wait for the server to start on a busy machine; waiting stops early if the
process ends."""


PORTS_TRIED = 3
_PORTS = (20_000, 32_000)
_PORT_TAKEN = "address already in use"  # part of uvicorn's log


class ServerError(EngineError):
    """Error raised if the server did not start, or behaved unexpectedly; see its log."""


def lay_out(folder: Path, settings: str | None = None) -> None:
    """Link the project into another folder, without databases and hidden files.

    `settings` is a string that replaces the content of settings.py.
    """
    folder.mkdir(parents=True, exist_ok=True)
    if settings is not None:  # first, because a file written later could be written through a link
        (folder / "settings.py").write_text(settings, encoding="utf-8")
    for path in ROOT.iterdir():
        replaced = path.name == "settings.py" and settings is not None
        if not replaced and not path.name.startswith((".", "_", "db.sqlite3")):
            _link(path, folder)
    for name in ("_static", "_templates", "_locale"):
        if (ROOT / name).exists():
            _link(ROOT / name, folder)


def _link(path: Path, folder: Path) -> None:
    """Link to a path in the folder; copy it where links are not allowed, for example on Windows."""
    place = folder / path.name
    try:
        place.symlink_to(path, target_is_directory=path.is_dir())
    except OSError:
        if path.is_dir():
            shutil.copytree(path, place)
        else:
            shutil.copy(path, place)


def free_port() -> int:
    """Return a free port on this machine.

    The port is below the range for outgoing connections, because otherwise such a connection could
    take it before it is used.
    """
    while True:
        port = random.randrange(*_PORTS)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


class Server:
    """Running server, which is ended by its process id. It also ends if this process is killed.

    database_url   database to use instead of SQLite
    settings       string that replaces the content of settings.py
    variables      additional environment variables
    """

    command = "prodserver"

    def __init__(
        self,
        folder: Path,
        database_url: str | None = None,
        settings: str | None = None,
        variables: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database_url = database_url
        self.variables = dict(variables or {})
        self.process: subprocess.Popen[bytes] | None = None
        lay_out(folder, settings)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start, and wait until the server answers. Raises ServerError.

        If another process takes the port first, the server starts on another one, and `url`
        changes.
        """
        for _ in range(PORTS_TRIED):
            if self._started():
                return
            if _PORT_TAKEN not in self.log():
                break
            self.port = free_port()
            self.url = f"http://127.0.0.1:{self.port}"
        raise ServerError(f"the server did not start:\n{self.log()}")

    def _started(self) -> bool:
        """Start the process; return whether it answers, and end it if it does not."""
        with (self.folder / "server.log").open("ab") as log:
            self.process = process.start(
                self.command,
                f"127.0.0.1:{self.port}",
                variables=self._environment(),
                folder=self.folder,
                log=log,
                held=True,
            )
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            with contextlib.suppress(requests.ConnectionError, requests.Timeout):
                requests.get(f"{self.url}/demo", timeout=10)
                return self.process.poll() is None
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.stop()
                return False
            time.sleep(0.1)

    def _environment(self) -> dict[str, str]:
        """Return the server's environment variables, which exclude this process's variables for
        oTree.
        """
        variables = {
            key: value
            for key, value in process.environment().items()
            if not key.startswith("OTREE") or key == "OTREE_PRODUCTION"
        }
        variables.pop("DATABASE_URL", None)
        variables |= {"DATABASE_URL": self.database_url} if self.database_url else {}
        return variables | self.variables

    def stop(self, how: int = signal.SIGTERM) -> None:
        """End the server and its child processes."""
        if self.process is not None:
            process.end(self.process, how)
            self.process = None

    def log(self) -> str:
        """Return the server's log."""
        return (self.folder / "server.log").read_text(encoding="utf-8", errors="replace")

    def create(self, config: str, people: int, **changes: object) -> requests.Response:
        """Create a session over REST."""
        body = {
            "session_config_name": config,
            "num_participants": people,
            "modified_session_config_fields": changes,
        }
        return requests.post(f"{self.url}/api/sessions", json=body, timeout=60)

    def archive(self, *codes: str) -> bytes:
        """Return the export file (`server.archive`) of these sessions, or of all sessions."""
        address, query = f"{self.url}/api/export_archive", {"session_code": list(codes)}
        answer = requests.get(address, params=query, timeout=600)
        answer.raise_for_status()
        return answer.content
