"""oTree as a separate process: its arguments and how it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import psutil
import pytest
import requests

from mixed_company.server import process
from mixed_company.server.rehearse import server as rehearsing
from mixed_company.server.rehearse.server import Server, ServerError, free_port, lay_out

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
    """Yield `started(code, *arguments, ...)`, which runs code in place of oTree and returns the
    process and its log."""
    log = (tmp_path / "log").open("w+b")
    running = []

    def start(code: str, *arguments: str, **options: Any) -> tuple[Any, Any]:
        monkeypatch.setattr(process, "_RUN", code)
        options = {"variables": process.environment(), "folder": tmp_path, "log": log, **options}
        running.append(process.start(*arguments, **options))
        return running[-1], tmp_path / "log"

    yield start
    for running_process in running:
        if running_process.poll() is None:
            process.end(running_process, signal.SIGKILL)
    log.close()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give a busy machine more time to end its processes."""
    monkeypatch.setattr(process, "PATIENCE_SECONDS", 120)


def test_a_process_has_its_arguments_its_folder_and_the_variables_of_production(started, tmp_path):
    child, log = started(NOTES, "prodserver", "8000")
    assert child.wait(60) == 0
    output, error = log.read_text().splitlines()
    arguments, folder, variables = json.loads(output)
    assert (arguments, Path(folder), error) == (["prodserver", "8000"], tmp_path, "an error")
    assert (variables["OTREE_PRODUCTION"], variables["MIXED_COMPANY_HELD"]) == ("1", None)
    paths = process.environment()["PATH"].split(":")
    assert str(Path(sys.executable).parent) in paths


def test_a_held_process_ends_when_nobody_holds_it_any_more(started):
    child, _ = started(HELD, held=True)
    assert child.poll() is None
    child.stdin.close()
    assert child.wait(60) == 0


def test_an_unresponsive_process_is_ended_by_force(started, monkeypatch):
    monkeypatch.setattr(process, "PATIENCE_SECONDS", 0.3)
    child, log = started(DEAF)
    while not log.read_text():
        assert child.poll() is None
        time.sleep(0.01)
    process.end(child)
    assert child.wait(60) == -signal.SIGKILL
    process.end(child)  # it is not an error to end a process that has ended


@pytest.mark.usefixtures("patient")
def test_a_responsive_process_is_asked_and_not_forced(started):
    child, _ = started(HELD, held=True)
    process.end(child)
    assert child.wait(60) == -signal.SIGTERM


# -- a server of a rehearsal ----------------------------------------------------------------------


@pytest.fixture
def code(monkeypatch: pytest.MonkeyPatch, patient: None) -> Any:
    return lambda text: monkeypatch.setattr(process, "_RUN", text)


def test_a_server_is_entered_when_it_answers_and_ended_on_exit(tmp_path, code):
    code(ANSWERS)
    with Server(tmp_path / "project") as server:
        assert requests.get(f"{server.url}/demo", timeout=60).text == "demo"
        assert "serving" in server.log()
        running = server.process
    assert server.process is None
    assert running is not None
    assert running.poll() == -signal.SIGTERM
    server.stop()  # again


WATCHES = f"""
from mixed_company.server.mends.fleet import _end_with_parent
_end_with_parent()
{ANSWERS}
"""
REHEARSES = f"""
import pathlib, sys, time
from mixed_company.server import process
from mixed_company.server.rehearse.server import Server
process._RUN = {WATCHES!r}
with Server(pathlib.Path(sys.argv[1])) as server:
    print(server.process.pid, server.url, flush=True)
    time.sleep(600)
"""


