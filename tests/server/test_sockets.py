"""What a page may send, and how much of it: nobody's page costs anybody else anything."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import pytest

from server import sockets
from server.gate import limits
from server.open.open_lobby import OpenLobby
from server.sockets import MOST_BYTES, MOST_PAGES, MOST_UNREAD, Channel, decoded
from table.protocol import Message


class Web:
    """A browser's end that reads when it is told to."""

    def __init__(self, reads: bool = True) -> None:
        self.texts: list[dict[str, Any]] = []
        self.reads = asyncio.Event()
        if reads:
            self.reads.set()

    async def send_text(self, text: str) -> None:
        await self.reads.wait()
        self.texts.append(json.loads(text)["live_method_payload"])


class Desk:
    """A table that keeps what it is asked."""

    gone = False

    language = "en"

    def __init__(self) -> None:
        self.taken: list[Message] = []
        self.ears: dict[int, set[Any]] = {0: set()}

    def take(self, seat: int, message: Message) -> None:
        self.taken.append(message)

    def sit(self, seat: int, ear: Any) -> None:
        self.ears[seat].add(ear)

    def leave(self, seat: int, ear: Any) -> None:
        self.ears[seat].discard(ear)


def at(desk: Desk, web: Web) -> Channel:
    channel = Channel(None, web)
    channel._sit(desk, 0)  # type: ignore[arg-type]
    return channel


def run(test: Callable[[], Awaitable[None]]) -> None:
    """Run it in a thread: in this one a browser's loop may be running."""
    with ThreadPoolExecutor(1) as thread:
        work = asyncio.wait_for(test(), 60)  # type: ignore[arg-type]
        thread.submit(asyncio.run, work).result()


def test_a_message_of_sixteen_kilobytes_is_read_and_a_longer_one_is_refused_unread() -> None:
    text = json.dumps({"kind": "x" * (MOST_BYTES - 12)})
    assert len(text) == MOST_BYTES
    assert decoded(text) == json.loads(text)
    with pytest.raises(ValueError, match=r"a message of 16385 bytes: at most 16384"):
        decoded(text + " ")
    with pytest.raises(ValueError, match="at most"):
        decoded(json.dumps({"kind": "ü" * (MOST_BYTES // 2)}, ensure_ascii=False))


@pytest.mark.parametrize("text", ['{"kind":"act","id":"\\ud800"}', '{"\\udfff":1}'])
def test_half_a_character_is_no_json(text: str) -> None:
    """An id of half a character was acknowledged, and could not be written into the journal."""
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
def test_json_is_read_as_before_and_what_is_none_is_nothing(text: Any, value: Any) -> None:
    assert decoded(text) == value


def test_a_bad_message_is_answered_to_its_own_page_and_the_table_hears_nothing() -> None:
    async def test() -> None:
        desk, web, other = Desk(), Web(), Web()
        channel = at(desk, web)
        at(desk, other)
        for text in ("?", "17", '{"kind": "nuke"}', "x" * 1_000_000):
            await channel.receive(text)
        while len(web.texts) < 4:
            await asyncio.sleep(0)
        assert [message["kind"] for message in web.texts] == ["refused"] * 4
        assert web.texts[3]["reason"] == "a message of 1000000 bytes: at most 16384"
        assert (desk.taken, other.texts) == ([], [])

    run(test)


def test_a_page_that_does_not_read_is_sent_no_more_and_listened_to_no_more_until_it_has() -> None:
    async def test() -> None:
        desk, web = Desk(), Web(reads=False)
        channel = at(desk, web)
        for _ in range(3 * MOST_UNREAD):
            channel.tell('{"live_method_payload": 1}')
        await channel_is_stuck(channel, desk)
        web.reads.set()
        while not desk.taken:
            await asyncio.sleep(0)
        assert len(web.texts) == MOST_UNREAD

    run(test)


async def channel_is_stuck(channel: Channel, desk: Desk) -> None:
    listening = asyncio.create_task(channel.receive('{"kind": "alive"}'))
    for _ in range(100):
        await asyncio.sleep(0)
    assert not listening.done()
    assert desk.taken == []


def test_a_flood_of_one_page_lets_another_one_have_its_turn_after_each_message() -> None:
    async def test() -> None:
        desk = Desk()
        flood, calm = at(desk, Web()), at(desk, Web())

        async def send(channel: Channel, kind: str, times: int) -> None:
            for _ in range(times):
                await channel.receive(json.dumps({"kind": kind}))

        await asyncio.gather(send(flood, "tick", 500), send(calm, "alive", 5))
        first = [message.kind for message in desk.taken[:10]]
        assert first.count("alive") == 5

    run(test)


def test_whole_histories_are_twenty_at_once_and_then_two_a_second(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
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


def test_a_person_has_so_many_pages_and_the_next_one_is_told_so() -> None:
    async def test() -> None:
        desk, last = Desk(), Web()
        pages = [at(desk, Web()) for _ in range(MOST_PAGES)]
        late = at(desk, last)
        await late.receive('{"kind": "sync"}')
        while not last.texts:
            await asyncio.sleep(0)
        assert last.texts[0]["reason"] == "too many pages are open; close the others"
        assert desk.taken == []
        pages[0].close()
        assert len(desk.ears[0]) == MOST_PAGES - 1

    run(test)


def test_a_page_that_sends_much_that_cannot_be_read_is_listened_to_less(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    waits: list[float] = []
    rates = limits().rates("nonsense")  # none of an earlier test counts, and no time passes
    counted = SimpleNamespace(wait=lambda person, _now: rates.wait(person, 0.0))
    monkeypatch.setattr(sockets, "_rates", lambda _what: counted)

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
    # twenty at once, then half a second for each that is too many; what can be read is read at once
    assert [round(wait, 1) for wait in waits if wait] == [0.5, 1.0, 1.5, 2.0]


def test_in_the_lobby_of_a_later_block_it_is_asked_anew_who_is_still_to_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Late(OpenLobby):
        """A lobby that keeps what it is asked."""

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

        monkeypatch.setattr(Channel, "_get_to_know", get_to_know)
        for stale in (False, True, False):
            lobby.stale = stale
            await channel.receive('{"kind": "alive"}')
        assert (len(lobby.taken), times) == (3, [1])

    run(test)
