"""An uproot server with a page that stores a number, for comparison with this project's server.

    uv venv --python 3.11 uproot-env
    uv pip install --python uproot-env/bin/python "uproot-science[pg]==0.10.1"
    UPROOT=uproot-env/bin/uproot python -m benchmarks.server

uproot (https://uproot.science) is a framework for behavioural experiments. It needs a separate
environment, because its packages are newer than oTree's. The page's live method stores a number for
the participant and returns it. uproot writes to the database in batches, so it replies before the
number has been written.
"""

from __future__ import annotations

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson
import requests

from tests.crowd.page import BarePage
from tests.crowd.places import database
from tests.door.harness import free_port

__all__ = ["UPROOT", "VARIABLE", "Uproot", "UprootPage", "uproot_served"]

UPROOT = "uproot"
VARIABLE = "UPROOT"
"""Environment variable with the path of the program `uproot`."""
KEY = "key-of-the-benchmark"
PATIENCE_SECONDS = 30.0
MAIN = f"""
import uproot.deployment as upd
from uproot.cli import cli
from uproot.server import load_config, uproot_server

load_config(uproot_server, config="keeping", apps=["keeping"])
upd.API_KEYS.add("{KEY}")
upd.UVICORN_KWARGS["log_level"] = "warning"

if __name__ == "__main__":
    cli()
"""
APP = """
from uproot.smithereens import *

DESCRIPTION = ""
LANDING_PAGE = False

class Keep(Page):
    @live
    def keep(page, player, number: int):
        player.number = number
        return player.number

page_order = [Keep]
"""
PAGE = '{% extends "Base.html" %}{% block main %}{% endblock main %}'


class Uproot:
    """Running uproot server."""

    def __init__(self, program: str, folder: Path, database_url: str | None) -> None:
        (folder / "keeping").mkdir()
        (folder / "main.py").write_text(MAIN)
        (folder / "keeping" / "__init__.py").write_text(APP)
        (folder / "keeping" / "Keep.html").write_text(PAGE)
        port = free_port()
        self.host = f"127.0.0.1:{port}"
        variables = dict(os.environ, UPROOT_DATABASE="sqlite3")
        if database_url is not None:
            variables |= {"UPROOT_DATABASE": "postgresql", "UPROOT_POSTGRESQL": database_url}
        command = [str(Path(program).absolute()), "run", "--unsafe", "--port", str(port)]
        with (folder / "server.log").open("wb") as log:
            self.process: subprocess.Popen[bytes] | None = subprocess.Popen(
                command, cwd=folder, env=variables, stdout=log, stderr=log
            )
        self._wait(folder)

    def _wait(self, folder: Path) -> None:
        """Wait until the server answers."""
        assert self.process is not None
        end = time.monotonic() + PATIENCE_SECONDS
        while not self._answers():
            if time.monotonic() > end or self.process.poll() is not None:
                self.stop()
                raise RuntimeError(f"uproot did not start:\n{(folder / 'server.log').read_text()}")
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            requests.get(f"http://{self.host}/admin/", timeout=10)
        except requests.ConnectionError:
            return False
        return True

    def stop(self) -> None:
        """End the server."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait()
            self.process = None

    def live_urls(self, people: int) -> list[str]:
        """Create a session, take its participants to the page, and return their live addresses."""
        answer = requests.post(
            f"http://{self.host}/admin/api/v1/sessions/",
            json={"config": "keeping", "n_players": people},
            headers={"Authorization": f"Bearer {KEY}"},
            timeout=60,
        )
        answer.raise_for_status()
        session = answer.json()["sname"]
        answer = requests.get(
            f"http://{self.host}/admin/api/v1/sessions/{session}/players/",
            headers={"Authorization": f"Bearer {KEY}"},
            timeout=60,
        )
        answer.raise_for_status()
        return [self._arrived(session, name) for name in answer.json()]

    def _arrived(self, session: str, name: str) -> str:
        """Take a participant from the start to the page; return the live address."""
        address = f"http://{self.host}/p/{session}/{name}/"
        key = re.search(r'"key":"([^"]+)"', requests.get(address, timeout=60).text)
        assert key is not None
        form = {"_uproot_from": "-1", "_uproot_csrf": f"{session}+{name}+{key[1]}"}
        requests.post(address, data=form, timeout=60).raise_for_status()
        return f"ws://{self.host}/ws/{session}/{name}/"


class UprootPage(BarePage):
    """uproot page; each answer counts as the next period."""

    def send_bytes(self, content: bytes, kind: int = 1) -> None:
        message = orjson.loads(content)
        if message["kind"] != "act":
            return
        call = {"mname": "keep", "args": [len(self.acks)], "kwargs": {}}
        request = {"endpoint": "invoke", "payload": call, "future": message["id"]}
        super().send_bytes(orjson.dumps(request), kind)

    def hear(self, text: bytes) -> None:
        payload: dict[str, Any] = orjson.loads(text)["payload"]
        self.raised += bool(payload["error"])
        self.hear_message({"kind": "ack", "id": payload["future"]})


@contextmanager
def uproot_served(name: str) -> Iterator[Uproot | None]:
    """Run uproot with the database of this name; yield None if the program is missing."""
    program = os.environ.get(VARIABLE)
    if program is None:
        yield None
        return
    with database(name) as url, tempfile.TemporaryDirectory() as folder:
        server = Uproot(program, Path(folder), url)
        try:
            yield server
        finally:
            server.stop()
