"""Tests of `mixed play` without a game: its errors, and how its server ends."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from urllib.request import urlopen

import psutil
import pytest

from mixed_company.__main__ import main
from tests.mixed.test_page import without
from tests.project import ROOT

PATIENCE_SECONDS = 120


@pytest.mark.parametrize(
    ("arguments", "refusal"),
    [
        (["--policies", "greedy"], "no game named: use `mixed play GAME --policies NAME,NAME`; "),
        (["--port", "0"], "--port = 0: should be from 1 to 65535\n"),
        (
            ["commons_game", "--port", "8000"],
            "--port: applies only to the server, which starts if no game",
        ),
    ],
)
def test_impossible_requests_are_refused(capsys, arguments, refusal):
    assert main(["play", *arguments]) == 2
    assert capsys.readouterr().err.startswith(refusal)


def test_without_otree_the_command_explains_how_to_get_it_and_what_works_without():
    code, shown, errors = without(["otree"], "play")
    assert (code, shown) == (2, "")
    assert 'pip install ".[server]"' in errors
    assert "`mixed play GAME --policies NAME,NAME` does not need oTree" in errors
    assert len(errors.splitlines()) == 1


def test_in_a_folder_without_settings_the_command_says_where_to_go(tmp_path, monkeypatch, capsys):
    pytest.importorskip("otree", reason="needs the `server` extra")
    monkeypatch.chdir(tmp_path)
    assert main(["play"]) == 2
    assert capsys.readouterr().err.startswith(f"there is no settings.py in {tmp_path}: go to the")
    assert list(tmp_path.iterdir()) == []


def test_a_busy_port_is_refused(capsys):
    pytest.importorskip("otree", reason="needs the `server` extra")
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        assert main(["play", "--port", str(port)]) == 2
    assert capsys.readouterr().err.startswith(f"--port = {port}: already in use; try --port ")


ENDED = """
import os, signal, sys
from types import SimpleNamespace
import psutil
from mixed_company.server import process
from mixed_company.server.rehearse.server import free_port
from mixed_company.cli import project

def wait(_):
    [child] = psutil.Process().children()
    print(*child.cmdline()[-2:], child.pid, flush=True)
    os.kill(os.getpid(), signal.{how})

process._RUN = "import time; time.sleep(600)"
project.time = SimpleNamespace(sleep=wait)
sys.exit(project.serve(free_port()))
"""


@pytest.mark.few(1)
@pytest.mark.parametrize("how", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.usefixtures("interrupts")
def test_each_signal_ends_everything_that_was_started_and_is_no_failure(how):
    """Use a sleeping process instead of oTree, and send the signal while the command is waiting for
    that process."""
    pytest.importorskip(
        "mixed_company.server.rehearse.server", reason="needs the `rehearsal` extra"
    )
    code = ENDED.format(how=how)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    command, address, child = ended.stdout.split()[-3:]
    assert command == "prodserver"
    assert f"Open http://{address}/demo" in ended.stdout
    assert not psutil.pid_exists(int(child))


def answer(url: str, process: subprocess.Popen[bytes]) -> str:
    """Return the page as soon as the server responds."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            with urlopen(url, timeout=PATIENCE_SECONDS) as page:
                return str(page.read().decode())
        except OSError:
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)


@pytest.fixture
def interrupts():
    """Enable Ctrl-C, because a shell's background processes inherit a setting that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.door
@pytest.mark.long
@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_server_can_be_played_and_ends_with_all_its_processes(tmp_path, how):
    server = pytest.importorskip(
        "mixed_company.server.rehearse.server", reason="needs the `rehearsal` extra"
    )
    server.lay_out(tmp_path / "project")
    port = server.free_port()
    environment = {key: value for key, value in os.environ.items() if not key.startswith("OTREE")}
    environment.pop("DATABASE_URL", None)
    process = subprocess.Popen(
        [sys.executable, "-u", "-m", "mixed_company", "play", "--port", str(port)],
        cwd=tmp_path / "project",
        env=environment | {"PYTHONPATH": ""},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    started: list[psutil.Process] = []
    try:
        shown = read_until(process, b"timeoutworker is listening")
        assert f"Open http://127.0.0.1:{port}/demo and choose a game." in shown
        assert "Commons: you and three bots" in answer(f"http://127.0.0.1:{port}/demo", process)
        started = psutil.Process(process.pid).children(recursive=True)
        assert len(started) >= 2  # the server, and its worker for page timeouts
        process.send_signal(how)
        shown, _ = process.communicate(timeout=PATIENCE_SECONDS)
        assert process.returncode == 0
        _, running = psutil.wait_procs(started, timeout=PATIENCE_SECONDS)
        assert running == []
    finally:
        for child in (process, *started):
            with suppress(psutil.NoSuchProcess):
                child.kill()
        process.wait()
    assert b"Traceback" not in shown
    assert (tmp_path / "project/db.sqlite3").is_file()


def read_until(process: subprocess.Popen[bytes], words: bytes) -> str:
    """Read a process's output up to a line with these words, or to its end."""
    assert process.stdout is not None
    lines = []
    for line in process.stdout:
        lines.append(line.decode())
        if words in line:
            break
    return "".join(lines)
