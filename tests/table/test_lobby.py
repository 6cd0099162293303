"""Who plays with whom, and what becomes of a promise."""

from __future__ import annotations

from table.lobby import Change, Waiting, changes, promise_ms
from table.options import Options

SECOND = 1000


def options(outcome: str = "bots", people: int = 3, seconds: float = 60) -> Options:
    return Options(people_per_group=people, lobby_seconds=seconds, lobby_outcome=outcome)


def here(key: int, arrived: int, heard: int | None = None, extended: bool = False) -> Waiting:
    heard_ms = (arrived if heard is None else heard) * SECOND
    return Waiting(key, arrived * SECOND, heard_ms, extended)


def test_people_are_grouped_in_the_order_in_which_they_came() -> None:
    queue = [here(9, 4), here(5, 1), here(7, 3), here(2, 2)]
    assert changes(queue, options(), 5 * SECOND) == [Change("form", (5, 2, 7))]


def test_two_full_groups_are_formed_at_once() -> None:
    queue = [here(key, key) for key in range(7)]
    assert changes(queue, options(), 7 * SECOND) == [
        Change("form", (0, 1, 2)),
        Change("form", (3, 4, 5)),
    ]


def test_before_the_promise_runs_out_nothing_happens() -> None:
    assert changes([here(1, 0, 59)], options(), 59_999) == []


def test_when_the_promise_runs_out_bots_fill_the_group_of_all_who_wait() -> None:
    queue = [here(1, 0, 59), here(2, 50, 59)]
    assert changes(queue, options(), 60 * SECOND) == [Change("form", (1, 2))]


def test_the_promise_is_extended_once_and_then_kept() -> None:
    first = here(1, 0, 59)
    assert changes([first], options("extend"), 60 * SECOND) == [Change("extend", (1,))]
    again = here(1, 0, 119, extended=True)
    assert promise_ms(again, options("extend")) == 120 * SECOND
    assert changes([again], options("extend"), 119 * SECOND) == []
    assert changes([again], options("extend"), 120 * SECOND) == [Change("form", (1,))]


def test_everybody_whose_promise_runs_out_is_told_that_it_is_extended() -> None:
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


def test_who_closed_the_page_is_not_put_into_a_group() -> None:
    queue = [here(1, 0, 5), here(2, 20), here(3, 25), here(4, 26)]
    assert changes(queue, options(), 26 * SECOND) == [Change("form", (2, 3, 4))]
    assert changes([here(1, 0, 5)], options(), 90 * SECOND) == []


def test_with_no_lobby_time_everybody_starts_at_once() -> None:
    assert changes([here(1, 0)], options(seconds=0), 0) == [Change("form", (1,))]
