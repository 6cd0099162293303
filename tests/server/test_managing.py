"""The manager's commands, at an open table and for people who wait in an open lobby."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from mixed_company.server import clock as server_clock
from mixed_company.server.board import acting
from mixed_company.table.directives import Directive
from mixed_company.table.protocol import Ack, Refusal
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


def test_the_manager_s_acts_are_shown_only_after_they_are_saved():
    room = Room(Clock())
    room.begin()
    assert isinstance(manage(room, "pause"), Ack)
    assert [page.messages for page in room.pages.values()] == [[], []]
    room.paper.save()
    assert [page.messages[-1]["paused"] for page in room.pages.values()] == [True, True]


def test_the_manager_learns_immediately_that_the_session_was_deleted():
    """Guard against a ten-second wait and a report that the database accepts nothing."""
    room = Room(Clock())
    room.begin()

    async def steps() -> Ack | Refusal:
        answer = asyncio.create_task(acting._manage(room.table, Directive("pause", "a")))
        await asyncio.sleep(0)
        room.paper.save(exists=False)
        return await asyncio.wait_for(answer, 60)

    assert complete(steps()) == Refusal("not saved: this session no longer exists", "a")


def test_the_clock_of_a_paused_table_stands_still_even_over_a_restart():
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


def test_an_end_is_paid_immediately_and_nothing_follows_it():
    room = Room(Clock())
    room.begin()
    manage(room, "end")
    room.paper.save()
    paid = {
        entry.player_id: entry.status for batch in room.paper.batches for entry in batch.outcomes
    }
    assert paid == {10: "ended", 12: "ended"}
    assert room.paper.batches[-1].snapshot is not None
    assert room.due() == []


def test_a_released_person_is_paid_while_the_others_play_on():
    room = Room(Clock())
    room.begin()
    manage(room, "release", 0)
    room.paper.save()
    [outcome] = [entry for batch in room.paper.batches for entry in batch.outcomes]
    assert (outcome.player_id, outcome.status) == (10, "released")
    assert room.pages[0].messages[-1]["phase"] == "over"
    assert "over" not in [message.get("phase") for message in room.pages[2].messages]


# -- in the lobby -----------------------------------------------------------------------------


def test_a_person_released_before_the_lobby_does_not_enter_it():
    room = Lobby()
    assert room.lobby.release(11, "[]")
    room.paper.save()
    page = room.come(11)
    assert phases(page)[-1] == "released"


@pytest.mark.parametrize(("outcome", "phase"), [("bots", "seated"), ("release", "released")])
def test_the_promise_to_a_hurried_person_is_over(outcome, phase):
    room = Lobby(lobby_outcome=outcome, lobby_seconds=3600.0)
    page = room.come(11)
    room.paper.save()
    room.lobby.hurry(11)
    room.paper.save()
    assert phases(page)[-1] == phase


def test_a_message_to_a_waiting_person_is_shown_and_kept():
    room = Lobby()
    page = room.come(11)
    room.paper.save()
    assert room.lobby.write(11, {"id": "a", "text": "Soon."}, "[1]")
    room.paper.save()
    assert page.messages[-1]["note"] == {"id": "a", "text": "Soon."}
    assert room.batches()[-1].standings[0].values == {"managed": "[1]"}
    assert not room.lobby.write(12, {"id": "a", "text": "Soon."}, "[1]")


def test_a_note_survives_json():
    room = Room(Clock())
    room.begin()
    manage(room, "message", 0, text="Hello.")
    room.paper.save()
    assert json.loads(room.stored().to_json())["seats"][0]["note"]["text"] == "Hello."


class Standing:
    """Open lobby with one person, which reports when its writes are saved."""

    def __init__(self, takes: bool = True, exists: bool | None = True) -> None:
        self.takes, self.exists = takes, exists
        self.done: list[Any] = []

    def release(self, *arguments: Any) -> bool:
        self.done.append(arguments)
        return self.takes

    def write(self, *arguments: Any) -> bool:
        self.done.append(arguments)
        return self.takes

    def when_saved(self, function: Any, otherwise: Any) -> None:
        if self.exists is not None:
            (function if self.exists else otherwise)()
            function()  # only the first one counts


def directed(monkeypatch: pytest.MonkeyPatch, standing: Any, **data: Any) -> dict[str, Any]:
    async def with_database(work: Any) -> Any:
        return work()

    monkeypatch.setattr(acting, "with_database", with_database)
    monkeypatch.setattr(acting, "_standing", lambda code, who: {("s", "p"): standing}[code, who])
    return complete(acting.direct("s", 1, [], {"id": "a", **data})).to_json()


PAST = [{"id": "before", "what": "message"}]


@pytest.mark.parametrize(
    ("directive", "done"),
    [
        ({"kind": "release"}, (7, {"what": "release", "id": "a"}, "released")),
        ({"kind": "exclude"}, (7, {"what": "exclude", "id": "a"}, "excluded")),
        (
            {"kind": "message", "text": "Hi"},
            (7, {"id": "a", "text": "Hi"}, {"what": "message", "id": "a", "text": "Hi"}),
        ),
    ],
)
@pytest.mark.parametrize("status", ["arriving", "waiting"])
def test_an_act_for_a_person_in_the_lobby_is_saved_with_earlier_acts(
    monkeypatch, now, status, directive, done
):
    now[0] = 5
    lobby = Standing()
    about = {"participant": "p", **directive}
    answer = directed(monkeypatch, (lobby, 7, status, PAST), **about)
    assert answer == {"kind": "ack", "id": "a"}
    kept = json.dumps([*PAST, {"at_ms": 5, **next(value for value in done[1:] if "what" in value)}])
    assert lobby.done == [tuple(kept if "what" in str(value) else value for value in done)]


NO_PLACE = "this person already has a seat or has finished"


@pytest.mark.parametrize(
    ("kind", "lobby", "status", "reason"),
    [
        ("release", Standing(), "seated", NO_PLACE),
        ("release", Standing(takes=False), "waiting", NO_PLACE),
        (
            "message",
            Standing(takes=False),
            "waiting",
            "only people who are in the lobby or playing can get messages",
        ),
        ("exclude", Standing(exists=False), "waiting", acting._NOT_THERE),
        ("pause", Standing(), "waiting", None),
    ],
)
def test_a_refusal_for_a_person_gives_the_reason(monkeypatch, kind, lobby, status, reason):
    standing = (lobby, 7, status, PAST)
    answer = directed(monkeypatch, standing, kind=kind, participant="p", text="Hi")
    default_reason = (
        "pause: applies to a seat; for a participant, use release or exclude or message"
    )
    assert answer == {"kind": "refused", "id": "a", "reason": reason or default_reason}


def test_an_act_that_is_not_saved_in_time_is_refused(monkeypatch):
    async def wait(reason: Any, seconds: float) -> None:
        assert (reason.done(), seconds) == (False, acting.PATIENCE_SECONDS)
        raise TimeoutError

    monkeypatch.setattr(asyncio, "wait_for", wait)
    standing = (Standing(exists=None), 7, "waiting", PAST)
    answer = directed(monkeypatch, standing, kind="release", participant="p")
    assert answer == {"kind": "refused", "id": "a", "reason": acting._NOT_SAVED}


def test_a_person_is_released_once_per_id(monkeypatch):
    lobby = Standing()
    about = {"kind": "release", "participant": "p", "id": "before"}
    assert directed(monkeypatch, (lobby, 7, "waiting", PAST), **about)["kind"] == "ack"
    assert lobby.done == []
    nobody = directed(monkeypatch, None, kind="release", participant="p")
    assert nobody["reason"] == "participant = 'p': not in this session"


class Managed:
    """Open table with a predefined answer to the manager."""

    def __init__(self, group_id: int, refuses: str = "", exists: bool = True) -> None:
        self.key, self.refuses, self.exists = ("app", group_id), refuses, exists

    def manage(self, directive: Directive) -> Ack | Refusal:
        return Refusal(self.refuses, directive.id) if self.refuses else Ack(directive.id, 0)

    def when_saved(self, function: Any, otherwise: Any) -> None:
        (function if self.exists else otherwise)()


@pytest.mark.parametrize(
    ("tables", "about", "reason"),
    [
        ([], {}, "no group is playing"),
        ([Managed(1), Managed(2, "over")], {}, ""),
        ([Managed(1, "held"), Managed(2, "over")], {}, "held"),
        ([Managed(1, exists=False)], {}, acting._NOT_THERE),
        ([Managed(1, "held"), Managed(2)], {"group": 6}, "held"),
        ([Managed(1, "held"), Managed(2)], {"group": 7, "app": "app"}, ""),
        (
            [Managed(1)],
            {"group": 6, "app": "other"},
            "group = 6: no group with this number is playing",
        ),
        ([Managed(1)], {"group": 7}, "group = 7: no group with this number is playing"),
        ([Managed(3)], {"group": 8}, "group = 8: no group with this number is playing"),
        ([Managed(1)], {"kind": "end"}, "group: is missing; end applies to one group"),
        (
            [Managed(1)],
            {"kind": "message", "text": "Hi", "seat": 0},
            "group: is missing; message applies to one group",
        ),
    ],
)
def test_a_directive_is_for_the_groups_that_it_names_or_for_all(monkeypatch, tables, about, reason):
    def person(number: int, seat: int = 0) -> Any:
        return SimpleNamespace(app="app", group_id=number, group=number + 5, seat=seat)

    monkeypatch.setattr(acting, "open_tables", lambda tables_here, session_id: tables)
    people = [person(1), person(2), person(3, seat=-1)]
    answer = complete(acting.direct("s", 1, people, {"kind": "pause", "id": "a", **about}))
    assert answer == acting.Answer("a", reason)


@pytest.mark.parametrize("session", [None, SimpleNamespace(code="s")])
def test_admission_to_a_session_is_changed_and_saved(monkeypatch, session):
    sessions: dict[str, Any] = {"s": session}
    kept: list[str] = []
    moved = session, "shut", "a"
    monkeypatch.setattr(
        acting, "Session", SimpleNamespace(objects_first=lambda code: sessions[code])
    )
    move = "mixed_company.server.board.acting.door.move"
    monkeypatch.setattr(move, lambda *arguments: "why" if arguments == moved else "")
    monkeypatch.setattr(
        "mixed_company.server.board.acting.storage.commit", lambda: kept.append("kept")
    )
    answer = directed(monkeypatch, None, kind="shut")
    reason = acting._NOT_THERE if session is None else "why"
    assert answer == {"kind": "refused", "id": "a", "reason": reason}
    assert kept == ([] if session is None else ["kept"])
