"""A fleet runs until it is stopped, is the only one on its database, and restarts when a file
requests it.
"""

from __future__ import annotations

import signal
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import NullPool

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.server.fleet import serving
from mixed_company.server.fleet.entrance import Entrance

ENTRANCE = Entrance("127.0.0.1", 8000, [8001, 8002])
PROGRAM = object()


class Over:
    """An event that is set after its steps have run, one step per pause."""

    def __init__(self, *steps):
        self.steps = list(steps)

    def wait(self, seconds):
        assert seconds == serving.LOOK_SECONDS
        if not self.steps:
            return True
        self.steps.pop(0)()
        return False


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """Replace the keeper, and record its calls in order."""
    events = []

    class Keeper:
        restarting = False

        def __init__(self, *arguments):
            events.append(("keeper", *arguments))

        def __getattr__(self, name):
            return lambda: events.append(name)

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serving, "Keeper", Keeper)
    return events


def proxy(calls, file):
    def prepare(entrance, folder):
        calls.append(("prepare", entrance, folder, [path.name for path in folder.iterdir()]))
        (folder / file).touch()
        return PROGRAM

    return SimpleNamespace(prepare=prepare, file=file)


def test_servers_run_behind_their_proxy_until_the_end_and_leave_no_file(calls, monkeypatch):
    folder = serving.run_folder(8000)
    folder.mkdir(parents=True)
    (folder / serving.RESTART).touch()  # a request to servers that were killed
    listed = []

    def note():
        listed.extend(path.name for path in folder.iterdir())

    monkeypatch.setattr(serving, "_listen_for_the_end", lambda: Over(note))
    variables = {"OWN": "1"}
    serving.serve(ENTRANCE, proxy(calls, "Caddyfile"), variables, lambda: calls.append("ready"))
    assert calls == [
        ("prepare", ENTRANCE, folder, []),
        ("keeper", [8001, 8002], 8000, variables, PROGRAM),
        *("start", "ready", "look", "end"),
    ]
    assert listed == ["Caddyfile"]
    assert list(folder.iterdir()) == []


def test_a_fleet_can_start_where_none_has_ever_run(calls, monkeypatch):
    monkeypatch.setattr(serving, "_listen_for_the_end", Over)
    serving.serve(ENTRANCE, proxy(calls, "nginx.conf"), {}, lambda: None)
    assert list((Path(serving.FOLDER) / "8000").iterdir()) == []


def test_servers_are_ended_if_they_do_not_get_ready(calls, monkeypatch):
    def fail():
        raise ConfigError("no")

    monkeypatch.setattr(serving, "_listen_for_the_end", Over)
    with pytest.raises(ConfigError, match="no"):
        serving.serve(ENTRANCE, proxy(calls, "Caddyfile"), {}, fail)
    assert calls[-2:] == ["start", "end"]


def test_a_file_requests_a_restart_and_is_deleted_when_all_are_back(tmp_path):
    request, events, exists = tmp_path / serving.RESTART, [], []

    class Keeper:
        restarting = False

        def look(self):
            events.append("look")
            exists.append(request.exists())

        def restart(self):
            events.append("restart")
            self.restarting = True

    keeper = Keeper()

    def back():
        keeper.restarting = False

    over = Over(lambda: None, request.touch, lambda: None, back, lambda: None, request.touch)
    serving._keep(keeper, request, over)
    assert events == ["look", "look", "restart", *["look"] * 4, "restart"]
    assert exists == [False, True, True, True, False, True]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_a_fleet(name, monkeypatch):
    heard = {}
    monkeypatch.setattr(serving.signal, "signal", heard.__setitem__)
    over = serving._listen_for_the_end()
    assert not over.is_set()
    heard[getattr(signal, name)](getattr(signal, name), None)
    assert over.is_set()


# -- requested restarts ---------------------------------------------------------------------------


def test_a_restart_command_waits_until_the_file_is_gone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = serving.run_folder(8000)
    folder.mkdir(parents=True)
    (folder / "nginx.conf").touch()
    addresses, slept = [], []

    class Port:
        def __enter__(self):
            return SimpleNamespace(connect_ex=lambda address: addresses.append(address) or 0)

        def __exit__(self, *_):
            pass

    def sleep(seconds):
        slept.append(seconds)
        if len(slept) == 3:
            (folder / serving.RESTART).unlink()

    monkeypatch.setattr(serving, "socket", SimpleNamespace(socket=Port))
    monkeypatch.setattr(serving, "time", SimpleNamespace(sleep=sleep))
    serving.restart(8000)
    assert addresses == [("127.0.0.1", 8000)] * 3
    assert slept == [serving.LOOK_SECONDS] * 3


# -- one fleet per database -----------------------------------------------------------------------

URL = "postgresql://lab@127.0.0.1/lab"


class Database:
    """Connection to PostgreSQL whose lock is free or held by another fleet."""

    def __init__(self, free, cut=False):
        self.free, self.cut, self.calls = free, cut, []

    def connect(self):
        return self

    def execute(self, statement, **values):
        self.calls.append((str(statement), values))
        return SimpleNamespace(scalar=lambda: self.free)

    def close(self):
        self.calls.append("close")
        if self.cut:
            raise OperationalError("", {}, Exception("cut"))


LOCK = ("SELECT pg_try_advisory_lock(:key)", {"key": serving.KEY})


@pytest.mark.parametrize("cut", [False, True])
def test_a_fleet_holds_the_lock_of_its_database_until_it_ends(cut, monkeypatch):
    database, engines = Database(free=True, cut=cut), []

    def create(url, **options):
        engines.append((url, options))
        return database

    monkeypatch.setattr(serving, "create_engine", create)
    with serving.alone(URL):
        assert database.calls == [LOCK]
    assert database.calls == [LOCK, "close"]
    assert engines == [(URL, {"poolclass": NullPool, "isolation_level": "AUTOCOMMIT"})]


def test_a_second_fleet_on_a_database_is_refused(monkeypatch):
    database = Database(free=False)
    monkeypatch.setattr(serving, "create_engine", lambda *_, **__: database)
    refusal = "DATABASE_URL: other servers are using this database"
    with pytest.raises(ConfigError, match=refusal), serving.alone(URL):
        pytest.fail("two fleets")
    assert database.calls == [LOCK, "close"]


def test_the_address_of_a_shareable_database_is_returned():
    assert serving.check_database(URL) == URL


@pytest.mark.parametrize(
    ("port", "servers", "ports"),
    [(1, 1, [2]), (1, 36, list(range(2, 38))), (65_534, 1, [65_535]), (8000, 2, [8001, 8002])],
)
def test_consecutive_ports_are_used_as_far_as_there_are_any(port, servers, ports):
    assert serving.ports_behind(port, servers) == ports
