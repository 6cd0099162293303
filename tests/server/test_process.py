"""oTree as a process of its own: what it is started with, and that it ends."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from server import process
from server.rehearse.server import Server, ServerError, free_port, lay_out

NOTES = """
import json, os, sys
print(json.dumps([sys.argv[1:], os.getcwd(), {name: os.environ.get(name) for name in
    ("OTREE_PRODUCTION", "MIXED_COMPANY_HELD", "DATABASE_URL", "OTREE_IN_MEMORY", "OWN")}]))
print("an error", file=sys.stderr)
sys.stdout.flush()
"""
HELD = "import sys; sys.stdin.read()"
DEAF = """
import signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print("ready", flush=True)
time.sleep(600)
"""
ANSWERS = """
import http.server, sys
host, port = sys.argv[2].split(":")
class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"demo")
print("serving", flush=True)
http.server.HTTPServer((host, int(port)), Handler).serve_forever()
"""


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """`started(code, *arguments, ...)`: a process that runs this in place of oTree, and its log."""
    log = (tmp_path / "log").open("w+b")
    running = []

    def start(code: str, *arguments: str, **given: Any) -> tuple[Any, Any]:
        monkeypatch.setattr(process, "_RUN", code)
        given = {"variables": process.environment(), "folder": tmp_path, "log": log, **given}
        running.append(process.start(*arguments, **given))
        return running[-1], tmp_path / "log"

    yield start
    for one in running:
        if one.poll() is None:
            process.end(one, signal.SIGKILL)
    log.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with other work takes its time to end what it is asked to end."""
    monkeypatch.setattr(process, "PATIENCE_SECONDS", 120)


def test_it_has_its_arguments_its_folder_and_the_variables_of_production(
    started: Any, tmp_path: Path
) -> None:
    one, log = started(NOTES, "prodserver", "8000")
    assert one.wait(60) == 0
    said, error = log.read_text().splitlines()
    arguments, folder, variables = json.loads(said)
    assert (arguments, Path(folder), error) == (["prodserver", "8000"], tmp_path, "an error")
    assert (variables["OTREE_PRODUCTION"], variables["MIXED_COMPANY_HELD"]) == ("1", None)
    paths = process.environment()["PATH"].split(":")
    assert str(Path(sys.executable).parent) in paths


def test_what_is_held_ends_when_nobody_holds_it_any_more(started: Any) -> None:
    one, _ = started(HELD, held=True)
    assert one.poll() is None
    one.stdin.close()
    assert one.wait(60) == 0


def test_what_does_not_hear_is_ended_by_force(
    started: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "PATIENCE_SECONDS", 0.3)
    one, log = started(DEAF)
    while not log.read_text():
        assert one.poll() is None
        time.sleep(0.01)
    process.end(one)
    assert one.wait(60) == -signal.SIGKILL
    process.end(one)  # what has ended already is no fault


@pytest.mark.usefixtures("patient")
def test_what_hears_is_asked_and_not_forced(started: Any) -> None:
    one, _ = started(HELD, held=True)
    process.end(one)
    assert one.wait(60) == -signal.SIGTERM


# -- a server of a rehearsal ----------------------------------------------------------------------


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch, patient: None) -> Any:
    return lambda text: monkeypatch.setattr(process, "_RUN", text)


def test_a_server_is_entered_when_it_answers_and_ended_when_it_is_left(
    tmp_path: Path, code: Any
) -> None:
    code(ANSWERS)
    with Server(tmp_path / "project") as server:
        assert requests.get(f"{server.url}/demo", timeout=60).text == "demo"
        assert "serving" in server.log()
        running = server.process
    assert server.process is None
    assert running is not None
    assert running.poll() == -signal.SIGTERM
    server.stop()  # again


def test_a_server_that_ends_at_once_is_said_with_what_it_has_printed(
    tmp_path: Path, code: Any
) -> None:
    code("import sys; sys.exit('no database')")
    server = Server(tmp_path / "project")
    with pytest.raises(ServerError, match="did not start:\nno database"):
        server.start()
    assert server.process is None


def test_its_variables_are_its_own(
    tmp_path: Path, code: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What tells this process of oTree and of a database is not handed on."""
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere")
    monkeypatch.setenv("OTREE_IN_MEMORY", "1")
    code(NOTES)
    for url, given in ((None, None), ("postgres://here", "postgres://here")):
        folder = tmp_path / f"project {given}"
        server = Server(folder, database_url=url, variables={"OWN": "mine"})
        with pytest.raises(ServerError) as refused:
            server.start()
        line = next(line for line in str(refused.value).splitlines() if line.startswith("[["))
        arguments, where, variables = json.loads(line)
        assert arguments == ["prodserver", f"127.0.0.1:{server.port}"]
        assert Path(where) == folder
        assert variables == {
            "OTREE_PRODUCTION": "1",
            "MIXED_COMPANY_HELD": None,
            "DATABASE_URL": given,
            "OTREE_IN_MEMORY": None,
            "OWN": "mine",
        }


def test_the_project_is_laid_out_with_settings_of_ones_own_and_without_a_database(
    tmp_path: Path,
) -> None:
    lay_out(tmp_path / "project", "SESSION_CONFIGS = []  # «own»\n")
    names = {path.name for path in (tmp_path / "project").iterdir()}
    assert {"settings.py", "commons_game", "_static", "_templates", "server"} <= names
    assert not any(name.startswith((".", "db.sqlite3")) for name in names)
    own = (tmp_path / "project/settings.py").read_text(encoding="utf-8")
    assert own == "SESSION_CONFIGS = []  # «own»\n"
    lay_out(tmp_path / "other")
    assert "SESSION_CONFIGS" in (tmp_path / "other/settings.py").read_text(encoding="utf-8")


def test_free_ports_are_ports() -> None:
    assert 1024 <= free_port() <= 65535
