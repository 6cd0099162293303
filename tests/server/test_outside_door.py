"""Agents from outside come in by a key, have seats, and decide: real sockets, other processes."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import websocket

import analysis
from agents.llm import connected
from agents.llm.calls import Budget, Calls
from agents.llm.model import Reply
from agents.llm.player import Players
from agents.llm.stub import filled
from agents.llm.treatment import Treatment
from analysis.audit import NOTES, audited
from analysis.audit.policies import FAILED, OUTSIDE
from analysis.audit.wording import lines
from server.outside.keys import VARIABLE
from server.preflight.agents import of_agents
from tests.door.harness import Live, Person, synced
from tests.server.threaded import Server, threaded

pytestmark = pytest.mark.door

KEY = "a key of sixteen or more"
PATIENCE_SECONDS = 120
NAMES = ("crowd", "missing", "model", "gpt", "back", "shared", "tired", "heard", "python", "node")
"""One for each test: a play that is left goes on, and waits for its agent."""

KNOWN = ",".join(f"{name}={KEY}" for name in NAMES)
AGENTS: dict[str, Any] = {
    "quiz": False,
    "bot_delay": "instant",
    "countdown_seconds": 0.0,
    "grace_seconds": 600.0,
}


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, KNOWN)
        with threaded(tmp_path_factory.mktemp("outside")) as server:
            yield server


def played(server: Server, people: int = 1, **changes: Any) -> tuple[str, Live]:
    """A session of the commons, and its first person, who is on the play page."""
    config = "commons_two_people" if people == 2 else "commons"
    answer = server.create(config, people, **{**AGENTS, "decision_seconds": 600.0, **changes})
    assert answer.status_code == 200, answer.text
    session = answer.json()
    person = Person(server, session["session_wide_url"])  # type: ignore[arg-type]
    person.walk_to("Play")
    return session["code"], person.live()


def shown(live: Live, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """Wait until the page is shown what it waits for."""
    view = synced(live)
    while not wanted(view):
        view = live.receive("view")
    return view


def over(view: dict[str, Any]) -> bool:
    return bool(view["phase"] == "over")


def next_period(live: Live, period: int) -> dict[str, Any]:
    """Wait until a period is over."""
    return shown(live, lambda view: view["period"] > period or over(view))


class Agent:
    """An agent by hand."""

    def __init__(self, server: Server, name: str = "gpt", key: str = KEY, **more: Any) -> None:
        url = server.url.replace("http", "ws") + "/agents"
        self.socket = websocket.create_connection(url, timeout=PATIENCE_SECONDS)
        self.send(kind="hello", agent=name, key=key, **more)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, kind: str, **about: Any) -> dict[str, Any]:
        """The next message of a kind, with these contents."""
        while True:
            text = self.socket.recv()
            if not text:
                raise ConnectionError("it was closed")
            message: dict[str, Any] = json.loads(text)
            if message["kind"] == kind and about.items() <= message.items():
                return message

    def close(self) -> None:
        self.socket.close()


@pytest.fixture
def agent(running: Server) -> Iterator[Agent]:
    one = Agent(running)
    yield one
    one.close()


def test_who_has_no_key_is_told_so_and_let_out(running: Server) -> None:
    for wrong in ({"key": "not the key at all"}, {"name": "nobody"}):
        one = Agent(running, **wrong)
        assert one.receive("refused")["reason"] == "this is not the key of that agent"
        with pytest.raises(ConnectionError):
            one.receive("welcome")


def test_an_agent_is_shown_the_game_and_decides(running: Server, agent: Agent) -> None:
    code, live = played(running, bots="outside:gpt", periods=1)
    synced(live)
    games = [agent.receive("game") for _ in range(3)]
    assert len({game["seat"] for game in games}) == 3
    assert "You are one of 4 players who fish in the same lake." in games[0]["instructions"]
    for game in games:
        view = agent.receive("view", place=game["place"], phase="decide")
        assert view["schema"]["properties"]["harvest"]["maximum"] == 12
        assert "stock (fish): 50" in view["text"]
        wrong = {"harvest": "all", "contribution": 0}
        sent = {"kind": "act", "place": game["place"], "period": 0}
        agent.send(**sent, id="w", action=wrong)
        assert "harvest" in agent.receive("refused", id="w")["reason"]
        agent.send(**sent, id="r", action={"harvest": 2, "contribution": 0})
        assert agent.receive("ack", id="r")["period"] == 0
    assert live.act(0, "mine", harvest=1, contribution=0)["kind"] == "ack"
    over = agent.receive("view", place=games[0]["place"], phase="over")
    assert over["points"] == 2
    checked(running, code)


def checked(server: Server, code: str, why: str = OUTSIDE) -> Any:
    """The export of a session says what was played, and why agents are not asked again."""
    data = io.BytesIO(server.archive(code)).getvalue()
    path = server.folder / f"{code}.zip"
    path.write_bytes(data)
    assert [str(one) for one in analysis.check(path) if one.kind not in NOTES] == []
    loaded = analysis.load(path, "commons_game")
    assert [line for line in lines(audited(loaded), 0) if line.endswith(f"not asked again, {why}")]
    assert KEY not in str(data)
    return loaded


def test_what_is_no_message_is_refused_with_a_reason(running: Server, agent: Agent) -> None:
    agent.receive("welcome")
    agent.socket.send("no JSON")
    assert "a message is an object" in agent.receive("refused")["reason"]
    agent.socket.send(b"\x00\xff", websocket.ABNF.OPCODE_BINARY)
    assert "a message is an object" in agent.receive("refused")["reason"]
    agent.send(kind="act", place="elsewhere", id="a", period=0, action={})
    assert (
        agent.receive("refused", id="a")["reason"] == "place = 'elsewhere': you have no such seat"
    )
    agent.send(kind="back", place="elsewhere", id="b")
    assert "kind = 'back'" in agent.receive("refused", id="b")["reason"]


def test_who_comes_back_is_shown_the_whole_play_and_goes_on(running: Server) -> None:
    _, live = played(running, bots="outside:back,sustainable", periods=3)
    synced(live)
    first = Agent(running, "back")
    games = [first.receive("game") for _ in range(2)]
    for game in games:
        agent_acts(first, game["place"], 0)
    live.act(0, "one", harvest=1, contribution=0)
    first.receive("view", place=games[0]["place"], period=1, phase="decide")
    first.close()
    second = Agent(running, "back")
    place = second.receive("game")["place"]
    view = second.receive("view", place=place)
    assert (view["period"], view["phase"]) == (1, "decide")
    assert [past["period"] for past in view["history"]] == [-1, 0]
    agent_acts(second, place, 1)
    second.close()


def agent_acts(agent: Agent, place: str, period: int) -> None:
    action = {"harvest": 1, "contribution": 0}
    agent.send(kind="act", place=place, id=f"p{period}", period=period, action=action)
    assert agent.receive("ack", place=place, id=f"p{period}")["period"] == period


def test_seats_are_shared_among_agents_of_a_name(running: Server) -> None:
    one, two = Agent(running, "shared", seats=1), Agent(running, "shared", seats=2)
    for agent in (one, two):
        agent.receive("welcome")
    _, live = played(running, bots="outside:shared", periods=1)
    synced(live)
    places = {one.receive("game")["place"], *(two.receive("game")["place"] for _ in range(2))}
    assert len(places) == 3
    two.close()
    third = Agent(running, "shared")
    assert {third.receive("game")["place"] for _ in range(2)} < places
    for agent in (one, third):
        agent.close()


def test_who_gives_up_keeps_nobody_waiting(running: Server) -> None:
    code, live = played(running, bots="outside:tired", periods=1)
    agent = Agent(running, "tired")
    synced(live)
    live.act(0, "mine", harvest=1, contribution=0)
    for place in [agent.receive("game")["place"] for _ in range(3)]:
        agent.send(kind="give_up", place=place, id="no", period=0, reason="no money is left")
        agent.receive("ack", id="no", place=place)
    shown(live, over)
    events = checked(running, code, FAILED).events
    faults = events[events["event"] == "policy_fault"]
    assert faults["detail"].tolist() == ['{"detail": "gave up: no money is left"}'] * 3
    agent.close()


def agent_process(
    server: Server, *command: str, more: Sequence[str] = ()
) -> subprocess.Popen[bytes]:
    url = server.url.replace("http", "ws") + "/agents"
    variables = {**os.environ, "AGENT_KEY": KEY}
    return subprocess.Popen([*command[:-1], url, command[-1], *more], env=variables)


PYTHON = (sys.executable, "agents/client.py", "python")
NODE = ("node", "--experimental-websocket", "agents/client.mjs", "node")


@pytest.mark.parametrize("command", [PYTHON, NODE], ids=["python", "javascript"])
def test_a_client_in_another_process_plays_to_the_end(
    running: Server, command: tuple[str, ...]
) -> None:
    """In the middle of 0 and 12: 6 each from three seats, and 0 of the person."""
    code, live = played(running, bots=f"outside:{command[-1]}", periods=2)
    process = agent_process(running, *command)
    try:
        for period in range(2):
            synced(live)
            live.act(period, f"p{period}", harvest=0, contribution=0)
            if over(next_period(live, period)):
                break
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
    decisions = checked(running, code).decisions
    own = decisions[decisions["policy_id"].notna() & (decisions["occupant"] == "policy")]
    assert set(own["sent_harvest"]) == {6.0}
    assert set(own["decided_by"]) == {"policy"}


CROWD = (sys.executable, "-m", "tests.crowd.agents", "crowd")


@pytest.mark.parametrize("many", [2, pytest.param(10, marks=pytest.mark.long)])
def test_all_agents_of_a_crowd_decide_at_once(running: Server, many: int) -> None:
    """Groups of a person and 20 agents each, all of which decide in each of two periods."""
    seats = {"seats": 21, "neighbours": "ring", "periods": 2, "capacity": 5000}
    groups = [played(running, bots="outside:crowd", **seats) for _ in range(many)]
    process = agent_process(running, *CROWD, more=[str(20 * many)])
    try:
        for period in range(2):
            for _, live in groups:
                synced(live)
                live.act(period, f"p{period}", harvest=0, contribution=0)
            for _, live in groups:
                next_period(live, period)
    finally:
        process.terminate()
        process.wait(PATIENCE_SECONDS)
    for code, _ in groups:
        decisions = checked(running, code).decisions
        assert decisions["decided_by"].value_counts().to_dict() == {"policy": 40, "person": 2}


def test_who_misses_too_often_is_followed_by_a_policy_and_the_export_is_in_order(
    running: Server,
) -> None:
    given = {"agent_misses": 2, "dropout_bot": "free_rider", "bots": "outside:missing"}
    code, live = played(running, periods=3, **given)
    synced(live)
    agent = Agent(running, "missing")
    places = [agent.receive("game")["place"] for _ in range(3)]
    for period in range(2):
        for place in places:
            agent.receive("view", place=place, period=period, phase="decide")
            about = {"place": place, "period": period, "id": f"p{period}"}
            if place == places[0]:
                agent.send(kind="give_up", **about)
            else:
                agent.send(kind="act", **about, action={"harvest": 1, "contribution": 0})
        live.act(period, f"p{period}", harvest=1, contribution=0)
    assert agent.receive("left")["place"] == places[0]
    view = shown(live, lambda view: view["period"] == 2)
    agent.close()
    assert view["phase"] == "decide"
    seats = checked(running, code).seats
    assert seats["reason"].tolist().count("missed") == 1
    assert seats["policy_id"].dropna().tolist().count("free_rider") == 1


class Model:
    """A model that answers by the schema."""

    name = "by the schema"

    async def reply(self, messages: Any, schema: Any, seconds: float) -> Reply:
        return Reply(json.dumps(filled(schema)), "model-1", 10, 2, 0.0)


def test_a_language_model_plays_and_talks_on_a_server(running: Server) -> None:
    """It writes before each of two periods, and takes 6, the middle of 0 and 12."""
    talk = {"talk": "free", "talk_when": "periods", "talk_seconds": 600.0}
    code, live = played(running, bots="outside:model,sustainable", periods=2, **talk)
    calls = Calls()

    async def play() -> None:
        clock = asyncio.get_running_loop()
        players = Players(Model(), Treatment("plain"), calls, Budget(), clock)
        url = running.url.replace("http", "ws") + "/agents"
        await connected.play(url, "model", KEY, players)

    with ThreadPoolExecutor(1) as threads:
        loop = asyncio.new_event_loop()
        task = loop.create_task(play())
        threads.submit(loop.run_until_complete, asyncio.wait([task]))
        try:
            for period in range(2):
                shown(live, lambda view: view["phase"] == "talk")
                live.send({"kind": "done", "id": f"d{period}", "period": period})
                shown(live, lambda view: view["phase"] == "decide")
                live.act(period, f"p{period}", harvest=0, contribution=0)
                next_period(live, period)
        finally:
            loop.call_soon_threadsafe(task.cancel)
    data = checked(running, code)
    own = data.decisions[data.decisions["policy_id"] == "outside:model"]
    assert set(own["sent_harvest"]) == {6.0}
    assert data.messages["policy_id"].tolist() == ["outside:model"] * 4
    assert {row["purpose"] for row in calls.rows} == {"talk", "decide"}


def test_every_view_of_an_agent_has_all_that_was_written(running: Server) -> None:
    """Pages are sent what is new; an agent decides by the last view, whatever it read before."""
    talk = {"talk": "free", "talk_when": "periods", "talk_seconds": 600.0}
    _, live = played(running, bots="outside:heard,sustainable,sustainable", periods=1, **talk)
    synced(live)
    agent = Agent(running, "heard")
    place = agent.receive("game")["place"]
    agent.receive("view", place=place, phase="talk")
    for number, text in enumerate(("Two each?", "Or three?")):
        live.send({"kind": "say", "id": f"s{number}", "text": text})
        heard = agent.receive("view", place=place, phase="talk")
    while len(heard["talk"]["messages"]) < 2:
        heard = agent.receive("view", place=place, phase="talk")
    agent.send(kind="done", place=place, id="d", period=0)
    live.send({"kind": "done", "id": "d", "period": 0})
    shown(live, lambda view: view["phase"] == "decide")
    view = agent.receive("view", place=place, phase="decide")
    assert [one["text"] for one in view["talk"]["messages"]] == ["Two each?", "Or three?"]
    assert "wrote: Two each?" in view["text"]
    agent.close()


def test_the_state_of_the_server_says_how_many_are_connected(running: Server, agent: Agent) -> None:
    import requests

    agent.receive("welcome")
    told = requests.get(f"{running.url}/live_state", timeout=PATIENCE_SECONDS).text
    assert "agents gpt: 1 connected" in told


def test_preflight_and_board_say_whether_agents_are_there(running: Server, agent: Agent) -> None:
    import requests

    agent.receive("welcome")
    given = {**AGENTS, "bots": "outside:gpt,outside:tired,outside:nokey"}
    code = running.create("commons", 1, **given).json()["code"]
    seen = requests.get(f"{running.url}/session_board/{code}", timeout=PATIENCE_SECONDS).json()
    away = [line for line in seen["alarms"] if line.startswith("Agent")]
    assert [line.split()[1] for line in away] == ["nokey", "tired"]
    config = {"app_sequence": ["commons_game"], "bots": given["bots"], "archetype": "lab"}
    told = [one.sentence for one in of_agents(config, {VARIABLE: KNOWN}, {"gpt": 1})]
    assert told == [
        "Agent gpt is connected.",
        "Agent nokey has no key: nobody can come in as it (MIXED_AGENTS).",
        "Agent tired is not connected: start it, before people come.",
    ]
    config["bots"] = "sustainable"
    assert list(of_agents(config, {})) == []


def test_a_file_of_keys_is_read_and_a_wrong_one_refused_without_its_key(tmp_path: Path) -> None:
    from engine.contract.errors import ConfigError
    from server.outside.keys import read

    path = tmp_path / "agents.txt"
    path.write_text(f"# ours\ngpt={KEY}\nllama={KEY}!\n", encoding="utf-8")
    assert read(str(path)) == {"gpt": KEY, "llama": f"{KEY}!"}
    assert read("") == {}
    for wrong, reason in (
        ("gpt=short", "has 5 characters: at least 16"),
        (f"gpt={KEY},gpt={KEY}", "has two keys"),
        ("/nowhere", "cannot be read"),
    ):
        with pytest.raises(ConfigError, match=reason) as refusal:
            read(wrong)
        assert KEY not in str(refusal.value)