@pytest.mark.long
def test_a_server_ends_by_itself_when_its_rehearsal_is_killed(tmp_path):
    command = [sys.executable, "-c", REHEARSES, str(tmp_path / "project")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as rehearsal:
        assert rehearsal.stdout is not None
        pid, url = rehearsal.stdout.readline().split()
        assert requests.get(f"{url}/demo", timeout=60).text == "demo"
        running = psutil.Process(int(pid))
        rehearsal.kill()
    _, left = psutil.wait_procs([running], timeout=60)
    for alive in left:
        alive.kill()
    assert left == []


def test_a_server_that_ends_immediately_is_reported_with_its_output(tmp_path, code):
    code("import sys; sys.exit('no database')")
    server = Server(tmp_path / "project")
    with pytest.raises(ServerError, match="did not start:\nno database"):
        server.start()
    assert server.process is None


def test_a_server_has_its_own_variables(tmp_path, code, monkeypatch):
    """Remove this process's variables for oTree and its database."""
    monkeypatch.setenv("DATABASE_URL", "postgres://elsewhere")
    monkeypatch.setenv("OTREE_IN_MEMORY", "1")
    code(NOTES)
    for url, expected_url in ((None, None), ("postgres://here", "postgres://here")):
        folder = tmp_path / f"project {expected_url}"
        server = Server(folder, database_url=url, variables={"OWN": "mine"})
        with pytest.raises(ServerError) as refused:
            server.start()
        line = next(line for line in str(refused.value).splitlines() if line.startswith("[["))
        arguments, where, variables = json.loads(line)
        assert arguments == ["prodserver", f"127.0.0.1:{server.port}"]
        assert Path(where) == folder
        assert variables == {
            "OTREE_PRODUCTION": "1",
            "MIXED_COMPANY_HELD": "1",
            "DATABASE_URL": expected_url,
            "OTREE_IN_MEMORY": None,
            "OWN": "mine",
        }


def test_the_project_is_laid_out_with_its_own_settings_and_without_a_database(tmp_path):
    lay_out(tmp_path / "project", "SESSION_CONFIGS = []  # «own»\n")
    names = {path.name for path in (tmp_path / "project").iterdir()}
    assert {"settings.py", "commons_game", "_static", "_templates", "mixed_company"} <= names
    assert not any(name.startswith((".", "db.sqlite3")) for name in names)
    text = (tmp_path / "project/settings.py").read_text(encoding="utf-8")
    assert text == "SESSION_CONFIGS = []  # «own»\n"
    lay_out(tmp_path / "other")
    assert "SESSION_CONFIGS" in (tmp_path / "other/settings.py").read_text(encoding="utf-8")


def test_a_free_port_is_a_valid_port():
    assert 1024 <= free_port() <= 65535


# -- in this process ------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [False, True])
def test_otree_is_started_with_its_pipes_and_apart_from_this_process(monkeypatch, held):
    calls: list[Any] = []
    popen = lambda *options, **more: calls.append((*options, more))  # noqa: E731
    monkeypatch.setattr(process.subprocess, "Popen", popen)
    log: Any = object()
    options = {"variables": {"OWN": "1"}, "folder": Path("there"), "log": log}
    process.start("prodserver", "8000", **options, held=held)
    command = [sys.executable, "-c", process._RUN, "prodserver", "8000"]
    assert calls == [
        (
            command,
            {
                "cwd": Path("there"),
                "env": {"OWN": "1", "MIXED_COMPANY_HELD": "1"} if held else {"OWN": "1"},
                "stdin": process.subprocess.PIPE if held else None,
                "stdout": log,
                "stderr": log,
                "start_new_session": True,
                "creationflags": 0,
            },
        )
    ]


@pytest.mark.parametrize("path", ["/here:/there", None])
def test_the_variables_of_production_are_those_of_this_process_and_two_more(monkeypatch, path):
    environment = {"OWN": "1"} if path is None else {"OWN": "1", "PATH": path}
    monkeypatch.setattr(process.os, "environ", environment)
    folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent), path or os.defpath]
    expected = {"OWN": "1", "OTREE_PRODUCTION": "1", "PATH": ":".join(folders)}
    assert process.environment() == expected


@pytest.mark.parametrize("deaf", [False, True])
def test_a_process_is_told_to_end_and_killed_if_it_does_not(monkeypatch, deaf):
    calls: list[tuple[int, int] | float] = []

    class One:
        pid = 5

        def wait(self, timeout: float) -> None:
            calls.append(timeout)
            if deaf:
                raise process.subprocess.TimeoutExpired("otree", timeout)

    monkeypatch.setattr(process.os, "killpg", lambda *arguments: calls.append(arguments))
    process.end(One(), signal.SIGINT)
    stops, killed = [(5, signal.SIGINT), 8], [(5, signal.SIGKILL), 8]
    assert calls == [*stops, *killed] if deaf else stops


