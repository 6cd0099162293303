"""Lobby: groups, promises, and presence."""

from __future__ import annotations

from mixed_company.table.lobby import (
    ASK_MS,
    PRESENT_MS,
    Change,
    Lobby,
    Waiting,
    changes,
    promise_ms,
    refusal,
)
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message

SECOND = 1000


def options(outcome: str = "bots", people: int = 3, seconds: float = 60) -> Options:
    return Options(
        people_per_group=people, lobby_seconds=seconds, lobby_outcome=outcome, disclosure="labels"
    )


def here(key: int, arrived: int, heard: int | None = None, extended: bool = False) -> Waiting:
    heard_ms = (arrived if heard is None else heard) * SECOND
    return Waiting(key, arrived * SECOND, heard_ms, extended)


def test_people_are_grouped_in_the_order_of_arrival() -> None:
    queue = [here(9, 4), here(5, 1), here(7, 3), here(2, 2)]
    assert changes(queue, options(), 5 * SECOND) == [Change("form", (5, 2, 7))]


def test_two_full_groups_are_formed_together() -> None:
    queue = [here(key, key) for key in range(7)]
    assert changes(queue, options(), 7 * SECOND) == [
        Change("form", (0, 1, 2)),
        Change("form", (3, 4, 5)),
    ]


def test_when_the_promise_runs_out_bots_complete_the_group_of_everybody_who_waits() -> None:
    queue = [here(1, 0, 59), here(2, 50, 59)]
    assert changes(queue, options(), 60 * SECOND) == [Change("form", (1, 2))]


def test_the_promise_is_extended_once_and_then_kept() -> None:
    first = here(1, 0, 59)
    assert changes([first], options("extend"), 60 * SECOND) == [Change("extend", (1,))]
    again = here(1, 0, 119, extended=True)
    assert promise_ms(again, options("extend")) == 120 * SECOND
    assert changes([again], options("extend"), 119 * SECOND) == []
    assert changes([again], options("extend"), 120 * SECOND) == [Change("form", (1,))]


def test_everybody_whose_promise_runs_out_learns_that_it_is_extended() -> None:
    first = here(1, 0, 119, extended=True)
    second = here(2, 50, 119)
    assert changes([first, second], options("extend"), 115 * SECOND) == [Change("extend", (2,))]
    assert changes([first, second], options("extend"), 120 * SECOND) == [
        Change("extend", (2,)),
        Change("form", (1, 2)),
    ]


def test_only_those_whose_own_promise_ran_out_are_released() -> None:
    queue = [here(1, 0, 59), here(2, 30, 59)]
    assert changes(queue, options("release"), 60 * SECOND) == [Change("release", (1,))]


def test_a_person_who_closed_the_page_is_not_put_into_a_group() -> None:
    queue = [here(1, 0, 5), here(2, 20), here(3, 25), here(4, 26)]
    assert changes(queue, options(), 26 * SECOND) == [Change("form", (2, 3, 4))]
    assert changes([here(1, 0, 5)], options(), 90 * SECOND) == []


def test_a_person_whose_page_is_closed_is_in_no_group_however_recently_heard_from() -> None:
    lobby = Lobby(options(people=2))
    lobby.arrive(1, now=0)
    lobby.leave(1)
    lobby.arrive(2, now=100)
    assert lobby.advance(100) == []
    assert lobby.view(2, 100).here == 1
    lobby.hear(1, 200)  # a page of the first person is back, as after a reload
    assert lobby.advance(200) == [Change("form", (1, 2))]
    assert lobby.waiting == {}


def test_a_silent_person_is_asked_once_and_counts_as_absent_after_seven_seconds() -> None:
    lobby = Lobby(options(people=3))
    lobby.arrive(1, now=0)
    lobby.arrive(2, now=0)
    assert lobby.next_due(0) == ASK_MS == 4000
    assert lobby.advance(3999) == []
    assert lobby.advance(4000) == [Change("ask", (1, 2))]
    assert lobby.next_due(4000) == PRESENT_MS + 1 == 7001
    lobby.hear(1, 4100)  # a hidden page is throttled, but it answers when asked
    assert lobby.advance(4200) == []
    assert lobby.here(7000) == 2
    assert lobby.here(7001) == 1
    # the first person is asked again at 8.1 s, after going silent
    assert lobby.advance(7001) == []
    assert lobby.next_due(7001) == 8100
    assert lobby.advance(8100) == [Change("ask", (1,))]


