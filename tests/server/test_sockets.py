"""Limits on a page's messages: a misbehaving page cannot slow down other participants."""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import sockets
from mixed_company.server.gate import limits
from mixed_company.server.open.open_lobby import OpenLobby
from mixed_company.server.pages.play import Lobby, Play, Practice
from mixed_company.server.sockets import MOST_BYTES, MOST_PAGES, MOST_UNREAD, Channel, decoded
from mixed_company.table.protocol import Message
from tests.loops import complete
from tests.server.gate.asking import in_loop, run


class Web:
    """The browser's end of a socket, which reads when the test tells it to."""

    def __init__(self, reads: bool = True) -> None:
        self.texts: list[dict[str, Any]] = []
        self.reads = asyncio.Event()
        if reads:
            self.reads.set()

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.texts.append(json.loads(text)["live_method_payload"])


class Desk:
    """Table that records its calls."""

    gone = False

    language = "en"

    def __init__(self) -> None:
        self.taken: list[Message] = []
        self.listeners: dict[int, set[Any]] = {0: set()}

    def take(self, seat: int, message: Message) -> None:
        self.taken.append(message)

    def sit(self, seat: int, listener: Any) -> None:
        self.listeners[seat].add(listener)

    def leave(self, seat: int, listener: Any) -> None:
        self.listeners[seat].discard(listener)


def at(desk: Desk, web: Web) -> Channel:
    channel = Channel(None, web)
    channel._join(desk, 0)
    return channel


