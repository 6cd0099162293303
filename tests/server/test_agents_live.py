"""Outside agents connect with a key, get seats, and decide in the same way as a person on a
page."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from mixed_company import analysis
from mixed_company.analysis.audit import NOTES, audited
from mixed_company.analysis.audit.asked import FAILED, OUTSIDE
from mixed_company.analysis.audit.wording import lines
from mixed_company.server.gate import limits
from mixed_company.server.outside import door
from mixed_company.server.outside.keys import VARIABLE
from tests.door import harness
from tests.door.harness import Live, synced
from tests.server.wire import Server, Socket, server

__all__ = ["server"]  # a fixture

KEY = "a key of sixteen or more"
TURNED_AWAY = 1008  # RFC 6455, 7.4.1
AGENTS: dict[str, Any] = {
    "quiz": False,
    "practice_periods": 0,
    "ready": False,
    "bot_delay": "instant",
    "countdown_seconds": 0.0,
    "grace_seconds": 600.0,
    "decision_seconds": 600.0,
}
Message = dict[str, Any]


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give two agents keys and clear the counts of earlier connections."""
    monkeypatch.setenv(VARIABLE, f"gpt={KEY}, other={KEY}!")
    door.rates.cache_clear()


class Agent:
    """Agent controlled by the test."""

    def __init__(self, server: Server, name: str = "gpt", key: str = KEY, **more: Any) -> None:
        self.socket = Socket(server, "/agents")
        self.send(kind="hello", agent=name, key=key, **more)

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def receive(self, kind: str, **about: Any) -> Message:
        """Return the next message of this kind with this content."""
        while True:
            message: Message = json.loads(self.socket.recv())
            if message["kind"] == kind and about.items() <= message.items():
                return message

    def ask(self, kind: str, place: str, name: str, **message: Any) -> Message:
        """Send a message, and return its ack or rejection."""
        self.send(kind=kind, place=place, id=name, **message)
        while True:
            answer: Message = json.loads(self.socket.recv())
            if answer["kind"] in ("ack", "refused") and answer["id"] == name:
                return answer

    def act(self, place: str, period: int, harvest: float = 1) -> Message:
        action = {"harvest": harvest, "contribution": 0}
        return self.ask("act", place, f"p{period}", period=period, action=action)

    def games(self, seats: int) -> list[Message]:
        return [self.receive("game") for _ in range(seats)]


def played(server: Server, **changes: Any) -> tuple[str, Live]:
    """Start a session of the commons. Return its code and its only person, on the play page."""
    session = server.session("commons", 1, **{**AGENTS, **changes})
    [(_, live)] = harness.seated(server, session)
    return session["code"], live


def shown(live: Live, wanted: Callable[[Message], bool]) -> Message:
    """Wait until the page receives a view that meets the condition."""
    view = synced(live)
    while not wanted(view):
        view = live.receive("view")
    return view


def over(view: Message) -> bool:
    return bool(view["phase"] == "over")


def checked(server: Server, code: str, folder: Path, why: str = OUTSIDE) -> Any:
    """Return a session's export, after checking that the audit reports why agents are not asked
    again."""
    data = io.BytesIO(server.archive(code)).getvalue()
    path = folder / f"{code}.zip"
    path.write_bytes(data)
    assert [str(problem) for problem in analysis.check(path) if problem.kind not in NOTES] == []
    loaded = analysis.load(path, "commons_game")
    report = lines(audited(loaded), 0)
    assert any(line.endswith(f"by asking the policies again, {why}") for line in report)
    assert KEY not in str(data)
    return loaded


# -- connecting ------------------------------------------------------------------------------

FIRST = 'the first message should be {"kind": "hello", "agent": NAME, "key": KEY}'
NO_KEY = "this is not that agent's key"


@pytest.mark.parametrize("text", ["no JSON", "[]", "x" * 20_000])
def test_an_agent_without_a_valid_hello_is_disconnected(server, text):
    socket = Socket(server, "/agents")
    socket.send(text)
    assert json.loads(socket.recv())["reason"] == FIRST
    assert socket.closed


def test_an_agent_that_is_silent_for_ten_seconds_is_disconnected(server):
    socket = Socket(server, "/agents")
    server.turn(door.HELLO_SECONDS - 1)
    assert not socket.closed
    server.turn(1.5)
    assert json.loads(socket.recv())["reason"] == FIRST
    assert socket.closed


