"""An open lobby announces a group, without being asked, only once the whole group is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server import clock
from mixed_company.server.keeping.storage import entry_of
from mixed_company.server.keeping.writer import LobbyBatch, Standing
from mixed_company.server.open.open_lobby import LOOK_AGAIN_MS, OpenLobby, StoredLobby
from mixed_company.server.play_clock import PlayClock
from mixed_company.table.lobby import Waiting
from mixed_company.table.meeting import Companies
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.setup import Setup
from tests.server.test_open_table import Alarm, Page, Paper

SECOND = 1000


class Room:
    """Open lobby for groups of two, with a writer and the pages of people 11, 12, ..."""

    def __init__(self, waiting: tuple[Waiting, ...] = (), **options: Any) -> None:
        game = engine.make("commons_game", archetype="lab", periods=4)
        config = game.config.model_dump(mode="json")
        config["identity"]["seed"] = 7
        chosen = {"people_per_group": 2, "lobby_seconds": 60.0, "disclosure": "labels", **options}
        self.setup = Setup(config=config, options=Options(**chosen))
        self.paper, self.alarms, self.pages = Paper(), list[Alarm](), dict[int, Page]()
        play_clock = PlayClock(9)
        stored = StoredLobby("app", 3, {"": self.setup}, waiting, 0, {"session_id": 9}, play_clock)
        self.lobby = OpenLobby(stored, self.paper, self.at)

    def at(self, ms: int, function: Callable[[], None]) -> Alarm:
        self.alarms.append(Alarm(clock.now_ms() + ms, function))
        return self.alarms[-1]

    def due(self) -> list[int]:
        return [alarm.at_ms for alarm in self.alarms if not alarm.over]

    def come(self, person: int, status: str = "arriving") -> Page:
        """Connect a person's page, and send its first message."""
        page = self.pages[person] = Page()
        self.lobby.enter(person, status)
        self.lobby.sit(person, page)
        self.lobby.take(person, Message("sync"))
        return page

    def batches(self) -> list[LobbyBatch]:
        return list(self.paper.batches)


