"""Policies in place of people go through a complete server in this process, using pages and
sockets."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import threading
import time
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import nullcontext
from typing import Any

import pytest
import requests
import websocket

from mixed_company.server.pages.play import Play
from mixed_company.server.rehearse import participant, whole
from mixed_company.server.rehearse.person import Person
from mixed_company.server.rehearse.server import ServerError
from mixed_company.server.sockets import MOST_PAGES
from tests.server.threaded import Server, threaded

pytestmark = pytest.mark.door


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with threaded(tmp_path_factory.mktemp("threaded")) as server:
        yield server


@pytest.fixture
def here(running: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run rehearsals on this server."""
    monkeypatch.setattr(whole, "Server", lambda *_, **__: nullcontext(running))


def table(archive: zipfile.ZipFile, name: str) -> list[dict[str, str]]:
    [path] = [entry for entry in archive.namelist() if entry.endswith(f"/{name}.csv")]
    return list(csv.DictReader(io.StringIO(archive.read(path).decode(), newline="")))


def rehearsed(name: str, people: str, **changes: Any) -> tuple[zipfile.ZipFile, list[str]]:
    chosen = whole.plan(name, 1, people, 5, "instant", {"bot_delay": "instant", **changes})
    content, faults = whole.rehearsed(chosen)
    return zipfile.ZipFile(io.BytesIO(content)), faults


ALL_PAGES = {"consent": "May we?", "practice_periods": 2, "comments": True, "ready": True}


def test_two_people_go_through_all_pages_and_decide_every_period(here):
    archive, faults = rehearsed(
        "commons_two_people", "half_capacity,greedy", periods=3, **ALL_PAGES
    )
    assert faults == []
    people = table(archive, "outcomes")
    assert [row["status"] for row in people] == ["finished", "finished"]
    assert [row["practised_periods"] for row in people] == ["2", "2"]
    assert [row["consented"] for row in people] == ["yes", "yes"]
    assert all(int(row["quiz_attempts"]) > 1 for row in people)
    assert len({row["participant"] for row in people}) == 2
    decisions = [row for row in table(archive, "decisions") if row["occupant"] == "person"]
    assert [row["decided_by"] for row in decisions] == ["person"] * 6
    assert {row["period"] for row in decisions} == {"0", "1", "2"}
    assert all(int(row["received_ms"]) >= int(row["shown_ms"]) for row in decisions)


@pytest.mark.long  # tests/server/test_rehearse.py covers seeds
def test_several_sessions_are_in_one_file_each_with_people_of_its_own_seed(here):
    changes = {"periods": 2, "practice_periods": 0}
    several = whole.plans(2, "commons_two_people", 1, "random,random", 5, "instant", changes)
    content, faults = whole.rehearsed(*several)
    together = zipfile.ZipFile(io.BytesIO(content))
    assert faults == []
    codes = list(json.loads(together.read("manifest.json"))["sessions"])
    assert [row["session"] for row in table(together, "config")] == codes
    assert len(set(codes)) == 2
    alone = zipfile.ZipFile(io.BytesIO(whole.rehearsed(several[1])[0]))
    [code] = json.loads(alone.read("manifest.json"))["sessions"]
    rows = [*table(together, "decisions"), *table(alone, "decisions")]
    first, second, repeated = (
        [
            (row["period"], row["seat"], row["sent_harvest"], row["reward"])
            for row in rows
            if row["session"] == session
        ]
        for session in (*codes, code)
    )
    assert second == repeated != []
    assert first != second  # the seeds differ


@pytest.mark.long
def test_a_person_who_plays_by_the_clock_and_takes_time_is_in_time(here):
    """Think for half a second, the longest time that the session allows."""
    slow = {"decision_seconds": 30.0, "pace": "answers", "periods": 2}
    chosen = whole.plan("commons", 1, "greedy", 5, "fixed:seconds=0.5", slow)
    content, faults = whole.rehearsed(chosen)
    assert faults == []
    rows = table(zipfile.ZipFile(io.BytesIO(content)), "decisions")
    decisions = [row for row in rows if row["occupant"] == "person"]
    assert [int(row["received_ms"]) - int(row["shown_ms"]) >= 500 for row in decisions] == [
        True
    ] * 2


