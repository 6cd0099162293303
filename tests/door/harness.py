"""A real server on 127.0.0.1, real participants over HTTP, real live sockets.

    with Server(tmp_path) as server:
        session = server.session("commons", people=1, quiz=False)
        person = server.join(session)
        person.walk_to("Play")
        live = person.live()
        view = live.ask({"kind": "sync"})

Used by the tests that go through the door and by the benchmarks.
"""

from __future__ import annotations

import contextlib
import html
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import requests
import websocket

from settings import SESSION_CONFIGS

ROOT = Path(__file__).resolve().parents[2]
SHARED = ("_static", "_templates", "_locale", "engine", "bots", "seats", "pyproject.toml")
APPS = ("commons_game", "punishment_vote", "sanctions", "gem_mining")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def lay_out(folder: Path, settings: str | None = None) -> None:
    """The project in another folder, so that a server has a database of its own."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (*SHARED, *APPS):
        if (ROOT / name).exists():
            (folder / name).symlink_to(ROOT / name)
    if settings is None:
        (folder / "settings.py").symlink_to(ROOT / "settings.py")
    else:
        (folder / "settings.py").write_text(settings)


def app_of(config: str) -> str:
    """The app that a session config of the project plays (the commons for those of a test)."""
    apps = {each["name"]: each["app_sequence"][0] for each in SESSION_CONFIGS}
    return str(apps.get(config, "commons_game"))


class Server:
    """`otree prodserver` in a folder of its own; ended by its process id."""

    def __init__(
        self, folder: Path, database_url: str | None = None, settings: str | None = None
    ) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.database_url = database_url
        self.process: subprocess.Popen[bytes] | None = None
        lay_out(folder, settings)

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        binaries = Path(sys.executable).parent
        env = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
        env |= {"OTREE_PRODUCTION": "1", "PATH": f"{binaries}:{env['PATH']}"}
        env.pop("DATABASE_URL", None)
        if self.database_url:
            env["DATABASE_URL"] = self.database_url
        with (self.folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(
                [str(binaries / "otree"), "prodserver", f"127.0.0.1:{self.port}"],
                cwd=self.folder,
                env=env,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        deadline = time.monotonic() + 60
        while True:
            with contextlib.suppress(requests.ConnectionError):
                requests.get(f"{self.url}/demo", timeout=10)
                return
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start:\n{self.log()}")
            time.sleep(0.1)

    def stop(self, how: int = signal.SIGTERM) -> None:
        if self.process is not None:
            for signal_number in (how, signal.SIGKILL):
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(self.process.pid, signal_number)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    self.process.wait(timeout=8)
                    break
            self.process = None

    def log(self) -> str:
        return (self.folder / "server.log").read_text()

    def session(self, config: str, people: int, **changes: Any) -> dict[str, Any]:
        """Create a session: code, session_wide_url, and its app. Raises on a refusal."""
        answer = self.create(config, people, **changes)
        if answer.status_code != 200:
            raise RuntimeError(answer.text)
        return {**answer.json(), "app": app_of(config)}

    def create(self, config: str, people: int, **changes: Any) -> requests.Response:
        body = {
            "session_config_name": config,
            "num_participants": people,
            "modified_session_config_fields": changes,
        }
        return requests.post(f"{self.url}/api/sessions", json=body, timeout=60)

    def join(self, session: dict[str, Any]) -> Person:
        return Person(self, session["session_wide_url"])

    def table(self, name: str, session: dict[str, Any]) -> str:
        """One exported table of a session as CSV text."""
        query = {
            "app": session["app"],
            "function_name": f"custom_export_{name}",
            "session_code": session["code"],
        }
        answer = requests.get(f"{self.url}/api/export_app_custom", params=query, timeout=60)
        answer.raise_for_status()
        return answer.content.decode("utf-8-sig")


class Person:
    """A participant without a browser: pages by HTTP, the live channel by socket."""

    def __init__(self, server: Server, link: str) -> None:
        self.server = server
        self.http = requests.Session()
        self.page = self.http.get(link, timeout=60)

    @property
    def code(self) -> str:
        return self.page.url.split("/p/")[1].split("/")[0]

    @property
    def page_name(self) -> str:
        return self.page.url.split("/")[-2]

    def next(self, **fields: Any) -> None:
        """Hand in the present page."""
        self.page = self.http.post(self.page.url, data=fields, timeout=60)

    def reload(self) -> None:
        self.page = self.http.get(self.page.url, timeout=60)

    def walk_to(self, name: str) -> None:
        for _ in range(5):
            if self.page_name == name:
                return
            self.next()
        raise AssertionError(f"stuck on {self.page_name}: {self.page.text[:2000]}")

    def live_url(self) -> str:
        found = re.search(r'id="otree-live" data-socket-url="([^"]+)"', self.page.text)
        assert found, self.page.text[:2000]
        return f"ws://127.0.0.1:{self.server.port}{html.unescape(found.group(1))}"

    def live(self) -> Live:
        return Live(self.live_url())


class Live:
    """The live channel of a page."""

    def __init__(self, url: str) -> None:
        self.socket = websocket.create_connection(url, timeout=10)

    def send(self, message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, kind: str | None = None) -> dict[str, Any]:
        """The next message (of a kind)."""
        while True:
            data = json.loads(self.socket.recv())
            assert data["otree_success"], "the live method raised"
            payload: dict[str, Any] = data["live_method_payload"]
            if kind is None or payload["kind"] == kind:
                return payload

    def ask(self, message: Any, kind: str | None = None) -> dict[str, Any]:
        self.send(message)
        return self.receive(kind)

    def act(self, period: int, name: str, **action: Any) -> dict[str, Any]:
        """Send a decision; the ack or refusal."""
        self.send({"kind": "act", "id": name, "period": period, "action": action})
        while True:
            answer = self.receive()
            if answer["kind"] in ("ack", "refused") and answer["id"] == name:
                return answer

    def close(self) -> None:
        self.socket.close()