def test_a_client_that_tries_many_keys_waits_longer_up_to_ten_seconds(server, caplog):
    tries = 0
    while True:
        tries += 1
        socket = Agent(server, key="not the key at all").socket
        if not socket.closed:
            break
        assert tries < 1000
    assert tries > 1
    server.turn(door.HELLO_SECONDS)
    assert socket.closed
    assert f"refused an agent from testclient: {NO_KEY}" in caplog.text


def test_an_admitted_agent_is_welcomed_and_counted(server):
    first, second = Agent(server), Agent(server)
    welcome = {"kind": "welcome", "agent": "gpt", "protocol": door.PROTOCOL}
    assert first.receive("welcome") == second.receive("welcome") == welcome
    assert "agents gpt: 2 connected" in server.get("/live_state").text
    first.socket.close()
    assert "agents gpt: 1 connected" in server.get("/live_state").text
    second.socket.close()
    assert "agents gpt" not in server.get("/live_state").text


def test_the_board_names_agents_that_have_seats_but_are_not_connected(server):
    Agent(server)
    options = {**AGENTS, "bots": "outside:gpt,outside:other,outside:nokey"}
    code = server.session("commons", 1, **options)["code"]
    seen = server.get(f"/session_board/{code}").json()
    away = [line for line in seen["alarms"] if line.startswith("Agent")]
    assert [line.split()[1] for line in away] == ["nokey", "other"]


# -- playing ---------------------------------------------------------------------------------


def test_an_agent_learns_the_game_sees_what_a_person_sees_and_decides(server, tmp_path):
    code, live = played(server, bots="outside:gpt", periods=1, pay_cap=9.0)
    agent = Agent(server)
    games = agent.games(3)
    assert len({game["seat"] for game in games}) == 3
    same = {
        "game": "commons_game",
        "seats": 4,
        "periods": 1,
        "language": "en",
        "decision_seconds": 600.0,
        "pace": "answers",
        "talk": None,
    }
    assert {name: games[0][name] for name in same} == same
    largest = synced(live)["limits"]["harvest"][1]
    for game in games:
        agent.send(kind="sync", place=game["place"])
        view = agent.receive("view", place=game["place"], phase="decide")
        assert view["schema"]["properties"]["harvest"]["maximum"] == largest
        assert "stock (fish): 100" in view["text"]
        assert view["asked"]
        about = {"period": 0, "action": {"harvest": "all", "contribution": 0}}
        assert "harvest" in agent.ask("act", game["place"], "w", **about)["reason"]
        assert agent.act(game["place"], 0, harvest=2)["period"] == 0
        assert (
            "already made your decision" in agent.ask("act", game["place"], "x", **about)["reason"]
        )
    assert live.act(0, "mine", harvest=1, contribution=0)["kind"] == "ack"
    done = agent.receive("view", place=games[0]["place"], phase="over")
    assert done["points"] == 2
    assert "schema" not in done
    checked(server, code, tmp_path)


def test_an_agent_reads_the_instructions_without_pay_and_what_it_sees_and_does(server):
    played(server, bots="outside:gpt,sustainable", periods=1)
    agent = Agent(server)
    game = agent.games(1)[0]
    instructions = game["instructions"]
    assert "You are one of 4 players who fish in the same lake." in instructions
    assert "Payment" not in instructions
    assert "<" not in instructions
    assert instructions.split("\n\n")[0].count("\n")
    harvest = next(field for field in game["actions"] if field["name"] == "harvest")
    assert (harvest["kind"], harvest["unit"]) == ("real", "fish")
    assert "names" not in harvest
    stock = next(field for field in game["observations"] if field["name"] == "stock")
    assert (stock["unit"], stock["meaning"]) == ("fish", stock["meaning"])
    shaped = next(field for field in game["observations"] if field.get("shape"))
    assert shaped["shape"] == [4]


def test_an_agent_that_returns_sees_the_whole_play_and_continues(server):
    _, live = played(server, bots="outside:gpt,sustainable", periods=3)
    first = Agent(server)
    games = first.games(2)
    for game in games:
        assert first.act(game["place"], 0)["kind"] == "ack"
    live.act(0, "one", harvest=1, contribution=0)
    first.receive("view", place=games[0]["place"], period=1, phase="decide")
    first.socket.close()
    second = Agent(server)
    place = second.receive("game")["place"]
    view = second.receive("view", place=place)
    assert (view["period"], view["phase"]) == (1, "decide")
    assert [past["period"] for past in view["history"]] == [-1, 0]
    assert second.act(place, 1)["kind"] == "ack"
    second.socket.heard.clear()
    second.send(kind="sync", place=place)
    assert len(second.receive("view", place=place)["history"]) == 2