def test_a_person_who_returns_after_the_promise_is_kept_no_longer() -> None:
    lobby = Lobby(options(people=2, seconds=10))
    lobby.arrive(1, now=0)
    assert lobby.advance(4000) == [Change("ask", (1,))]
    assert lobby.advance(12_000) == []  # nobody is there to play
    assert lobby.next_due(12_000) == 80_000  # after twice the promise and a minute it has left
    lobby.hear(1, 15_000)
    assert lobby.advance(15_000) == [Change("form", (1,))]


def test_an_absent_person_leaves_a_minute_after_twice_the_promise_and_the_server_s_return() -> None:
    """A promise of 10 s made at time 0 is kept at 100 s, because the server was down."""
    here, away = Waiting(1, 0, 79_000), Waiting(2, 0, 5_000, open=False)
    held = Waiting(3, 0, 5_000, open=False, held_ms=100_000)
    release = options("release", people=4, seconds=10)
    assert changes([away, held], release, 79_999) == []
    assert changes([away, held], release, 80_000) == [Change("leave", (2,))]
    assert changes([here, held], release, 80_000) == [Change("release", (1,))]
    assert changes([held], release, 160_000) == [Change("leave", (3,))]


def test_a_lobby_wakes_for_the_promise_if_everybody_answers() -> None:
    lobby = Lobby(options("extend", people=2, seconds=2))
    lobby.arrive(1, now=0)
    assert lobby.next_due(0) == 2000
    assert lobby.advance(2000) == [Change("extend", (1,))]
    view = lobby.view(1, 2500)
    assert (view.phase, view.here, view.needed, view.extended) == ("waiting", 1, 2, True)
    assert view.remaining_ms == 1500  # 2 x 2000 - 2500
    assert lobby.next_due(2500) == 4000


def test_the_size_of_a_group_is_shown_only_if_bots_are_marked() -> None:
    lobby = Lobby(options().model_copy(update={"disclosure": "none"}))
    lobby.arrive(1, now=0)
    assert lobby.view(1, 0).to_json() == {
        "kind": "view",
        "phase": "waiting",
        "extended": False,
        "remaining_ms": 60_000,
    }


def test_a_person_who_leaves_is_in_no_group_and_can_leave_once() -> None:
    lobby = Lobby(options(people=2))
    lobby.arrive(1, now=0)
    assert lobby.part(1)
    assert not lobby.part(1)
    lobby.arrive(2, now=10)
    assert lobby.advance(10) == []


def test_without_lobby_time_everybody_starts_immediately() -> None:
    assert changes([here(1, 0)], options(seconds=0), 0) == [Change("form", (1,))]


def test_a_note_of_the_manager_is_shown_to_its_recipients() -> None:
    lobby = Lobby(Options(people_per_group=3))
    for key in (1, 2):
        lobby.arrive(key, 0)
    note = {"id": "m", "text": "Soon."}
    lobby.write(2, note)
    lobby.write(7, note)  # does not wait
    assert [lobby.view(key, 0).note for key in (1, 2)] == [None, note]


def test_groups_are_formed_within_a_treatment_each_with_its_own_size_and_promise() -> None:
    treatments = {"pair": options("release", people=2, seconds=30), "trio": options(people=3)}
    lobby = Lobby(options(), treatments=treatments)
    for key, treatment in enumerate(["trio", "pair", "trio", "pair", "pair"]):
        lobby.arrive(key, key, treatment)
    assert lobby.advance(10) == [Change("form", (1, 3))]
    for key in lobby.waiting:
        lobby.hear(key, 29 * SECOND)
    # people waiting in each treatment: two of three for a trio, one of two for a pair
    assert [(lobby.view(key, 10).here, lobby.view(key, 10).needed) for key in (0, 4)] == [
        (2, 3),
        (1, 2),
    ]
    assert (
        lobby.next_due(30 * SECOND) == 30 * SECOND + 4
    )  # the promise to the fifth person, who arrived then
    assert lobby.advance(30 * SECOND + 4) == [Change("release", (4,))]
    assert sorted(lobby.waiting) == [0, 2]


def test_in_a_lobby_nobody_decides_yet() -> None:
    refused = refusal(Message("act", "a", 0, {"harvest": 1}))
    assert refused is not None
    assert (refused.id, refused.reason) == ("a", "the game has not started yet")
    for kind in ("sync", "alive", "tick"):
        assert refusal(Message(kind)) is None


def test_only_the_people_whose_wait_the_manager_ends_stop_waiting() -> None:
    lobby = Lobby(options("release"), [here(1, 0, 9), here(2, 0, 9)])
    lobby.hurry(2)
    lobby.hurry(3)  # nobody
    now = 10 * SECOND
    assert [person.hurried for person in lobby.waiting.values()] == [False, True]
    assert changes(list(lobby.waiting.values()), options("release"), now) == [
        Change("release", (2,))
    ]