def test_a_refused_session_ends_a_rehearsal_with_the_sentence(here, monkeypatch):
    chosen = whole.plan("commons", 1, "greedy", 5, "instant", {})
    chosen.changes["capacity"] = -5
    with pytest.raises(ServerError, match=r"capacity[^$]*The server says"):
        whole.rehearsed(chosen)


def test_the_file_says_who_rehearsed(here, monkeypatch):
    """Set the server's variables in this process."""
    chosen = whole.plan("commons", 1, "greedy", 5, "instant", {"periods": 1})
    for name, value in whole._variables({"people": ["greedy"], "seed": 5}).items():
        monkeypatch.setenv(name, value)
    manifest = json.loads(
        zipfile.ZipFile(io.BytesIO(whole.rehearsed(chosen)[0])).read("manifest.json")
    )
    assert manifest["rehearsed"] == {"people": ["greedy"], "seed": 5}


# -- the live channel -----------------------------------------------------------------------------


class Page:
    """Person on the play page, decision by decision."""

    def __init__(self, running: Server, config: str, **changes: Any) -> None:
        plain = {"quiz": False, "practice_periods": 0, "ready": False, "bot_delay": "instant"}
        answer = running.create(config, 1, **plain, **changes)
        assert answer.status_code == 200, answer.text
        self.session = answer.json()["code"]
        self.person = participant.Participant(answer.json()["session_wide_url"])
        self.person.next()
        assert self.person.page_name == "Play"
        self.live = self.opened()

    def opened(self) -> participant.Live:
        return participant.Live(self.person.live_url())

    def decide(self, period: int, **action: float) -> dict[str, Any]:
        decision = {"harvest": 1, "contribution": 0, **action}
        self.live.send({"kind": "act", "id": f"p{period}", "period": period, "action": decision})
        while (answer := self.live.receive())["kind"] not in ("ack", "refused"):
            pass
        return answer


def test_a_decision_is_acknowledged_and_an_invalid_one_refused(running):
    page = Page(running, "commons", periods=5)
    page.live.send({"kind": "sync"})
    assert page.live.receive("view")["period"] == 0
    assert page.decide(0) == {"kind": "ack", "id": "p0", "period": 0}
    for sent in ("nonsense", "[" * 50, "{}"):
        page.live.socket.send(sent)
        assert page.live.receive("refused")["reason"]
    page.live.socket.send_binary(b'{"kind": "sync"}')
    assert page.live.receive("view")["period"] == 1
    page.live.close()


def test_a_person_has_a_limited_number_of_pages_and_closed_ones_are_released(running):
    page = Page(running, "commons", periods=5)
    others = [page.opened() for _ in range(MOST_PAGES)]
    for live in (page.live, *others):
        live.send({"kind": "sync"})
    kinds = [live.receive()["kind"] for live in (page.live, *others)]
    assert kinds == ["view"] * MOST_PAGES + ["refused"]
    for live in others:
        live.close()
    deadline = time.monotonic() + 60
    while True:
        late = page.opened()
        late.send({"kind": "sync"})
        if late.receive()["kind"] == "view":
            break
        late.close()
        assert time.monotonic() < deadline


def test_a_page_is_made_in_the_thread_of_the_sockets(running, monkeypatch):
    """Two threads once began a transaction at the same time on the only connection."""
    js_vars, threads = Play.js_vars, set()

    def recorded(player: Any) -> dict[str, Any]:
        threads.add(threading.current_thread())
        return js_vars(player)

    monkeypatch.setattr(Play, "js_vars", staticmethod(recorded))
    Page(running, "commons", periods=1).live.close()
    assert threads == {running._thread}


