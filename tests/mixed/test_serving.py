"""`mixed play` without a game: what it refuses, and that the server ends with it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from urllib.request import urlopen

import psutil
import pytest

from mixed.__main__ import main
from tests.mixed.test_page import without

PATIENCE_SECONDS = 120


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--policies", "greedy"], "a game is missing: mixed play GAME --policies NAME,NAME; "),
        (["--port", "0"], "--port = 0: should be from 1 to 65535\n"),
        (["commons_game", "--port", "8000"], "--port: is for the server, which is started without"),
    ],
)
def test_what_cannot_be_served_is_refused(capsys, arguments, refusal):
    assert main(["play", *arguments]) == 2
    assert capsys.readouterr().err.startswith(refusal)


def test_without_otree_it_says_how_to_get_it_and_what_goes_without():
    code, shown, errors = without(["otree"], "play")
    assert (code, shown) == (2, "")
    assert 'pip install ".[server]"' in errors
    assert "`mixed play GAME --policies NAME,NAME` needs none" in errors
    assert len(errors.splitlines()) == 1


def test_in_a_folder_without_settings_it_says_where_to_go(tmp_path, monkeypatch, capsys):
    pytest.importorskip("otree", reason="needs the extra `server`")
    monkeypatch.chdir(tmp_path)
    assert main(["play"]) == 2
    assert capsys.readouterr().err.startswith(f"there is no settings.py in {tmp_path}: go to the")
    assert list(tmp_path.iterdir()) == []


def test_a_port_that_is_in_use_is_refused(capsys):
    pytest.importorskip("otree", reason="needs the extra `server`")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["play", "--port", str(port)]) == 2
    assert capsys.readouterr().err.startswith(f"--port = {port}: is in use; try --port ")


def eventually(look):
    """What is seen as soon as there is something."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not (seen := look()):
        assert time.monotonic() < deadline
        time.sleep(0.1)
    return seen


def answer(url: str) -> str:
    try:
        with urlopen(url, timeout=PATIENCE_SECONDS) as page:
            return page.read().decode()
    except OSError:
        return ""


@pytest.fixture
def interrupts():
    """A shell has what it runs in the background ignore Ctrl-C, and that is inherited."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.door
@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_can_be_played_and_ends_with_all_its_processes(tmp_path, how):
    server = pytest.importorskip("server.rehearse.server", reason="needs the extra `rehearsal`")
    server.lay_out(tmp_path / "project")
    port = server.free_port()
    own = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    own.pop("DATABASE_URL", None)
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "mixed", "play", "--port", str(port)],
            cwd=tmp_path / "project",
            env=own | {"PYTHONPATH": ""},
            stdout=log,
            stderr=log,
        )
    try:
        page = eventually(lambda: answer(f"http://127.0.0.1:{port}/demo"))
        assert "Commons: you and three bots" in page
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 2  # the server, and its worker for page timeouts
        process.send_signal(how)
        assert process.wait(timeout=PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()
    eventually(lambda: not any(child.is_running() for child in started))
    shown = (tmp_path / "log").read_text()
    assert f"Open http://127.0.0.1:{port}/demo and choose a game." in shown
    assert "Traceback" not in shown
    assert (tmp_path / "project/db.sqlite3").is_file()
