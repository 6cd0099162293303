"""Tests of two servers on one PostgreSQL, behind a real proxy (`mixed serve --servers 2`)."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections.abc import Iterator
from typing import Any

import psutil
import pytest
import requests
from websocket import WebSocketException

from mixed_company.server.fleet.owners import owner
from mixed_company.server.gate.limits import limits
from mixed_company.server.rehearse.server import PATIENCE_SECONDS
from tests.crowd.places import database
from tests.door.audit import table, wrong_numbers
from tests.door.fleet import Fleet, free_ports
from tests.door.harness import Live, Person, seated, synced, when
from tests.proxy import installed

pytestmark = [pytest.mark.door]

SERVERS = 2
QUICK: dict[str, Any] = {"quiz": False, "bot_delay": "instant", "decision_seconds": 0.0}
QUICK |= {"practice_periods": 0, "ready": False}


FIRST, OTHERS = installed()[:1] or [None], installed()[1:]


@pytest.fixture(
    scope="module",
    params=[*FIRST, *(pytest.param(name, marks=pytest.mark.long) for name in OTHERS)],
)
def fleet(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Fleet]:
    if request.param is None:
        pytest.skip("there is neither Caddy nor nginx: apt-get install nginx")
    folder = tmp_path_factory.mktemp("fleet") / "project"
    with database("postgresql") as url, Fleet(folder, str(url), SERVERS, request.param) as running:
        yield running


@pytest.fixture(scope="module")
def pair(fleet: Fleet) -> list[dict[str, Any]]:
    """Create two sessions, the second one while the first is waiting for people."""
    return [fleet.session("commons", 1, **QUICK) for _ in range(2)]


def played(live: Live, periods: range) -> list[str]:
    """Decide in turn in these periods, and return the names of the acknowledged decisions."""
    names = [f"p{period}" for period in periods]
    for period, name in zip(periods, names, strict=True):
        assert live.act(period, name, harvest=2, contribution=0)["kind"] == "ack"
    return names


def again(person: Person) -> Live:
    """Reconnect a page whose socket has ended, as a browser does."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            live = person.live()
            synced(live)
        except (OSError, WebSocketException):
            assert time.monotonic() < end
        else:
            return live


def asked(url: str) -> requests.Response:
    """Request a page as a browser does: either the proxy waits, or its error page retries."""
    end = time.monotonic() + PATIENCE_SECONDS
    while True:
        answer = requests.get(url, timeout=60)
        if answer.status_code != requests.codes.unavailable:
            return answer
        assert "http-equiv=refresh" in answer.text
        assert answer.headers["Retry-After"] == "2"
        assert time.monotonic() < end
        time.sleep(0.2)


@pytest.mark.long
def test_each_session_is_played_on_one_server_and_continues_after_it_restarts(fleet, pair):
    owners = [owner(session["code"], SERVERS) for session in pair]
    assert sorted(owners) == [0, 1]
    [(first, quiet)], [(second, struck)] = (seated(fleet, session) for session in pair)
    assert [first.code[-1], second.code[-1]] == [session["code"][-1] for session in pair]
    played(quiet, range(3))
    acknowledged = played(struck, range(3))
    for server in range(SERVERS):
        assert f"server {server + 1}/2; " in fleet.state(server)
        assert "tables open: 1\n" in fleet.state(server)

    assert len(fleet.processes("timeoutsubprocess")) == 1
    fleet.server(owners[1]).kill()
    played(quiet, range(3, 6))  # nobody else is affected
    assert asked(second.page.url).ok
    acknowledged += played(again(second), range(3, 6))
    second.reload()
    assert (second.page.status_code, second.page_name) == (200, "Play")

    before = [fleet.server(number).pid for number in range(SERVERS)]
    fleet.restart()
    assert not {fleet.server(number).pid for number in range(SERVERS)} & set(before)
    for person in (first, second):
        played(again(person), range(6, 9))

    for session, person in zip(pair, (first, second), strict=True):
        assert wrong_numbers(fleet, session) == []
        decisions = table(fleet, "decisions", session)
        own_decisions = decisions[decisions["participant"] == person.code]
        assert own_decisions["period"].tolist() == list(range(9))
        assert own_decisions["sent_harvest"].tolist() == [2.0] * 9
    assert len(acknowledged) == 6


@pytest.mark.long
def test_a_server_that_does_not_own_a_session_opens_none_of_its_tables(fleet, pair):
    """Keep a table in the memory of only one server, even if the proxy makes mistakes."""
    session = fleet.session("commons", 1, **QUICK)
    person = fleet.join(session)
    person.walk_to("Play")
    right = owner(session["code"], SERVERS)
    wrong = fleet.port + 1 + (1 - right)
    stray = Live(person.live_url().replace(f":{fleet.port}/", f":{wrong}/"))
    stray.send({"kind": "sync"})
    with pytest.raises((OSError, WebSocketException)):
        stray.receive()
    warning = f"session {session['code']} is played on server {right + 1}/2; this is {2 - right}/2"
    assert warning in fleet.log()
    assert person.live().ask({"kind": "sync"})["kind"] == "view"