def test_seats_are_shared_among_agents_of_a_name_and_pass_on_when_one_leaves(server):
    small, two = Agent(server, seats=1), Agent(server, seats=2)
    other = Agent(server, "other", f"{KEY}!")
    played(server, bots="outside:gpt", periods=1)
    places = {game["place"] for game in (*small.games(1), *two.games(2))}
    assert len(places) == 3
    two.socket.close()
    third = Agent(server)
    assert {game["place"] for game in third.games(2)} < places
    for agent in (small, other):
        assert not any(json.loads(text)["kind"] == "game" for text in agent.socket.heard)


def test_an_agent_that_gives_up_keeps_nobody_waiting(server, tmp_path):
    code, live = played(server, bots="outside:gpt", periods=1)
    agent = Agent(server)
    live.act(0, "mine", harvest=1, contribution=0)
    for game in agent.games(3):
        about = {"period": 0, "reason": "no money is left" + "!" * 600}
        assert agent.ask("give_up", game["place"], "no", **about)["kind"] == "ack"
    shown(live, over)
    events = checked(server, code, tmp_path, FAILED).events
    faults = events[events["event"] == "policy_fault"]
    reason = "gave up: no money is left" + "!" * (door.MOST_REASON - len("no money is left"))
    assert faults["detail"].tolist() == [json.dumps({"detail": reason})] * 3


def test_an_agent_that_misses_too_often_is_replaced_by_a_policy(server, tmp_path):
    options = {"agent_misses": 2, "dropout_bot": "free_rider", "bots": "outside:gpt"}
    code, live = played(server, periods=3, **options)
    agent = Agent(server)
    places = [game["place"] for game in agent.games(3)]
    for period in range(2):
        for place in places:
            agent.receive("view", place=place, period=period, phase="decide")
            if place == places[0]:
                agent.ask("give_up", place, f"p{period}", period=period)
            else:
                agent.act(place, period)
        live.act(period, f"p{period}", harvest=1, contribution=0)
    left = agent.receive("left")
    assert left["place"] == places[0]
    assert left["reason"] == "another player has the seat now"
    assert shown(live, lambda view: view["period"] == 2)["phase"] == "decide"
    assert agent.act(places[0], 2)["reason"].endswith("you have no such seat")
    seats = checked(server, code, tmp_path).seats
    assert seats["reason"].tolist().count("missed") == 1
    assert seats["policy_id"].dropna().tolist().count("free_rider") == 1


def test_every_view_of_an_agent_contains_all_messages(server):
    """Check that agents get complete views even though pages get only changes."""
    talk = {"talk": "free", "talk_when": "periods", "talk_seconds": 600.0, "talk_length": 80}
    _, live = played(server, bots="outside:gpt,sustainable,sustainable", periods=1, **talk)
    agent = Agent(server)
    [game] = agent.games(1)
    others = sorted(set(range(4)) - {game["seat"]})
    assert game["talk"] == {
        "how": "free",
        "when": "periods",
        "seconds": 600.0,
        "length": 80,
        "per_minute": game["talk"]["per_minute"],
        "sentences": [],
        "can_write": True,
        "partners": others,
        "one": False,
    }
    place = game["place"]
    agent.receive("view", place=place, phase="talk")
    for number, text in enumerate(("Two each?", "Or three?")):
        live.send({"kind": "say", "id": f"s{number}", "text": text})
    assert agent.ask("say", place, "mine", text="Three.")["kind"] == "ack"
    assert agent.ask("done", place, "d", period=0)["kind"] == "ack"
    live.send({"kind": "done", "id": "d", "period": 0})
    view = agent.receive("view", place=place, phase="decide")
    written = [message["text"] for message in view["talk"]["messages"]]
    assert written == ["Two each?", "Or three?", "Three."]
    assert "wrote: Two each?" in view["text"]


# -- errors ----------------------------------------------------------------------------------


def test_bytes_that_are_not_json_are_refused(server):
    agent = Agent(server)
    agent.socket.send_binary(b"\x00\xff")
    assert "a message should be an object" in agent.receive("refused")["reason"]


def test_an_agent_that_sends_much_nonsense_is_read_more_slowly(server):
    at_once = limits().nonsense_at_once
    agent = Agent(server)
    for _ in range(round(at_once) + 5):
        agent.send(kind="nonsense")
    refused = [text for text in agent.socket.heard if "refused" in text]
    assert len(refused) == at_once + 1  # the last of them waits
    server.turn(60.0)
    assert len(agent.socket.heard) > len(refused)
