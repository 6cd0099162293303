"""oTree as a process of its own: what it is started with, and that it ends."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import requests

from server import process
from server.rehearse import server as rehearsed
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


# -- step by step ---------------------------------------------------------------------------------


def test_a_command_is_started_apart_with_what_it_is_given(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    made: list[Any] = []
    monkeypatch.setattr(
        process.subprocess, "Popen", lambda *given, **more: made.append((given, more))
    )
    given: dict[str, Any] = {"variables": {"OWN": "1"}, "folder": tmp_path, "log": "log"}
    same = {"cwd": tmp_path, "start_new_session": True, "creationflags": 0}
    same |= {"stdout": "log", "stderr": "log"}
    process.start("prodserver", "8000", **given)
    process.launch(["caddy", "run"], **given, held=True)
    process.launch(["caddy"], variables={})
    assert made == [
        (
            ([sys.executable, "-c", process._RUN, "prodserver", "8000"],),
            {**same, "env": {"OWN": "1"}, "stdin": None},
        ),
        ((["caddy", "run"],), {**same, "env": {"OWN": "1", process.HELD: "1"}, "stdin": -1}),
        (
            (["caddy"],),
            {**same, "env": {}, "stdin": None, "cwd": None, "stdout": None, "stderr": None},
        ),
    ]


def test_the_variables_are_those_of_this_process_for_production(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(process.os, "environ", {"OWN": "1", "PATH": "/first"})
    given = process.environment()
    paths = given.pop("PATH").split(":")
    assert given == {"OWN": "1", "OTREE_PRODUCTION": "1"}
    assert paths[-2:] == [str(Path(sys.executable).parent), "/first"]
    monkeypatch.setattr(process.os, "environ", {})
    assert process.environment()["PATH"].endswith(f":{process.os.defpath}")


class Deaf:
    """A process that ends when it was told so often."""

    pid = 77

    def __init__(self, times: int) -> None:
        self.times, self.waited = times, list[float]()

    def wait(self, timeout: float) -> None:
        self.waited.append(timeout)
        if len(self.waited) < self.times:
            raise process.subprocess.TimeoutExpired("deaf", timeout)


@pytest.mark.parametrize("times", [1, 2, 3])
def test_a_process_and_its_own_are_told_to_end_and_then_killed(
    times: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Any] = []
    monkeypatch.setattr(process.os, "killpg", lambda *given: told.append(given))
    one = Deaf(times)
    process.end(one, signal.SIGINT)  # type: ignore[arg-type]
    assert told == [(77, signal.SIGINT), (77, signal.SIGKILL)][:times]
    assert one.waited == [process.PATIENCE_SECONDS] * min(times, 2)


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


@pytest.fixture
def quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A server without a process: `quiet.told` are its requests, `quiet.begun` its processes."""
    own = Server(tmp_path / "project", settings="SESSION_CONFIGS = []\n")
    own.told, own.begun, own.outcomes = [], [], []

    class Answer:
        content = "\ufeffa,b\n".encode()

        def raise_for_status(self) -> None:
            own.told.append("checked")

    def ask(how: str, address: str, **given: Any) -> Answer:
        own.told.append((how, address.removeprefix(own.url), given))
        if own.outcomes and own.outcomes.pop(0) != "answers":
            raise requests.ConnectionError
        return Answer()

    def start(*arguments: str, **given: Any) -> Any:
        given["log"].write(b"begins\n")
        own.begun.append((arguments, {name: given[name] for name in ("variables", "folder")}))
        return SimpleNamespace(poll=lambda: None)

    for how in ("get", "post"):
        monkeypatch.setattr(requests, how, partial(ask, how))
    monkeypatch.setattr(process, "start", start)
    monkeypatch.setattr(process, "end", lambda one, how: own.told.append(("end", how)))
    return own


def test_a_server_is_asked_for_sessions_tables_and_exports(quiet: Any) -> None:
    quiet.create("commons", 4, seed="3")
    assert quiet.table("events", {"app": "commons_game", "code": "abc"}) == "a,b\n"
    assert quiet.archive("abc", "def") == "\ufeffa,b\n".encode()
    config = {"session_config_name": "commons", "num_participants": 4}
    table = {
        "app": "commons_game",
        "function_name": "custom_export_events",
        "session_code": "abc",
    }
    codes = {"session_code": ["abc", "def"]}
    assert quiet.told == [
        (
            *("post", "/api/sessions"),
            {"json": {**config, "modified_session_config_fields": {"seed": "3"}}, "timeout": 60},
        ),
        ("get", "/api/export_app_custom", {"params": table, "timeout": 60}),
        "checked",
        ("get", "/api/export_archive", {"params": codes, "timeout": 600}),
        "checked",
    ]


def test_a_server_is_waited_for_until_it_answers(
    quiet: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    rests: list[float] = []
    quiet.outcomes += ["none", "none", "answers"]
    monkeypatch.setattr(rehearsed, "time", SimpleNamespace(monotonic=int, sleep=rests.append))
    quiet.start()
    assert rests == [0.1, 0.1]
    assert quiet.told == [("get", "/demo", {"timeout": 10})] * 3
    [(arguments, given)] = quiet.begun
    assert arguments == ("prodserver", f"127.0.0.1:{quiet.port}")
    assert given == {"variables": quiet._environment(), "folder": quiet.folder}
    assert quiet.log() == "begins\n"
    quiet.stop(signal.SIGINT)
    quiet.stop()  # there is none any more
    assert quiet.told[3:] == [("end", signal.SIGINT)]


@pytest.mark.parametrize(("log", "begun"), [("something else", 1), ("address already in use", 3)])
def test_a_server_whose_port_was_taken_meanwhile_takes_another(
    quiet: Any, log: str, begun: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Time is over at once, and it never answers."""
    times = iter(range(0, 10**9, 1000))
    monkeypatch.setattr(rehearsed, "time", SimpleNamespace(monotonic=lambda: next(times)))
    monkeypatch.setattr(rehearsed, "free_port", iter(range(30_001, 30_009)).__next__)
    quiet.outcomes += ["none"] * 9
    quiet.log = lambda: log
    first = quiet.port
    with pytest.raises(ServerError, match=rf"^the server did not start:\n{log}$"):
        quiet.start()
    ports = [first, 30_001, 30_002][:begun]
    assert [one for (_, one), _ in quiet.begun] == [f"127.0.0.1:{port}" for port in ports]
    assert quiet.url == f"http://127.0.0.1:{quiet.port}"
    assert quiet.told.count(("end", signal.SIGTERM)) == begun


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