@pytest.mark.long
def test_the_link_of_a_room_sends_whole_groups_to_the_parts_of_a_session(fleet):
    changes = {**QUICK, "parts": 2, "people_per_group": 2, "seed": "5"}
    body = {
        "session_config_name": "commons_two_people",
        "num_participants": 4,
        "room_name": "lab",
        "modified_session_config_fields": changes,
    }
    answer = requests.post(f"{fleet.url}/api/sessions", json=body, timeout=60)
    answer.raise_for_status()
    link = f"{fleet.url}/room/lab?welcome_page_ok=1"
    people = [Person(fleet, link) for _ in range(4)]
    letters = "".join(person.code[-1] for person in people)
    assert re.fullmatch(r"(.)\1(.)\2", letters)
    assert {owner(letter, SERVERS) for letter in letters} == {0, 1}
    assert people[0].http.get(link, timeout=60).url.split("/p/")[1].startswith(people[0].code)
    assert requests.get(link, timeout=60).status_code == 404  # Session is full.

    for person in people:
        person.walk_to("Lobby")
        person.live().ask({"kind": "sync"})
    lives = []
    for person in people:
        person.walk_to("Play")
        lives.append(person.live())
        synced(lives[-1])
    for number, live in enumerate(lives):
        assert live.act(0, f"a{number}", harvest=2, contribution=0)["kind"] == "ack"
    sessions = requests.get(f"{fleet.url}/api/sessions", timeout=60).json()
    parts = [entry["code"] for entry in sessions if entry["config_name"] == "commons_two_people"]
    assert sorted(code[-1] for code in parts) == sorted(set(letters))
    seeds = set()
    for code in parts:
        answer = requests.get(f"{fleet.url}/api/sessions/{code}", timeout=60)
        seeds.add(answer.json()["config"]["seed"])
        assert wrong_numbers(fleet, {"code": code, "app": "commons_game"}) == []
    assert seeds == {"5", "6"}


@pytest.mark.long
def test_refused_parts_leave_no_session(fleet):
    before = requests.get(f"{fleet.url}/api/sessions", timeout=60).json()
    answer = fleet.create("commons_two_people", 4, parts=2, bots="nobody")
    assert answer.status_code != 200
    answer = fleet.create("commons_two_people", 4, parts=3)
    assert answer.status_code != 200
    assert requests.get(f"{fleet.url}/api/sessions", timeout=60).json() == before


@pytest.mark.long
def test_two_fleets_never_share_a_database(fleet):
    other = [*fleet.command_line()[:-1], str(free_ports(1 + SERVERS))]
    ran = subprocess.run(
        other,
        cwd=fleet.folder,
        env=fleet._environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 2
    assert "DATABASE_URL: other servers are using this database" in ran.stderr


@pytest.mark.long
def test_a_killed_proxy_is_restarted(fleet):
    [holder] = fleet.processes(str(fleet.folder / "mixed_company/server/fleet/held.py"))
    [proxy] = holder.children()
    proxy.kill()
    psutil.wait_procs([proxy], timeout=PATIENCE_SECONDS)
    when(fleet._answers)


@pytest.mark.long
def test_a_form_is_accepted_up_to_the_maximum_of_a_server(fleet):
    limit, url = limits().body_bytes, f"{fleet.url}/api/sessions"
    posted = {
        size: requests.post(url, data=b" " * size, timeout=60).status_code
        for size in (limit, limit + 1, 9_000_000)
    }
    assert posted == {limit: 400, limit + 1: 413, 9_000_000: 413}


@pytest.mark.long
@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_when_the_keeper_ends_everything_ends(fleet, how):
    """Otherwise a session would have two owners after the next start. This must be the last
    test."""
    assert fleet.process is not None
    session = fleet.session("commons", 1, **QUICK)
    [(_, live)] = seated(fleet, session)
    played(live, range(3))
    running = psutil.Process(fleet.process.pid).children(recursive=True)
    assert len(running) >= SERVERS + 3  # the timeout worker, and the proxy with its holder
    fleet.process.send_signal(how)
    assert fleet.process.wait(PATIENCE_SECONDS) == (0 if how == signal.SIGTERM else -signal.SIGKILL)
    _, left = psutil.wait_procs(running, timeout=PATIENCE_SECONDS)
    assert left == []
    if how == signal.SIGTERM:
        fleet.start()
        decisions = table(fleet, "decisions", session)
        assert set(decisions["period"]) >= set(range(3))
