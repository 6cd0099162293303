"""The keeper restarts a process that ends. The pause grows as long as the process keeps ending
immediately. The keeper restarts servers one after another."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.fleet import keeper, serving
from mixed_company.server.fleet.entrance import Entrance
from mixed_company.server.fleet.keeper import PAUSES, Kept
from mixed_company.server.fleet.proxy import PROXIES, Program


class Running:
    """Process that ends on request."""

    returncode: int | None = None

    def poll(self) -> int | None:
        return self.returncode


@pytest.fixture
def started():
    return []


@pytest.fixture
def kept(started):
    def run():
        started.append(Running())
        return started[-1]

    return Kept("server 1", run)


def test_a_running_process_is_left_alone(kept, started):
    for now in (0.0, 1.0, 100.0):
        kept.look(now)
    assert len(started) == 1


def test_an_ended_process_is_restarted_after_a_pause(kept, started):
    kept.look(0.0)
    started[0].returncode = -9
    kept.look(10.0)  # the pause begins
    assert len(started) == 1
    kept.look(10.0 + PAUSES[0])
    assert len(started) == 2


def test_the_pause_grows_with_immediate_ends_and_is_short_again_after_a_while(kept, started):
    now, pauses = 0.0, []
    kept.look(now)
    for lasting in (0.0, 0.0, 0.0, 0.0, 0.0, 60.0):
        now += lasting
        started[-1].returncode = 1
        kept.look(now)
        pauses.append(kept.again - now)
        now = kept.again
        kept.look(now)
    # the last one keeps running, and the pause is short again after a minute without an end
    assert pauses == pytest.approx([*PAUSES, PAUSES[-1], PAUSES[0]])
    assert len(started) == 7


@pytest.mark.parametrize("url", [None, "", "sqlite:///db.sqlite3"])
def test_a_database_that_several_servers_cannot_share_is_refused_with_a_solution(url):
    with pytest.raises(ConfigError) as error:
        serving.check_database(url)
    refusal = str(error.value)
    assert refusal.startswith(f"DATABASE_URL = {url or ''!r}: SQLite allows only one writer")
    assert "postgresql://USER" in refusal
    assert "mixed play" in refusal


@pytest.mark.parametrize(
    ("port", "servers", "refusal"),
    [
        (8000, 0, "--servers = 0: should be from 1 to 36"),
        (8000, 37, "--servers = 37: should be from 1 to 36"),
        (0, 2, "--port = 0: should be from 1 to 65533"),
        (65534, 2, "--port = 65534: should be from 1 to 65533"),
    ],
)
def test_an_impossible_number_of_servers_or_port_is_refused(port, servers, refusal):
    with pytest.raises(ConfigError, match=refusal):
        serving.ports_behind(port, servers)


def test_a_missing_database_is_reported_in_a_sentence():
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    refusal = "DATABASE_URL: the database cannot be reached: "
    with pytest.raises(ConfigError, match=refusal), serving.alone(nowhere):
        pass


# -- all of them ---------------------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch):
    """Record starts and stops in order. Each server accepts connections immediately."""
    events = []

    class Answering(Running):
        def __init__(self, name):
            self.name = name

    def start(*arguments, **options):
        events.append((arguments, options))
        return Answering(arguments)

    def launch(command, **options):
        events.append((tuple(command), options))
        return Answering("proxy")

    monkeypatch.setattr(keeper.process, "start", start)
    monkeypatch.setattr(keeper.process, "launch", launch)
    monkeypatch.setattr(keeper.process, "end", lambda running: events.append(("end", running.name)))
    monkeypatch.setattr(keeper.socket, "socket", Port)
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.01)
    Port.ports.clear()
    Port.refusals = 0
    return events


class Port:
    """Socket that connects to any port after `refusals` failures."""

    ports: list[int] = []
    refusals = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def connect_ex(self, address):
        Port.ports.append(address[1])
        Port.refusals -= 1
        return 1 if Port.refusals >= 0 else 0


PROXY = Program(["caddy", "run"], {"XDG_DATA_HOME": "here"})


def test_the_first_server_starts_alone_and_all_are_ended_in_reverse(calls):
    Port.refusals = 2
    kept = keeper.Keeper([8001, 8002], 8000, {"OWN": "1"}, PROXY, Path("there"))
    kept.start()
    assert Port.ports == [8001, 8001, 8001, 8002, 8000]
    commands = [arguments for arguments, _ in calls]
    assert commands == [
        ("prodserver", "127.0.0.1:8001"),
        ("prodserver", "127.0.0.1:8002"),
        (sys.executable, keeper.held.__file__, "caddy", "run"),
        ("timeoutsubprocess", "8000"),
    ]
    variables = {"OWN": "1", keeper.PROXIES: "127.0.0.1"}
    assert [options["variables"] for _, options in calls] == [
        {**variables, keeper.PLACE: str(keeper.Place(0, 2))},
        {**variables, keeper.PLACE: str(keeper.Place(1, 2))},
        {"OWN": "1", "XDG_DATA_HOME": "here"},
        {"OWN": "1", "USE_TIMEOUT_WORKER": "1"},
    ]
    assert all(options["held"] and options["folder"] == Path("there") for _, options in calls)
    kept.look()
    assert len(calls) == 4  # all run
    calls.clear()
    kept.end()
    assert [name for _, name in calls] == [commands[3], "proxy", commands[0], commands[1]]


def test_a_server_that_ends_before_it_answers_is_reported_and_none_is_left(calls, monkeypatch):
    class Ended(Running):
        returncode = 1
        name = "ended"

    monkeypatch.setattr(keeper.process, "start", lambda *_, **__: Ended())
    kept = keeper.Keeper([8001, 8002], 8000, {}, PROXY)
    with pytest.raises(keeper.NotStartedError, match="server 1 did not start"):
        kept.start()
    assert calls == [("end", "ended")]


# -- restarting ----------------------------------------------------------------------------------


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

    monkeypatch.setattr(keeper, "time", SimpleNamespace(monotonic=lambda: Clock.now))
    return Clock


@pytest.fixture
def sent(monkeypatch):
    """Record which processes were sent a signal, and whether they were killed."""
    signals = []
    monkeypatch.setattr(
        keeper.process, "send", lambda running, by_force=False: signals.append((running, by_force))
    )
    return signals


def test_the_next_server_is_restarted_only_when_the_previous_one_answers_again(calls, clock, sent):
    kept = keeper.Keeper([8001, 8002], 8000, {}, PROXY)
    kept.start()
    first, second = (server.process for server in kept.servers)
    assert not kept.restarting
    kept.restart()
    kept.look()
    kept.look()
    assert sent == [(first, False)]
    first.returncode = 0
    kept.look()  # it has ended, and its pause begins
    kept.look()
    assert len(sent) == 1
    clock.now = PAUSES[0]
    Port.refusals = 1
    kept.look()  # it runs again but does not answer yet
    assert kept.servers[0].process not in (None, first)
    assert len(sent) == 1
    kept.look()
    assert sent == [(first, False), (second, False)]
    assert kept.restarting
    second.returncode = 0
    kept.look()
    clock.now += PAUSES[0]
    kept.look()
    assert not kept.restarting
    assert kept.servers[1].process not in (None, second)


def test_a_server_that_does_not_end_is_killed(calls, clock, sent):
    kept = keeper.Keeper([8001], 8000, {}, PROXY)
    kept.start()
    kept.restart()
    kept.look()
    clock.now = keeper.process.PATIENCE_SECONDS - 0.1
    kept.look()
    assert [by_force for _, by_force in sent] == [False]
    clock.now = keeper.process.PATIENCE_SECONDS
    kept.look()
    assert [by_force for _, by_force in sent] == [False, True]


def test_a_restart_is_not_a_failure_however_soon_it_comes(calls, clock, sent):
    kept = keeper.Keeper([8001], 8000, {}, PROXY)
    kept.start()
    for _ in range(3):
        kept.restart()
        kept.look()
        kept.servers[0].process.returncode = 0
        kept.look()
        assert kept.servers[0].again - clock.now == pytest.approx(PAUSES[0])
        clock.now = kept.servers[0].again
        kept.look()
        assert not kept.restarting


def test_nothing_to_restart_is_reported(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        ConfigError, match="--port = 8000: no `mixed serve` from this folder is running"
    ):
        serving.restart(8000)
    assert list(tmp_path.iterdir()) == []


def test_servers_that_end_while_they_are_restarted_are_reported(tmp_path, monkeypatch):
    """Report that the keeper has ended if it was killed, its proxy file is still there, and nothing
    is listening."""
    monkeypatch.chdir(tmp_path)
    folder = serving.run_folder(1)
    folder.mkdir(parents=True)
    (folder / "Caddyfile").touch()
    with pytest.raises(ConfigError, match="--port = 1: `mixed serve` has stopped"):
        serving.restart(1)
    assert [file.name for file in folder.iterdir()] == ["Caddyfile"]


def test_a_proxy_that_rejects_its_file_leaves_nothing_to_restart(tmp_path, monkeypatch):
    def reject(*_):
        raise ConfigError("no")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serving, "_listen_for_the_end", lambda: None)
    monkeypatch.setattr(serving.Proxy, "prepare", reject)
    with pytest.raises(ConfigError, match="no"):
        serving.serve(Entrance("127.0.0.1", 8000, [8001]), PROXIES["nginx"], {}, lambda: None)
    with pytest.raises(ConfigError, match="no `mixed serve` from this folder"):
        serving.restart(8000)
