"""What ends is started again, with a pause that grows while it ends at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.contract.errors import ConfigError
from server.fleet import keeper, serving
from server.fleet.keeper import PAUSES, Kept


class Running:
    """A process that ends when it is told to."""

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


def test_what_runs_is_left_alone(kept, started):
    for now in (0.0, 1.0, 100.0):
        kept.look(now)
    assert len(started) == 1


def test_what_has_ended_is_started_again_after_a_pause(kept, started):
    kept.look(0.0)
    started[0].returncode = -9
    kept.look(10.0)  # the pause begins
    assert len(started) == 1
    kept.look(10.0 + PAUSES[0])
    assert len(started) == 2


def test_the_pause_grows_while_it_ends_at_once_and_is_short_again_after_a_while(kept, started):
    now, pauses = 0.0, []
    kept.look(now)
    for lasting in (0.0, 0.0, 0.0, 0.0, 0.0, 60.0):
        now += lasting
        started[-1].returncode = 1
        kept.look(now)
        pauses.append(kept.again - now)
        now = kept.again
        kept.look(now)
    # the last one goes on; who has lasted for a minute begins anew
    assert pauses == pytest.approx([*PAUSES, PAUSES[-1], PAUSES[0]])
    assert len(started) == 7


@pytest.mark.parametrize("url", [None, "", "sqlite:///db.sqlite3"])
def test_a_database_that_several_servers_cannot_share_is_refused_with_the_way_out(url):
    with pytest.raises(ConfigError) as error:
        serving.check_database(url)
    refusal = str(error.value)
    assert refusal.startswith(f"DATABASE_URL = {url or ''!r}: SQLite has one writer")
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
def test_a_number_of_servers_or_a_port_that_cannot_be_is_refused(port, servers, refusal):
    with pytest.raises(ConfigError, match=refusal):
        serving.ports_behind(port, servers)


def test_servers_are_behind_their_front():
    assert serving.ports_behind(65533, 2) == [65534, 65535]


def test_a_database_that_is_not_there_is_said_in_a_sentence():
    nowhere = "postgresql://nobody@127.0.0.1:1/none"
    refusal = "DATABASE_URL: the database cannot be reached: "
    with pytest.raises(ConfigError, match=refusal), serving.alone(nowhere):
        pass


# -- all of them ---------------------------------------------------------------------------------


@pytest.fixture
def calls(monkeypatch):
    """What is started and ended, in order; each answers at its port at once."""
    made = []

    class Answering(Running):
        def __init__(self, name):
            self.name = name

    def start(*arguments, **given):
        made.append((arguments, given))
        return Answering(arguments)

    monkeypatch.setattr(keeper.process, "start", start)
    monkeypatch.setattr(keeper.process, "end", lambda one: made.append(("end", one.name)))
    monkeypatch.setattr(keeper.socket, "socket", Port)
    monkeypatch.setattr(keeper, "LOOK_SECONDS", 0.01)
    Port.asked.clear()
    Port.refusals = 0
    return made


class Port:
    """A socket that finds somebody at every port, after so many refusals."""

    asked: list[int] = []
    refusals = 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def connect_ex(self, address):
        Port.asked.append(address[1])
        Port.refusals -= 1
        return 1 if Port.refusals >= 0 else 0


def test_servers_are_started_the_first_alone_and_then_the_worker_and_ended_the_other_way(calls):
    Port.refusals = 2
    kept = keeper.Keeper([8001, 8002], 8000, {"OWN": "1"}, Path("there"))
    kept.start()
    assert Port.asked == [8001, 8001, 8001, 8002]
    commands = [arguments for arguments, _ in calls]
    assert commands == [
        ("prodserver", "127.0.0.1:8001"),
        ("prodserver", "127.0.0.1:8002"),
        ("timeoutsubprocess", "8000"),
    ]
    own = {"OWN": "1", keeper.PROXIES: "127.0.0.1"}
    assert [given["variables"] for _, given in calls] == [
        {**own, keeper.PLACE: str(keeper.Place(0, 2))},
        {**own, keeper.PLACE: str(keeper.Place(1, 2))},
        {"OWN": "1", "USE_TIMEOUT_WORKER": "1"},
    ]
    assert all(given["held"] and given["folder"] == Path("there") for _, given in calls)
    kept.look()
    assert len(calls) == 3  # all run
    calls.clear()
    kept.end()
    assert [name for _, name in calls] == [commands[2], commands[0], commands[1]]


def test_a_server_that_ends_before_it_answers_is_said_and_none_is_left(calls, monkeypatch):
    class Ended(Running):
        returncode = 1
        name = "ended"

    monkeypatch.setattr(keeper.process, "start", lambda *_, **__: Ended())
    kept = keeper.Keeper([8001, 8002], 8000, {})
    with pytest.raises(keeper.NotStartedError, match="server 1 does not start"):
        kept.start()
    assert calls == [("end", "ended")]
