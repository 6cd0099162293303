"""Outside agents: their seats, their connections and the timing lines, in one process."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import clock
from mixed_company.server.open.agents import Agent, Agents
from mixed_company.server.open.outgoing import Lines
from mixed_company.server.outside import door, words
from mixed_company.server.outside.door import Door
from mixed_company.table.protocol import MAX_ID, MAX_PERIOD, Message, Refusal
from tests.loops import complete
from tests.server.test_open_table import Clock, Room

# -- their seats -----------------------------------------------------------------------------


class Line:
    """Connection that keeps the messages sent to an agent."""

    def __init__(self) -> None:
        self.messages: list[dict[str, Any]] = []

    def tell(self, message: dict[str, Any]) -> None:
        self.messages.append(message)

    def places(self, kind: str = "game") -> list[str]:
        return [message["place"] for message in self.messages if message["kind"] == kind]


class Opened:
    """Table with seats for agents by name, which records the calls made to it."""

    def __init__(self, number: int = 1, **wanted: str) -> None:
        agents = {int(seat[1:]): name for seat, name in wanted.items()}
        self.table = SimpleNamespace(agents=agents, over=False)
        self.key, self.gone, self.done = ("app", number), False, list[Any]()

    def sit(self, seat: int, ear: Any) -> None:
        self.done.append(("sit", seat, ear.agent.name))

    def leave(self, seat: int, ear: Any) -> None:
        self.done.append(("leave", seat, ear.agent.name))

    def take(self, seat: int, message: Message) -> None:
        self.done.append((message.kind, seat))


def here(*agents: Agent) -> Agents:
    """Return agents that connected in this order."""
    registry = Agents(lambda opened, seat: {"about": (opened.key, seat)})
    for agent in agents:
        registry.join(agent)
    return registry


def agent(name: str = "gpt", seats: int | None = None) -> Any:
    return Agent(name, Line(), seats)


def test_an_agent_gets_a_seat_learns_the_game_and_then_sees_the_play():
    client, table = agent(), Opened(s0="gpt", s3="other")
    registry = here(client)
    registry.look(table)
    assert table.done == [("sit", 0, "gpt"), ("sync", 0)]
    assert client.line.messages == [{"kind": "game", "place": "app/1/0", "about": (("app", 1), 0)}]
    registry.look(table)
    assert len(table.done) == 2  # it has its seat
    client.seats["app/1/0"].tell('{"live_method_payload": {"kind": "view", "period": 3}}')
    assert client.line.messages[1:] == [{"kind": "view", "period": 3, "place": "app/1/0"}]


def test_seats_go_to_the_agent_that_plays_the_fewest_and_to_none_that_has_enough():
    first, second, table = agent(seats=1), agent(), Opened(s0="gpt", s1="gpt", s2="gpt")
    registry = here(first, second, agent("other"))
    assert registry.connected == {"gpt": 2, "other": 1}
    registry.look(table)
    assert (first.line.places(), second.line.places()) == (["app/1/0"], ["app/1/1", "app/1/2"])
    assert [(client.playing, client.free) for client in (first, second)] == [(1, False), (2, True)]
    table.table.over = True
    assert [(client.playing, client.free) for client in (first, second)] == [(0, True), (0, True)]


def test_agents_of_one_name_take_turns():
    client, other = agent(), agent()
    table = Opened(s0="gpt", s1="gpt", s2="gpt", s3="gpt")
    here(client, other).look(table)
    assert client.line.places() == ["app/1/0", "app/1/2"]
    assert other.line.places() == ["app/1/1", "app/1/3"]


def test_the_seats_of_an_agent_that_leaves_go_to_another_of_its_name_or_wait():
    first, second, table = agent(), agent(), Opened(s0="gpt")
    registry = here(first)
    registry.look(table)
    registry.join(second)
    registry.leave(first)
    registry.leave(first)  # it has left once
    assert second.line.places() == ["app/1/0"]
    registry.leave(second)
    assert (first.seats, second.seats, registry.connected) == ({}, {}, {})
    table.done.clear()
    registry.join(first)
    assert table.done == [("sit", 0, "gpt"), ("sync", 0)]
    assert first.line.places("left") == []  # a departed agent gets no message


def test_an_agent_is_told_that_another_has_its_seat_now():
    client, other, table = agent(), agent("other"), Opened(s0="gpt", s1="gpt")
    registry = here(client, other)
    registry.look(table)
    table.table.agents = {0: "other"}
    registry.look(table)
    left = {"kind": "left", "reason": "another player has the seat now"}
    assert client.line.messages[2:] == [{**left, "place": "app/1/0"}, {**left, "place": "app/1/1"}]
    assert (client.seats, list(other.seats)) == ({}, ["app/1/0"])
    assert table.done[4:] == [
        ("leave", 0, "gpt"),
        ("leave", 1, "gpt"),
        ("sit", 0, "other"),
        ("sync", 0),
    ]


@pytest.mark.parametrize("about", [{"gone": True}, {"over": True}])
def test_a_table_that_is_over_or_gone_before_an_agent_came_is_ignored(about):
    client, table = agent(), Opened(s0="gpt")
    table.gone, table.table.over = about.get("gone", False), about.get("over", False)
    registry = here(client)
    registry.look(table)
    registry.join(agent())
    assert (table.done, client.line.messages) == ([], [])


def test_at_a_table_that_ends_an_agent_keeps_its_seat_until_the_table_is_forgotten():
    client, table = agent(), Opened(s0="gpt", s1="gpt")
    registry = here(client)
    registry.look(table)
    table.table.over = True
    registry.look(table)
    assert list(client.seats) == ["app/1/0", "app/1/1"]
    registry.forget(table)
    assert client.seats == {}
    assert table.done[4:] == [("leave", 0, "gpt"), ("leave", 1, "gpt")]
    table.table.over = False
    registry.join(agent())  # a forgotten table is not considered
    assert len(table.done) == 6


def test_nobody_gets_a_seat_at_a_table_that_is_over():
    client, table = agent(), Opened(s0="gpt")
    registry = here()
    registry.look(table)
    table.table.over = True
    registry.join(client)
    assert client.line.messages == []


def test_agents_get_their_seats_again_at_a_table_that_was_read_anew():
    client, before, anew = agent(), Opened(s0="gpt"), Opened(s0="gpt")
    registry = here(client)
    for table in (before, anew, anew):
        registry.look(table)
    assert before.done[2:] == [("leave", 0, "gpt")]
    assert anew.done == [("sit", 0, "gpt"), ("sync", 0)]


# -- their connections ----------------------------------------------------------------------


class Web:
    """An agent's end of the connection: messages to send, messages received, and how it closed."""

    scope: dict[str, Any] = {"client": ("10.0.0.1", 1), "headers": []}

    def __init__(self, *sends: str | bytes | None) -> None:
        self.sends, self.texts, self.closed = list(sends), list[Any](), list[int]()
        self.reads = asyncio.Event()
        self.reads.set()

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.texts.append(json.loads(text))

    async def close(self, code: int) -> None:
        self.closed.append(code)

    async def receive(self) -> dict[str, Any]:
        if not self.sends:
            return {"type": "websocket.disconnect", "code": 1001}
        sent = self.sends.pop(0)
        how = "bytes" if isinstance(sent, bytes) else "text"
        return {"type": "websocket.receive", how: sent}