def test_on_windows_a_process_ends_by_ctrl_break_and_starts_its_own_group(monkeypatch):
    calls: list[Any] = []
    child: Any = SimpleNamespace(kill=lambda: calls.append("kill"), send_signal=calls.append)
    monkeypatch.setattr(process, "sys", SimpleNamespace(platform="win32", executable="python"))
    monkeypatch.setattr(process.signal, "CTRL_BREAK_EVENT", "break", raising=False)
    monkeypatch.setattr(process.subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(process.subprocess, "Popen", lambda *_, **more: more["creationflags"])
    process.send(child)
    process.send(child, by_force=True)
    assert calls == ["break", "kill"]
    assert process.launch(["otree"], variables={}) == 512


class Requests:
    """Stand-in for `requests` that records requests and gives each the next response."""

    ConnectionError, Timeout = requests.ConnectionError, requests.Timeout

    def __init__(self, *answers: Any) -> None:
        self.answers, self.kept = list(answers), list[Any]()

    def _ask(self, how: str, url: str, more: dict[str, Any]) -> Any:
        self.kept.append((how, url, more))
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def get(self, url: str, **more: Any) -> Any:
        return self._ask("get", url, more)

    def post(self, url: str, **more: Any) -> Any:
        return self._ask("post", url, more)


@pytest.fixture
def laid_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Server:
    """Return a server that is set up in an empty folder and not started."""
    monkeypatch.setattr(rehearsing, "lay_out", lambda folder, _settings: folder.mkdir())
    monkeypatch.setattr(rehearsing, "free_port", lambda: 21_000)
    return Server(tmp_path / "made", "postgres://here", variables={"OWN": "mine"})


def test_sessions_and_files_are_requested_at_their_addresses(laid_out, monkeypatch):
    raised: list[str] = []
    answer = SimpleNamespace(content=b"\xef\xbb\xbfa,b", raise_for_status=lambda: raised.append(""))
    http = Requests("created", answer, answer)
    monkeypatch.setattr(rehearsing, "requests", http)
    assert laid_out.create("commons", 3, periods=2) == "created"
    assert laid_out.archive("abc", "def") == answer.content
    config = {"session_config_name": "commons", "num_participants": 3}
    url = "http://127.0.0.1:21000/api"
    assert http.kept == [
        (
            "post",
            f"{url}/sessions",
            {"json": {**config, "modified_session_config_fields": {"periods": 2}}, "timeout": 60},
        ),
        (
            "get",
            f"{url}/export_archive",
            {"params": {"session_code": ["abc", "def"]}, "timeout": 600},
        ),
    ]
    assert raised == [""]


def test_a_server_tries_at_most_three_ports_and_reports_another_fault_immediately(
    laid_out, monkeypatch
):
    ports, tried = iter(range(21_001, 21_100)), list[str]()
    monkeypatch.setattr(rehearsing, "free_port", lambda: next(ports))
    monkeypatch.setattr(laid_out, "_started", lambda: tried.append(laid_out.url) or len(tried) == 6)
    logs = ["address already in use", "no database", *["address already in use"] * 9]
    monkeypatch.setattr(laid_out, "log", lambda: logs[len(tried) - 1])
    with pytest.raises(ServerError, match=r"^the server did not start:\nno database$"):
        laid_out.start()
    with pytest.raises(ServerError, match=r"^the server did not start:\naddress already in use$"):
        laid_out.start()
    laid_out.start()
    numbers = [21_000, 21_001, 21_001, 21_002, 21_003, 21_004]
    assert tried == [f"http://127.0.0.1:{number}" for number in numbers]
    assert (laid_out.port, laid_out.url) == (21_004, "http://127.0.0.1:21004")


@pytest.mark.parametrize(
    ("answers", "ended", "starts", "rests"),
    [
        (["page"], [None], True, 0),
        ([requests.ConnectionError(), requests.Timeout(), "page"], [None, None, None], True, 2),
        (["page of another server"], [1], False, 0),
        ([requests.ConnectionError(), requests.ConnectionError()], [None, 1], False, 1),
        ([requests.ConnectionError()] * 4, [None] * 4, False, 3),  # for 300 s
    ],
)
def test_a_server_has_started_once_its_page_answers_while_it_runs(
    laid_out, monkeypatch, answers, ended, starts, rests
):
    calls, http, states = list[Any](), Requests(*answers), iter(ended)
    child = SimpleNamespace(poll=lambda: next(states))
    begin = lambda *arguments, **more: calls.append((*arguments, more)) or child  # noqa: E731
    monkeypatch.setattr(rehearsing, "process", SimpleNamespace(start=begin, end=calls.append))
    monkeypatch.setattr(rehearsing, "requests", http)
    monkeypatch.setattr(laid_out, "_environment", lambda: {"OWN": "1"})
    monkeypatch.setattr(laid_out, "stop", lambda: calls.append("stop"))
    rested: list[float] = []
    times = iter([0.0, 299.0, 300.0, 300.0, 300.1])
    clock = SimpleNamespace(monotonic=lambda: next(times), sleep=rested.append)
    monkeypatch.setattr(rehearsing, "time", clock)
    assert laid_out._started() == starts
    [(command, address, how), *stopped] = calls
    assert (command, address) == ("prodserver", "127.0.0.1:21000")
    assert (how.pop("log").name, how) == (
        str(laid_out.folder / "server.log"),
        {"variables": {"OWN": "1"}, "folder": laid_out.folder, "held": True},
    )
    page = ("get", "http://127.0.0.1:21000/demo", {"timeout": 10})
    assert http.kept == [page] * len(answers)
    assert rested == [0.1] * rests
    assert stopped == ([] if starts or answers == ["page of another server"] else ["stop"])


def test_a_server_is_ended_in_the_requested_way_and_then_gone(laid_out, monkeypatch):
    calls: list[Any] = []
    monkeypatch.setattr(rehearsing.process, "end", lambda *arguments: calls.append(arguments))
    monkeypatch.setattr(laid_out, "start", lambda: setattr(laid_out, "process", "one"))
    with laid_out as entered:
        assert entered is laid_out
    laid_out.stop()
    laid_out.start()
    laid_out.stop(signal.SIGKILL)
    assert calls == [("one", signal.SIGTERM), ("one", signal.SIGKILL)]
    assert laid_out.process is None
    (laid_out.folder / "server.log").write_bytes("höher\n".encode() + b"\xff")
    assert laid_out.log() == "höher\n\ufffd"


def test_a_server_has_the_variables_of_production_and_its_own(laid_out, monkeypatch):
    environment = {
        "OTREE_PRODUCTION": "1",
        "OTREE_X": "1",
        "DATABASE_URL": "postgres://x",
        "PATH": "/a",
    }
    monkeypatch.setattr(rehearsing.process, "environment", lambda: environment)
    expected = {"OTREE_PRODUCTION": "1", "PATH": "/a", "OWN": "mine"}
    assert laid_out._environment() == {**expected, "DATABASE_URL": "postgres://here"}
    laid_out.database_url = None
    assert laid_out._environment() == expected


def test_a_free_port_is_drawn_again_until_nobody_listens_on_it(monkeypatch):
    drawn, bound = iter([20_001, 20_002]), list[tuple[str, int]]()

    class Probe:
        def __enter__(self) -> Probe:
            return self

        def __exit__(self, *_: object) -> None:
            """Ignore the call, because there is nothing to close."""

        def bind(self, address: tuple[str, int]) -> None:
            bound.append(address)
            if len(bound) == 1:
                raise OSError("taken")

    ranges: list[tuple[int, int]] = []
    draw = lambda *arguments: ranges.append(arguments) or next(drawn)  # noqa: E731
    monkeypatch.setattr(rehearsing, "random", SimpleNamespace(randrange=draw))
    monkeypatch.setattr(rehearsing, "socket", SimpleNamespace(socket=Probe))
    assert free_port() == 20_002
    assert ranges == [(20_000, 32_000)] * 2
    assert bound == [("127.0.0.1", 20_001), ("127.0.0.1", 20_002)]
