"""The manager has something done: at an open table, and for who waits in an open lobby."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import pytest

from server import clock as server_clock
from server.board import acting
from server.export import _wall_times
from server.play_clock import Stretch
from table.directives import Directive
from table.protocol import Ack, Refusal
from tests.loops import complete
from tests.server.test_open_lobby import Room as Lobby
from tests.server.test_open_lobby import phases
from tests.server.test_open_table import SECOND, Clock, Room


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    time = [0]
    monkeypatch.setattr(server_clock, "now_ms", lambda: time[0])
    return time


def manage(room: Room, kind: str, seat: int | None = None, **more: Any) -> Ack | Refusal:
    return room.table.manage(Directive(kind, f"{kind} {seat}", seat, **more))


def test_what_the_manager_has_done_is_shown_after_it_is_saved_and_not_before() -> None:
    room = Room(Clock())
    room.begin()
    assert isinstance(manage(room, "pause"), Ack)
    assert [page.messages for page in room.pages.values()] == [[], []]
    room.paper.save()
    assert [page.messages[-1]["paused"] for page in room.pages.values()] == [True, True]


def test_the_manager_hears_at_once_that_the_session_was_deleted_meanwhile() -> None:
    """It took ten seconds, and was told as a database that takes nothing."""
    room = Room(Clock())
    room.begin()

    async def steps() -> Ack | Refusal:
        answer = asyncio.create_task(acting._manage(room.table, Directive("pause", "a")))
        await asyncio.sleep(0)
        room.paper.save(there=False)
        return await asyncio.wait_for(answer, 60)

    assert complete(steps()) == Refusal("not saved: this session is not there any more", "a")


def test_the_clock_of_a_table_stands_still_also_over_a_restart() -> None:
    # 45 s for a decision; paused after 5 s for 1,000 s, with a restart in between
    clock = Clock()
    room = Room(clock, shift_ms=70)
    room.begin()
    clock.now += 5 * SECOND
    manage(room, "pause")
    assert room.due() == []  # nothing happens by itself
    room.paper.save()
    clock.now += 400 * SECOND
    assert room.table.now_ms() == 5 * SECOND + 70
    assert room.stored().paused_ms == 5 * SECOND + 70
    clock.now += 600 * SECOND
    manage(room, "go_on")
    room.paper.save()
    assert room.table.now_ms() == 5 * SECOND + 70
    assert room.stored().stood_ms == 1000 * SECOND
    assert room.pages[0].messages[-1]["remaining_ms"] == 40 * SECOND
    [due] = room.due()
    assert due > clock.now


def test_an_end_is_paid_at_once_and_nothing_comes_after_it() -> None:
    room = Room(Clock())
    room.begin()
    manage(room, "end")
    room.paper.save()
    paid = {one.player_id: one.status for batch in room.paper.batches for one in batch.outcomes}
    assert paid == {10: "ended", 12: "ended"}
    assert room.paper.batches[-1].snapshot is not None
    assert room.due() == []


def test_who_is_released_is_paid_while_the_others_play_on() -> None:
    room = Room(Clock())
    room.begin()
    manage(room, "release", 0)
    room.paper.save()
    [outcome] = [one for batch in room.paper.batches for one in batch.outcomes]
    assert (outcome.player_id, outcome.status) == (10, "released")
    assert room.pages[0].messages[-1]["phase"] == "over"
    assert "over" not in [message.get("phase") for message in room.pages[2].messages]


def test_the_machines_clock_went_on_while_a_play_was_paused() -> None:
    # paused at 1,005 for 100 ms: what comes later was 100 ms later by the machine's clock
    log = [{"kind": "event", "event": "resumed", "at_ms": 1005, "stood_ms": 100}]
    wall_at = _wall_times([Stretch(0, 10**6, 5000)], 1000, log)
    assert [wall_at(at) for at in (1000, 1005, 1006)] == [5000, 5005, 5106]


# -- in the lobby -----------------------------------------------------------------------------


def test_who_is_released_waits_no_more_and_is_told_after_the_commit() -> None:
    room = Lobby()
    page = room.come(11)
    room.paper.save()
    phases(page)
    assert room.lobby.release(11, '[{"what": "release"}]')
    assert phases(page) == []
    room.paper.save()
    assert phases(page) == ["released"]
    standing = room.batches()[-1].standings[0]
    assert standing.values == {"status": "released", "managed": '[{"what": "release"}]'}
    assert not room.lobby.release(11, "[]")


def test_who_is_released_before_the_lobby_does_not_come_into_it() -> None:
    room = Lobby()
    assert room.lobby.release(11, "[]")
    room.paper.save()
    page = room.come(11)
    assert phases(page)[-1] == "released"


@pytest.mark.parametrize(("outcome", "phase"), [("bots", "seated"), ("release", "released")])
def test_the_promise_to_who_is_hurried_is_over(outcome: str, phase: str) -> None:
    room = Lobby(lobby_outcome=outcome, lobby_seconds=3600.0)
    page = room.come(11)
    room.paper.save()
    room.lobby.hurry(11)
    room.paper.save()
    assert phases(page)[-1] == phase


def test_a_message_to_who_waits_is_shown_and_kept() -> None:
    room = Lobby()
    page = room.come(11)
    room.paper.save()
    assert room.lobby.write(11, {"id": "a", "text": "Soon."}, "[1]")
    room.paper.save()
    assert page.messages[-1]["note"] == {"id": "a", "text": "Soon."}
    assert room.batches()[-1].standings[0].values == {"managed": "[1]"}
    assert not room.lobby.write(12, {"id": "a", "text": "Soon."}, "[1]")


def test_a_note_goes_through_json() -> None:
    room = Room(Clock())
    room.begin()
    manage(room, "message", 0, text="Hello.")
    room.paper.save()
    assert json.loads(room.stored().to_json())["seats"][0]["note"]["text"] == "Hello."