def test_a_live_page_of_another_app_is_answered_by_its_own_method(running, monkeypatch):
    """Let the page send any JSON. The method's return value is sent to the people that it names."""

    def live_method(player: Any, data: Any) -> dict[int, Any]:
        return {player.id_in_group: {"kind": "echo", "heard": data, "of": player.participant.code}}

    page = Page(running, "commons", periods=5)
    monkeypatch.setattr(Play, "live_method", staticmethod(live_method))
    live = page.opened()
    live.socket.send('[{"any": 1}]')
    answer = live.receive("echo")
    assert (answer["heard"], answer["of"]) == ([{"any": 1}], page.person.code)
    live.close()


def test_a_live_page_that_answers_in_pieces_blocks_nobody(running, monkeypatch):
    """Lock as oTree does. Such a method takes the participant's lock, not the global one."""
    goes_on = threading.Event()

    async def live_method(player: Any, data: Any) -> AsyncIterator[dict[int, Any]]:
        yield {player.id_in_group: {"kind": "first"}}
        while not goes_on.is_set():
            await asyncio.sleep(0.01)
        yield {player.id_in_group: {"kind": "last"}}

    page = Page(running, "commons", periods=5)
    monkeypatch.setattr(Play, "live_method", staticmethod(live_method))
    live = page.opened()
    try:
        live.send({})
        assert live.receive("first")
        assert requests.get(f"{running.url}/demo", timeout=30).status_code == 200
    finally:
        goes_on.set()
    assert live.receive("last")
    live.close()


def test_a_page_without_a_live_channel_says_so(running):
    answer = running.create("commons", 1)
    person = participant.Participant(answer.json()["session_wide_url"])
    assert person.page_name == "Instructions"
    assert person.code in person.page.url
    with pytest.raises(ServerError, match="has no live channel"):
        person.live_url()


def test_a_person_who_is_stuck_says_where(running):
    chosen = whole.plan("commons", 1, "greedy", 5, "instant", {"periods": 1})
    link = running.create("commons", 1).json()["session_wide_url"]
    person = Person(link, [(chosen.parts[0].setups[""], "greedy")], 5, 3, "instant")
    with pytest.raises(ServerError, match="person 3: stuck on Instructions"):
        person.play(lambda period: None)


# -- the form of a session ------------------------------------------------------------------------


def filled_in(running: Server, **changes: str) -> dict[str, Any]:
    """Return the response to the form for a session."""
    form = {"session_config": "commons", "num_participants": "2", "room_name": ""}
    form |= {f"commons.{key}": value for key, value in changes.items()}
    socket = websocket.create_connection(
        f"ws://127.0.0.1:{running.port}/create_session", timeout=60
    )
    socket.send(json.dumps(form))
    while "progress" in (answer := json.loads(socket.recv())):
        pass
    socket.close()
    return dict(answer)


def test_the_form_is_answered_by_field(running):
    created = filled_in(running, capacity="80")
    assert created["session_url"]
    unreadable = filled_in(running, capacity="eighty")
    assert set(unreadable) == {"error", "fields", "others"}
    assert list(unreadable["fields"]) == ["capacity"]
    assert unreadable["error"].startswith("capacity = ")
    assert unreadable["others"] == []
    refused = filled_in(running, capacity="-5")
    assert list(refused["fields"]) == ["capacity"]
    assert (refused["others"], "capacity" in refused["error"]) == ([], True)
    both = filled_in(running, capacity="eighty", periods="many")
    assert len(both["error"].splitlines()) == 2


def test_the_label_of_a_session_describes_the_changes(running):
    running.create("commons", 1, capacity=77)
    listed = requests.get(f"{running.url}/api/sessions", timeout=60).json()
    assert any(
        "capacity" in str(session.get("label")) and "77" in session["label"] for session in listed
    )