@pytest.fixture(autouse=True)
def now(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    time = [0]
    monkeypatch.setattr(clock, "now_ms", lambda: time[0])
    return time


def phases(page: Page) -> list[str]:
    """Return the phases that a page has shown since the last call."""
    shown = [message["phase"] for message in page.messages]
    page.messages.clear()
    return shown


def test_a_group_is_announced_after_its_commit_to_everybody_without_a_request():
    room = Room()
    first = room.come(11)
    assert first.messages == []  # not even that it waits, because a crash would forget the promise
    room.paper.save()
    assert first.messages[-1]["here"] == 1
    assert phases(first) == ["waiting"]
    second = room.come(12)
    assert (phases(first), phases(second)) == ([], [])
    room.paper.save()
    assert (phases(first), phases(second)) == (["seated"], ["seated"])


def test_a_group_is_one_batch_with_its_table_and_all_its_people():
    room = Room()
    room.come(11)
    room.come(12)
    room.paper.save()
    [arrival, forming] = room.batches()
    assert [standing.player_id for standing in arrival.standings] == [11]
    assert arrival.groups == []
    assert [standing.player_id for standing in forming.standings] == [12]
    [group] = forming.groups
    assert (group.number, sorted(group.seats)) == (1, [11, 12])
    assert list(group.seats.values()) == sorted(group.seats.values())
    entries = [entry_of(row) for row in group.rows]
    assert [entry["kind"] for entry in entries] == ["start", *["seat"] * 4]
    persons = [entry["seat"] for entry in entries[1:] if entry["occupant"] == "person"]
    assert persons == list(group.seats.values())


def test_a_person_who_closes_the_page_is_not_grouped_and_the_others_see_it():
    room = Room(people_per_group=3)
    pages = [room.come(11), room.come(12)]
    room.paper.save()
    assert pages[0].messages[-1]["here"] == 2
    room.lobby.leave(12, pages[1])
    assert pages[0].messages[-1]["here"] == 1
    room.come(13)
    room.paper.save()
    assert [group for batch in room.batches() for group in batch.groups] == []
    room.come(12, "waiting")  # the page is back and keeps its place in the order
    room.paper.save()
    [group] = [group for batch in room.batches() for group in batch.groups]
    assert sorted(group.seats) == [11, 12, 13]


def test_if_bots_are_not_marked_nobody_sees_how_many_people_come_and_go():
    room = Room(people_per_group=3, disclosure="none")
    first = room.come(11)
    room.paper.save()
    assert not {"here", "needed"} & set(first.messages[-1])
    assert phases(first) == ["waiting"]
    second = room.come(12)
    room.paper.save()
    room.lobby.leave(12, second)
    assert phases(first) == []


def test_a_silent_page_is_asked_by_a_view_and_confirms_its_presence(now):
    room = Room()
    page = room.come(11)
    room.paper.save()
    phases(page)
    assert room.due() == [4 * SECOND]
    now[0] = 4 * SECOND
    room.alarms[-1].ring()
    assert phases(page) == ["waiting"]
    now[0] = 4 * SECOND + 20
    room.lobby.take(11, Message("alive"))
    assert phases(page) == []
    assert room.due() == [8 * SECOND + 20]


def test_a_page_that_no_longer_answers_is_in_no_group(now):
    room = Room()
    room.come(11)
    for time_ms in (4 * SECOND, 7 * SECOND + 1):
        now[0] = time_ms
        room.alarms[-1].ring()
    assert room.due() == [180 * SECOND]  # twice the promise of 60 s, and a minute: then it has left
    second = room.come(12)
    room.paper.save()
    assert second.messages[-1]["here"] == 1
    assert phases(second) == ["waiting"]


def test_a_promise_is_kept_when_it_runs_out_without_any_message(now):
    room = Room(lobby_seconds=3.0)
    page = room.come(11)
    room.paper.save()
    phases(page)
    assert room.due() == [3 * SECOND]
    now[0] = 3 * SECOND + 15
    room.alarms[-1].ring()
    room.paper.save()
    assert phases(page) == ["seated"]
    assert room.due() == []


def test_an_extended_promise_and_a_release_are_written_and_shown(now):
    for outcome, phase, values in (
        ("extend", "waiting", {"extended": True}),
        ("release", "released", {"status": "released"}),
    ):
        now[0] = 0
        room = Room(lobby_seconds=3.0, lobby_outcome=outcome)
        page = room.come(11)
        room.paper.save()
        phases(page)
        now[0] = 3 * SECOND
        room.alarms[-1].ring()
        room.paper.save()
        assert phases(page) == [phase]
        [standing] = room.batches()[-1].standings
        assert (standing.player_id, standing.before) == (11, ("waiting",))
        assert standing.values == values


def test_repeated_messages_are_answered_and_an_action_is_refused():
    room = Room()
    page = room.come(11)
    room.paper.save()
    phases(page)
    room.lobby.take(11, Message("tick"))
    assert phases(page) == ["waiting"]
    refused = {"kind": "refused", "reason": "the game has not started yet"}
    room.lobby.take(11, Message("act", "a", 0, {"harvest": 1}))
    assert page.messages[-1] == {**refused, "id": "a"}
    room.lobby.take(11, Message("answer", "b", 0, question="q", value=1))
    assert page.messages[-1] == {**refused, "id": "b"}


def test_a_person_whose_time_is_over_has_left_unless_already_seated():
    room = Room()
    room.come(11)
    room.lobby.part(11, "waiting")
    room.lobby.part(13, "arriving")  # the person never opened the live page
    room.paper.save()
    left = [standing for batch in room.batches()[1:] for standing in batch.standings]
    assert [(outcome.player_id, outcome.values) for outcome in left] == [
        (11, {"status": "left"}),
        (13, {"status": "left"}),
    ]
    both = Room()
    both.come(11)
    both.come(12)
    both.lobby.part(11, "waiting")  # as the request read it
    both.paper.save()
    assert [len(batch.standings) for batch in both.batches()] == [1, 1]
    assert phases(both.pages[11])[-1] == "seated"


def test_a_person_who_closed_the_page_has_left_when_the_alarm_of_the_lobby_rings(now):
    room = Room()
    page = room.come(11)
    room.lobby.leave(11, page)
    [now[0]] = room.due()
    room.alarms[-1].ring()
    room.paper.save()
    assert now == [180 * SECOND]
    last = room.batches()[-1].standings
    assert [(outcome.player_id, outcome.values) for outcome in last] == [(11, {"status": "left"})]
    assert room.due() == []


def test_after_a_restart_everybody_who_returns_keeps_place_and_promise(now):
    now[0] = 100 * SECOND
    stored = (Waiting(12, 50 * SECOND, 0, open=False), Waiting(11, 60 * SECOND, 0, open=False))
    room = Room(stored, people_per_group=3)
    page = room.come(11, "waiting")
    assert page.messages[-1]["remaining_ms"] == 20 * SECOND
    assert page.messages[-1]["here"] == 1
    assert room.paper.waiting == []


def test_an_outdated_lobby_says_nothing_and_is_read_anew():
    room = Room()
    page = room.come(11)
    room.paper.save(exists=False)
    assert room.lobby.gone
    assert page.messages == []
    assert room.due() == []


def test_a_group_that_cannot_be_formed_is_never_formed_by_halves(monkeypatch):
    room = Room()
    room.come(11)
    room.paper.save()

    def fail(*_: Any) -> None:
        raise RuntimeError("a policy is broken")

    monkeypatch.setattr("mixed_company.server.open.open_lobby.new_group", fail)
    with pytest.raises(RuntimeError, match="a policy is broken"):
        room.come(12)
    assert room.lobby.gone
    assert room.paper.waiting == []
    assert phases(room.pages[11]) == ["waiting"]


def test_an_empty_lobby_with_everything_saved_need_not_stay():
    room = Room()
    page = room.come(11)
    assert not room.lobby.idle
    room.paper.save()
    assert not room.lobby.idle
    room.lobby.leave(11, page)
    assert room.lobby.idle


def test_the_manager_s_acts_for_an_absent_person_apply_when_the_page_is_back():
    """Guard against rereading an empty lobby, because anything that is not in the database yet
    would be lost."""
    for act in (
        lambda room: room.lobby.hurry(11),
        lambda room: room.lobby.write(11, {"id": "m", "text": "Soon."}, "[]"),
    ):
        room = Room(people_per_group=3)
        room.lobby.leave(11, room.come(11))
        room.paper.save()
        assert room.lobby.idle
        act(room)
        room.paper.save()
        assert not room.lobby.idle


# -- groups of later blocks -----------------------------------------------------------------------


def meeting(*companies: tuple[int, ...], **seats: int) -> Room:
    """Return the lobby of a later block, in which these people play together."""
    room = Room(lobby_seconds=600.0)
    stored = replace(
        room.lobby._stored,
        app="sanctions_2",
        meeting=Companies(companies, {int(key[1:]): seat for key, seat in seats.items()}),
    )
    room.lobby = OpenLobby(stored, room.paper, room.at)
    return room


def formed(room: Room) -> list[Any]:
    return [group for batch in room.paper.waiting for group in batch.groups]


def test_in_a_later_block_people_meet_their_company_in_their_own_seats():
    room = meeting((11, 13), (12, 14), p11=3, p13=1)
    for person in (11, 12, 13):
        room.come(person)
    [group] = formed(room)
    assert group.seats == {13: 1, 11: 3}
    batch = room.paper.waiting[-1]
    assert (batch.app, batch.subsession_id, batch.group) == ("sanctions_2", 3, {"session_id": 9})
    assert batch.clock is room.lobby._stored.clock
    assert room.paper.waiting[0].clock is None  # nothing in a lobby has a date


def test_a_newcomer_says_which_people_are_to_be_met():
    room = meeting()
    room.lobby.enter(11, "arriving", meeting=Companies(((11, 12),)))
    assert formed(room) == []
    room.lobby.enter(12, "arriving", meeting=Companies(((11, 12),)))
    assert [set(group.seats) for group in formed(room)] == [{11, 12}]


def test_expected_people_are_looked_up_again_after_a_while(now):
    now[0] = 1000 * SECOND
    room = meeting((11, 12))
    assert not room.lobby.is_stale(11)  # the person is not waiting yet
    room.come(11)
    for after_ms, stale in ((0, False), (LOOK_AGAIN_MS - 1, False), (LOOK_AGAIN_MS, True)):
        now[0] = 1000 * SECOND + after_ms
        assert room.lobby.is_stale(11) is stale
    room.lobby.enter(11, "waiting", meeting=Companies(((11, 12),)))
    assert not room.lobby.is_stale(11)
    first = Room()
    first.come(11)
    now[0] += 10 * LOOK_AGAIN_MS
    assert not first.lobby.is_stale(11)  # of the first block


def test_nobody_waits_for_people_who_left_whatever_the_database_knows_yet():
    room = meeting((11, 12, 13))
    room.come(11)
    room.lobby.part(13, "arriving")
    room.lobby.enter(12, "arriving", meeting=Companies(((11, 12, 13),)))
    assert [set(group.seats) for group in formed(room)] == [{11, 12}]


def test_people_are_addressed_in_the_language_of_the_session():
    assert Room(language="fr").lobby.language == "fr"


@pytest.mark.parametrize("status", ["excluded", "released"])
def test_a_person_removed_by_the_manager_has_left_and_is_told_after_the_commit(status):
    room = Room()
    page = room.come(11)
    room.paper.save()
    phases(page)
    assert room.lobby.release(11, '["x"]', *[status] * (status == "excluded"))
    assert phases(page) == []
    assert not room.lobby.release(11, "[]")
    room.paper.save()
    [standing] = room.batches()[-1].standings
    assert standing == Standing(
        11, ("arriving", "waiting"), {"status": status, "managed": '["x"]'}, 0
    )
    assert phases(page) == [status]
    assert not room.lobby.write(11, {}, "[]")