KEY = "a key of sixteen or more"
HELLO = {"kind": "hello", "agent": "gpt", "key": KEY}


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Record each agent's counts, without limits. One agent has a key."""
    counts: list[Any] = []
    rates = lambda kind: SimpleNamespace(wait=lambda who, _now: counts.append((kind, who)) or 0.0)  # noqa: E731
    monkeypatch.setattr(door, "rates", rates)
    monkeypatch.setenv("MIXED_AGENTS", f"gpt={KEY}")
    return counts


@pytest.fixture
def rooms(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Replace the tables that agents join."""
    tables = SimpleNamespace(agents=here(), live=lambda _loop: None)
    monkeypatch.setattr(door, "tables", tables)
    return tables


FIRST = 'the first message should be {"kind": "hello", "agent": NAME, "key": KEY}'
SEATS = "should be a whole number of at least 1"


@pytest.mark.parametrize(
    ("greeting", "reason"),
    [
        (HELLO, None),
        ({**HELLO, "seats": 1}, None),
        ({**HELLO, "kind": "hi"}, FIRST),
        ([], FIRST),
        (None, FIRST),
        ({**HELLO, "agent": 5}, "agent, key: should be strings"),
        ({"kind": "hello", "agent": "gpt"}, "agent, key: should be strings"),
        ({**HELLO, "seats": 0}, f"seats = 0: {SEATS}"),
        ({**HELLO, "seats": True}, f"seats = True: {SEATS}"),
        ({**HELLO, "seats": 1.5}, f"seats = 1.5: {SEATS}"),
        ({**HELLO, "seats": "2"}, f"seats = '2': {SEATS}"),
        ({**HELLO, "agent": "other"}, "this is not that agent's key"),
        ({**HELLO, "key": KEY + "!"}, "this is not that agent's key"),
    ],
)
def test_a_newcomer_is_welcomed_or_told_why_not(counted, rooms, greeting, reason):
    async def test() -> bool:
        welcome = await connection.greet()
        if connection._sending is not None:
            await connection._sending
        return welcome

    web = Web(json.dumps(greeting))
    connection = Door(web)
    assert complete(test()) == (reason is None)
    if reason is None:
        assert web.texts == [{"kind": "welcome", "agent": "gpt", "protocol": 1}]
        assert rooms.agents.connected == {"gpt": 1}
        assert connection._agent is not None
        assert (connection._agent.max_seats, counted) == (greeting.get("seats"), [])
        connection.close()
    else:
        assert web.texts == [{"kind": "refused", "id": None, "reason": reason}]
        assert (web.closed, counted) == ([1008], [("logins", "agents of 10.0.0.1")])
    assert rooms.agents.connected == {}


ABOUT = {"kind": "give_up", "id": "x", "period": 2}
WHOLE = "should be a whole number"
LONG = f"should be a string of 1 to {MAX_ID} characters"


@pytest.mark.parametrize(
    ("sent", "message"),
    [
        (ABOUT, Message("give_up", "x", 2, value="")),
        ({**ABOUT, "reason": 501 * "n"}, Message("give_up", "x", 2, value=500 * "n")),
        ({**ABOUT, "id": MAX_ID * "x"}, Message("give_up", MAX_ID * "x", 2, value="")),
        ({**ABOUT, "period": -MAX_PERIOD}, Message("give_up", "x", -MAX_PERIOD, value="")),
        ({**ABOUT, "id": ""}, Refusal(f"id = '': {LONG}")),
        ({**ABOUT, "id": 5}, Refusal(f"id = 5: {LONG}")),
        ({**ABOUT, "period": True}, Refusal(f"period = True: {WHOLE}", "x")),
        ({**ABOUT, "period": "2"}, Refusal(f"period = '2': {WHOLE}", "x")),
        ({**ABOUT, "period": MAX_PERIOD + 1}, Refusal(f"period = {MAX_PERIOD + 1}: {WHOLE}", "x")),
        ({**ABOUT, "reason": "\0"}, Refusal("reason: should be a string", "x")),
        ({**ABOUT, "reason": 5}, Refusal("reason: should be a string", "x")),
        ({"kind": "sync"}, Message("sync")),
        (
            {"kind": "alive"},
            Refusal("kind = 'alive': should be one of act, give_up, say, report, done, sync"),
        ),
    ],
)
def test_a_message_is_read_unchanged_or_refused_by_its_field(sent, message):
    assert door.message_of(sent) == message


def test_a_message_with_more_characters_than_an_id_may_have_is_refused():
    refusal = door.message_of({**ABOUT, "id": (MAX_ID + 1) * "x"})
    assert isinstance(refusal, Refusal)
    assert refusal.reason.endswith(f"should be a string of 1 to {MAX_ID} characters")


def test_messages_of_an_agent_go_to_its_seat_and_nonsense_is_answered(counted, rooms):
    table = Opened(s0="gpt")
    rooms.agents.look(table)
    sync = {"kind": "sync", "place": "app/1/0"}
    done = {"kind": "done", "id": "d", "period": 0}
    sends = [sync, {**done, "place": "app/1/0"}, {**done, "place": "app/1/1"}, {**done, "place": 5}]
    more = ["no JSON", b"[]", 20_000 * "x", json.dumps({"kind": "?", "place": (MAX_ID + 1) * "p"})]
    web = Web(*map(json.dumps, [HELLO, *sends]), *more)
    connection = Door(web)

    async def test() -> None:
        assert await connection.greet()
        with pytest.raises(door.WebSocketDisconnect):
            await connection.listen()
        if connection._sending is not None:
            await connection._sending

    complete(test())
    assert table.done == [("sit", 0, "gpt"), ("sync", 0), ("sync", 0), ("done", 0)]
    no_seat = {"kind": "refused", "id": "d"}
    refused = [message for message in web.texts if message["kind"] == "refused"]
    assert refused[:2] == [
        {**no_seat, "reason": "place = 'app/1/1': you have no such seat", "place": "app/1/1"},
        {**no_seat, "reason": "place = 5: you have no such seat"},
    ]
    assert refused[4]["reason"] == "the message has 20000 bytes; at most 16384 are allowed"
    assert [set(message) for message in refused[1:]] == [{"kind", "id", "reason"}] * 5
    nonsense = ("nonsense", "agent 10.0.0.1")
    assert counted == [("histories", "agent app/1/0"), *[nonsense] * 6]


@pytest.mark.parametrize(("more", "cut"), [(0, False), (1, True)])
def test_an_agent_that_leaves_too_many_messages_unread_is_disconnected(more, cut):
    async def test() -> None:
        connection = Door(web)
        web.reads.clear()
        for number in range(door.MOST_UNREAD + more):
            connection.tell({"kind": "ack", "id": str(number)})
        for _ in range(3 * more):
            connection.tell({"kind": "never"})
        assert len(connection._outbox) == door.MOST_UNREAD + more
        web.reads.set()
        assert connection._sending is not None
        await connection._sending
        assert (len(connection._outbox), connection._sending) == (0, None)

    web = Web()
    complete(test())
    assert web.closed == ([1008] if cut else [])
    assert len(web.texts) == (0 if cut else door.MOST_UNREAD)


def test_a_broken_line_has_nothing_more_to_send_and_a_close_ends_what_waits():
    async def test() -> None:
        connection = Door(SimpleNamespace(scope=Web.scope))  # cannot send
        connection.tell({"kind": "ack"})
        assert connection._sending is not None
        await connection._sending
        assert (len(connection._outbox), connection._sending) == (0, None)
        web = Web()
        web.reads.clear()
        waits = Door(web)
        waits.tell({"kind": "ack"})
        sending = waits._sending
        assert sending is not None
        waits.close()
        await asyncio.wait([sending])
        assert (sending.cancelled(), web.texts) == (True, [])

    complete(test())


def test_a_view_is_sent_with_its_text_and_everything_else_unchanged(rooms):
    room = Room(Clock())
    connection = Door(Web())
    view = {"kind": "view", "place": "app/1/0", "period": 0}
    assert connection._worded(view) is view  # nobody's seat
    connection._agent = SimpleNamespace(seats={})
    assert connection._worded(view) is view
    connection._agent.seats["app/1/0"] = SimpleNamespace(opened=room.table, seat=0)
    ack = {"kind": "ack", "place": "app/1/0"}
    assert connection._worded(ack) is ack
    room.say(0, "sync")
    room.paper.save()
    shown = {**room.pages[0].messages[-1], "place": "app/1/0", "phase": "decide"}
    assert connection._worded(shown) == words.with_words(room.table.table, 0, shown)
    assert set(connection._worded(shown)) - set(shown) == {"text", "asked", "schema"}
    assert set(connection._worded({**shown, "phase": "waiting"})) - set(shown) == {"text", "asked"}


def test_an_agent_learns_what_is_played_and_how_its_group_talks():
    talk = {"talk": "free", "talk_seconds": 30.0, "talk_length": 80, "talk_per_minute": 7}
    room = Room(Clock(), decision_seconds=9.0, pace="answers", language="de", **talk)
    introduction = words.introduced(room.table, 2)
    game = room.setup.game
    declared = [*introduction.pop("observations"), *introduction.pop("actions")]
    assert introduction.pop("instructions") == words.instructions(room.setup)
    assert introduction.pop("rules") == words.telling.rules(game, 2)
    assert introduction == {
        "game": "commons_game",
        "seat": 2,
        "seats": game.seats,
        "periods": 4,
        "language": "de",
        "pace": "answers",
        "decision_seconds": 9.0,
        "talk": {
            "how": "free",
            "when": room.setup.options.talk_when,
            "seconds": 30.0,
            "length": 80,
            "per_minute": 7,
            "sentences": [],
            "can_write": True,
            "partners": [0, 1, 3],
            "one": False,
        },
    }
    fields = [*game.declaration.observations, *game.declaration.actions]
    for field, about in zip(fields, declared, strict=True):
        described = {"name": field.name, "meaning": field.meaning, "kind": field.kind}
        described |= {"unit": field.unit} if field.unit else {}
        described |= {"shape": list(field.shape)} if field.shape else {}
        described |= {"default": 0.0} if field in game.declaration.actions else {}
        assert about == described | ({"names": field.names} if field.names else {})
    assert words.introduced(Room(Clock()).table, 2)["talk"] is None


@pytest.mark.parametrize(
    ("title", "lines", "table", "text"),
    [
        ("T &amp; t", ["<b>a</b> &lt; 3", "b"], None, "T & t\na < 3\nb"),
        ("", ["a"], [], "a"),
        ("T", [], [{"head": "h", "cells": ["1", "2"]}], "T\nh: 1 2"),
    ],
)
def test_a_part_of_the_instructions_is_read_as_text(title, lines, table, text):
    part: Any = {"title": title, "lines": lines, "table": table}
    assert words._plain(part) == text


def test_instructions_are_all_parts_that_people_read_except_the_payment(monkeypatch):
    part = lambda title: {"title": title, "lines": [f"of {title}"], "table": None}  # noqa: E731
    sections = lambda *_: [part("Game"), part("Talk")]  # noqa: E731
    monkeypatch.setattr(words, "guide_of", lambda _game: SimpleNamespace(sections=sections))
    calls: list[Any] = []
    replaced = lambda *arguments: calls.append(arguments[1:]) or [part("Payment"), part("Time")]  # noqa: E731
    monkeypatch.setattr(words, "sections", replaced)
    monkeypatch.setattr(words.texts, "shared", lambda: {"payment": "Payment"})
    text = words.instructions(Room(Clock()).setup)
    assert text == "Game\nof Game\n\nTalk\nof Talk\n\nTime\nof Time"
    assert calls == [("", "")]


# -- people's connections ---------------------------------------------------------------------


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the times that the server's clock has shown; the last one is now."""
    shown = [0]
    monkeypatch.setattr(clock, "now_ms", lambda: shown[-1])
    return shown


def test_the_first_three_views_are_stamped_and_then_one_every_ten_seconds(hands):
    lines, stamps = Lines(), list[Any]()
    for now in (1, 2, 3, 4, 10_002, 10_003, 10_004, 20_003):
        hands.append(now)
        stamps.append(lines.stamp(0))
    assert stamps == [1, 2, 3, None, None, 10_003, None, 20_003]
    assert lines.stamp(1) == 20_003  # each seat has its own line
    lines.begin(0)
    assert [lines.stamp(0), lines.took(0, 10_003)] == [20_003, None]


def test_the_quickest_of_the_last_three_answers_counts(hands):
    lines, took = Lines(), list[Any]()
    for sent, answered in ((0, 0), (10, 10), (20, 25), (10_020, 10_026), (20_020, 20_027)):
        hands.append(sent)
        lines.stamp(0)
        hands.append(answered)
        took.append(lines.took(0, sent))
    assert took == [0, 0, 0, 0, 5]


@pytest.mark.parametrize(("passed", "took"), [(0, 0), (60_000, 60_000), (60_001, None), (-1, None)])
def test_an_answer_counts_up_to_a_minute(hands, passed, took):
    lines = Lines()
    hands.append(5)
    lines.stamp(0)
    hands.append(5 + passed)
    assert lines.took(0, 5) == took


def test_a_view_is_answered_once_and_no_earlier_one_afterwards(hands):
    lines = Lines()
    for now in (1, 2, 3):
        hands.append(now)
        lines.stamp(0)
    assert [lines.took(0, sent) for sent in (2, 2, 1, 4, 3)] == [1, None, None, None, 0]
    assert lines.took(1, 3) is None