def test_a_message_of_sixteen_kilobytes_is_read_and_a_longer_one_refused_unread():
    text = json.dumps({"kind": "x" * (MOST_BYTES - 12)})
    assert len(text) == MOST_BYTES
    assert decoded(text) == json.loads(text)
    with pytest.raises(ValueError, match=r"the message has 16385 bytes; at most 16384 are allowed"):
        decoded(text + " ")
    with pytest.raises(ValueError, match="at most"):
        decoded(json.dumps({"kind": "ü" * (MOST_BYTES // 2)}, ensure_ascii=False))


@pytest.mark.parametrize("text", ['{"kind":"act","id":"\\ud800"}', '{"\\udfff":1}'])
def test_half_a_character_is_not_json(text):
    """Guard against acknowledging an id that cannot be written to the journal."""
    assert decoded(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"kind": "alive"}', {"kind": "alive"}),
        (b'{"kind": "alive"}', {"kind": "alive"}),
        ('{"harvest": Infinity}', {"harvest": float("inf")}),
        ('{"harvest": 1' + "0" * 400 + "}", {"harvest": 10**400}),
        ("no JSON", None),
        (b"\xff\xfe", None),
        ("[" * 9000, None),
        ("", None),
    ],
)
def test_invalid_json_is_read_as_nothing(text, value):
    assert decoded(text) == value


@in_loop
async def test_a_bad_message_is_answered_to_its_own_page_and_does_not_reach_the_table():
    desk, web, other = Desk(), Web(), Web()
    channel = at(desk, web)
    at(desk, other)
    for text in ("?", "17", '{"kind": "nuke"}', "x" * 1_000_000):
        await channel.receive(text)
    while len(web.texts) < 4:
        await asyncio.sleep(0)
    assert [message["kind"] for message in web.texts] == ["refused"] * 4
    assert web.texts[3]["reason"] == "the message has 1000000 bytes; at most 16384 are allowed"
    assert (desk.taken, other.texts) == ([], [])


@in_loop
async def test_a_page_that_does_not_read_gets_nothing_and_is_ignored_until_it_does():
    desk, web = Desk(), Web(reads=False)
    channel = at(desk, web)
    for _ in range(3 * MOST_UNREAD):
        channel.tell('{"live_method_payload": 1}')
    await channel_is_stuck(channel, desk)
    web.reads.set()
    while not desk.taken:
        await asyncio.sleep(0)
    assert len(web.texts) == MOST_UNREAD


@in_loop
async def test_messages_are_written_at_once_and_in_order_while_the_browser_reads():
    """Let the socket be full for the second message; the third must not overtake it."""
    web, full = Web(), [False]

    def write(text: bytes) -> bool:
        if not full[0]:
            web.texts.append(json.loads(text)["live_method_payload"])
        return not full[0]

    channel = Channel(None, web, write)
    channel.tell('{"live_method_payload": 1}')
    assert web.texts == [1]
    full[0] = True
    channel.tell('{"live_method_payload": 2}')
    full[0] = False
    channel.tell('{"live_method_payload": 3}')
    assert web.texts == [1]
    while channel._sending is not None:
        await asyncio.sleep(0)
    channel.tell('{"live_method_payload": 4}')
    assert web.texts == [1, 2, 3, 4]


async def channel_is_stuck(channel: Channel, desk: Desk) -> None:
    listening = asyncio.create_task(channel.receive('{"kind": "alive"}'))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not listening.done()
    assert desk.taken == []


@in_loop
async def test_a_flooding_page_lets_another_one_have_a_turn_after_each_message():
    desk = Desk()
    flood, calm = at(desk, Web()), at(desk, Web())

    async def send(channel: Channel, kind: str, times: int) -> None:
        for _ in range(times):
            await channel.receive(json.dumps({"kind": kind}))

    await asyncio.gather(send(flood, "tick", 500), send(calm, "alive", 5))
    first = [message.kind for message in desk.taken[:10]]
    assert first.count("alive") == 5


def test_twenty_whole_histories_are_sent_immediately_and_then_two_a_second(monkeypatch):
    waits: list[float] = []

    async def test() -> None:
        sleep = asyncio.sleep

        async def waited(seconds: float) -> None:
            waits.append(seconds)
            await sleep(0)

        monkeypatch.setattr(sockets.asyncio, "sleep", waited)
        channel = at(desk := Desk(), Web())
        for _ in range(23):
            await channel.receive('{"kind": "sync"}')
        assert len(desk.taken) == 23

    run(test)
    assert [round(wait, 1) for wait in waits if wait] == [0.5, 1.0, 1.5]


@in_loop
async def test_a_person_has_a_limited_number_of_pages_and_the_next_one_is_told_so():
    desk, last = Desk(), Web()
    pages = [at(desk, Web()) for _ in range(MOST_PAGES)]
    late = at(desk, last)
    await late.receive('{"kind": "sync"}')
    while not last.texts:
        await asyncio.sleep(0)
    assert (
        last.texts[0]["reason"]
        == "you have opened this page too many times; please close the other tabs"
    )
    assert desk.taken == []
    pages[0].close()
    assert len(desk.listeners[0]) == MOST_PAGES - 1


def test_a_page_that_sends_much_nonsense_is_read_more_slowly(monkeypatch):
    waits: list[float] = []
    rates = limits().rates("nonsense")  # earlier tests do not count, and no time passes
    counted = SimpleNamespace(wait=lambda person, _now: rates.wait(person, 0.0))
    monkeypatch.setattr(sockets, "rates", lambda _kind: counted)

    async def test() -> None:
        sleep = asyncio.sleep

        async def waited(seconds: float) -> None:
            waits.append(seconds)
            await sleep(0)

        monkeypatch.setattr(sockets.asyncio, "sleep", waited)
        channel = at(Desk(), Web())
        for text in ["nonsense", '{"kind": "none"}', "x" * (MOST_BYTES + 1)] * 8:
            await channel.receive(text)
        await channel.receive('{"kind": "alive"}')

    run(test)
    # twenty at once, then half a second for each further one; valid messages are read immediately
    assert [round(wait, 1) for wait in waits if wait] == [0.5, 1.0, 1.5, 2.0]


def test_in_the_lobby_of_a_later_block_missing_people_are_looked_up_again(monkeypatch):
    class Late(OpenLobby):
        """Lobby that records its calls."""

        def __init__(self) -> None:
            self.gone, self.stale, self.taken = False, False, list[Message]()

        def is_stale(self, player_id: int) -> bool:
            return self.stale

        def take(self, player_id: int, message: Message) -> None:
            self.taken.append(message)

    async def test() -> None:
        lobby, times = Late(), list[int]()
        channel = Channel(None, Web())
        channel._room = lobby

        async def get_to_know(self: Channel) -> None:
            times.append(len(lobby.taken))

        monkeypatch.setattr(Channel, "_identify", get_to_know)
        for stale in (False, True, False):
            lobby.stale = stale
            await channel.receive('{"kind": "alive"}')
        assert (len(lobby.taken), times) == (3, [1])

    run(test)


# -- owners of pages -------------------------------------------------------------------------------


def test_a_channel_belongs_to_nobody_at_first():
    channel = Channel("consumer", "socket")
    state = dict(vars(channel))
    assert not state.pop("_read").is_set()
    assert state == {
        "_consumer": "consumer",
        "_websocket": "socket",
        "_write": None,
        "_outbox": deque(),
        "_sending": None,
        "_person": str(id(channel)),
        "_ignored": False,
        "_foreign": False,
        "_streams": False,
        "_room": None,
        "_place": -1,
    }


class OTree:
    """Stand-in for oTree's participant and for the rooms that a channel uses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.person: Any = SimpleNamespace(_index_in_pages=3, _max_page_index=5)
        self.page: Any = type("Play", (), {"live_method": Play.live_method})
        self.bot, self.calls, self.desk = 0, list[Any](), Desk()
        self.lock = asyncio.Lock()
        self.posted = "posted"
        consumers, otree = sockets.consumers, sockets.live
        monkeypatch.setattr(consumers, "lock2", self.lock)
        monkeypatch.setattr(consumers, "session_scope", nullcontext)
        monkeypatch.setattr(otree, "_get_live_page_entities", self.entities)
        monkeypatch.setattr(sockets, "Participant", SimpleNamespace(objects_first=self.found))
        monkeypatch.setattr(sockets.tables, "live", lambda _loop: self.calls.append("live"))
        for rooms, way in ((sockets.tables, "of"), (sockets.lobbies, "enter")):
            monkeypatch.setattr(
                rooms, way, lambda player: (self.calls.append(player), self.desk)[1]
            )
        practice = SimpleNamespace(table=SimpleNamespace(people=[7]))
        monkeypatch.setattr(sockets.practices, "of", lambda _player: practice)

    def found(self, code: str) -> Any:
        return self.person if code == "abc" else None

    def entities(self, code: str) -> Any:
        participant = SimpleNamespace(code=code, is_browser_bot=self.bot)
        models = SimpleNamespace(Player=SimpleNamespace(objects_get=self.player))
        return "app", SimpleNamespace(round_number=2), models, self.page, participant

    def player(self, round_number: int, participant: Any) -> Any:
        return SimpleNamespace(seat=10 * round_number, id=round_number, code=participant.code)

    async def post_receive_json(self, data: Any, **page: Any) -> None:
        self.calls.append((data, page, self.lock.locked()))

    def clean_kwargs(self) -> dict[str, str]:
        return {"participant_code": "abc", "page_name": "Play"}


@pytest.fixture
def otree(monkeypatch: pytest.MonkeyPatch) -> OTree:
    return OTree(monkeypatch)


def introduced(otree: OTree) -> tuple[Channel, list[Any]]:
    """Return a channel that knows its participant, and the rooms and seats that it has taken."""
    channel, seats = Channel(otree, Web()), list[Any]()
    channel._join = lambda room, place: seats.append((room, place))
    complete(channel._identify())
    return channel, seats


@pytest.mark.parametrize(("kind", "place"), [(Play, 20), (Lobby, 2), (Practice, 7)], ids=str)
def test_a_page_takes_a_seat_in_the_room_of_its_player(otree, kind, place):
    otree.page.live_method = kind.live_method
    channel, [(room, where)] = introduced(otree)
    assert where == place
    assert otree.calls[0] == "live"
    assert [(player.code, player.id) for player in otree.calls[1:]] == [("abc", 2)] * (
        kind is not Practice
    )
    assert (room is otree.desk) == (kind is not Practice)
    assert (channel._person, channel._ignored, channel._foreign) == ("abc", False, False)


@pytest.mark.parametrize(
    ("about", "ignored"),
    [
        ({"person": None}, True),
        ({"person": SimpleNamespace(_index_in_pages=0, _max_page_index=5)}, False),
        ({"person": SimpleNamespace(_index_in_pages=6, _max_page_index=5)}, False),
        ({"bot": 1}, True),
        ({"page": type("Other", (), {"live_method": Play.live_method})}, False),
    ],
)
def test_a_person_on_no_page_of_this_name_has_no_room(otree, about, ignored):
    vars(otree).update(about)
    channel, seats = introduced(otree)
    assert (channel._ignored, channel._foreign, seats) == (ignored, False, [])
    if not ignored:
        complete(channel.receive('{"kind": "alive"}'))
    assert (otree.calls, channel._room) == ([], None)


@pytest.mark.parametrize("index", [1, 5])
def test_the_first_and_the_last_page_are_pages(otree, index):
    otree.person._index_in_pages = index
    assert len(introduced(otree)[1]) == 1


async def _bit_by_bit(_player: Any, _data: Any) -> Any:
    yield {}


@pytest.mark.parametrize("bits", [False, True])
def test_a_live_page_of_another_app_is_served_by_otree_and_alone_unless_it_answers_in_pieces(
    otree, monkeypatch, bits
):
    lock = asyncio.Lock()
    monkeypatch.setattr(sockets.live, "get_participant_scoped_lock", {"abc": lock}.__getitem__)
    session = SimpleNamespace(expire_on_commit=True)
    monkeypatch.setattr(sockets, "database", SimpleNamespace(db=SimpleNamespace(_db=session)))
    otree.page.live_method = staticmethod(_bit_by_bit if bits else lambda _player, _data: {})
    channel, seats = introduced(otree)
    assert (channel._foreign, channel._streams, seats, otree.calls) == (True, bits, [], [])
    complete(channel.receive('{"own": 1}'))
    assert otree.calls == [({"own": 1}, otree.clean_kwargs(), not bits)]
    assert session.expire_on_commit is False


def test_a_page_without_a_participant_is_read_slowly_and_not_looked_up_again(otree, monkeypatch):
    counted: list[Any] = []
    rates = lambda kind: SimpleNamespace(wait=lambda who, _now: counted.append((kind, who)))  # noqa: E731
    monkeypatch.setattr(sockets, "rates", rates)
    otree.person, web = None, Web()
    channel = Channel(otree, web)
    channel._room = otree.desk
    channel._room.gone = True
    for _ in range(2):
        complete(channel.receive('{"kind": "alive"}'))
        otree.person = SimpleNamespace(_index_in_pages=3, _max_page_index=5)
    assert counted == [("nonsense", "abc")] * 2
    assert (otree.desk.taken, web.texts, otree.calls) == ([], [], [])


def test_a_cut_line_has_nothing_more_to_send_and_wakes_whoever_waits_for_it():
    class Cut(Web):
        async def send_text(self, text: str) -> None:
            raise ConnectionResetError

    async def test() -> None:
        channel = at(Desk(), Cut())
        channel.tell("1")
        channel.tell("2")
        assert channel._sending is not None
        await channel._sending
        assert (channel._outbox, channel._sending, channel._read.is_set()) == (deque(), None, True)

    complete(test())


def test_a_closed_page_is_sent_nothing_more():
    async def test() -> None:
        channel = at(desk := Desk(), web := Web(reads=False))
        channel.tell('{"live_method_payload": 1}')
        sending = channel._sending
        assert sending is not None
        channel.close()
        await asyncio.wait([sending])
        assert (sending.cancelled(), desk.listeners, web.texts) == (True, {0: set()}, [])

    complete(test())


def test_a_full_page_waits_until_it_has_read_everything():
    async def test() -> None:
        channel = at(desk := Desk(), web := Web())
        channel.tell('{"live_method_payload": 1}')
        assert channel._sending is not None
        await channel._sending  # it has read each message once
        web.reads.clear()
        for _ in range(MOST_UNREAD):
            channel.tell('{"live_method_payload": 1}')
        listening = asyncio.ensure_future(channel.receive('{"kind": "alive"}'))
        await asyncio.wait([listening], timeout=0)
        await asyncio.sleep(0)
        assert desk.taken == []
        web.reads.set()
        await listening
        assert len(desk.taken) == 1

    complete(test())


def test_half_a_character_in_a_long_text_counts_as_one_byte():
    assert decoded("\ud800" * MOST_BYTES) is None
