"""The lobby of a later block: companies are known, and nobody who has left is waited for."""

from __future__ import annotations

from mixed_company.table.lobby import Change
from mixed_company.table.meeting import Meeting
from mixed_company.table.options import Options

SECOND = 1000
OPTIONS = Options(people_per_group=3, lobby_seconds=60.0)


def meeting(*companies: tuple[int, ...]) -> Meeting:
    made = Meeting(OPTIONS)
    made.expect(companies)
    return made


def forms(changes: list[Change]) -> list[tuple[int, ...]]:
    return [change.keys for change in changes if change.kind == "form"]


def test_a_company_begins_when_all_are_there_in_whatever_order_they_come() -> None:
    own = meeting((1, 2, 3), (4, 5, 6))
    for key in (4, 2, 1, 5):
        own.arrive(key, 0)
    assert forms(own.advance(0)) == []
    own.arrive(3, SECOND)
    assert forms(own.advance(SECOND)) == [(1, 2, 3)]
    assert set(own.waiting) == {4, 5}


def test_when_a_promise_is_over_all_who_have_not_left_have_a_seat() -> None:
    own = meeting((1, 2, 3))
    own.arrive(2, 0)
    for at in range(5, 60, 5):
        own.hear(2, at * SECOND)
        assert forms(own.advance(at * SECOND)) == []
    own.hear(2, 59 * SECOND)
    assert own.next_due(59 * SECOND) == 60 * SECOND
    assert forms(own.advance(60 * SECOND)) == [(1, 2, 3)]
    assert own.waiting == {}


def test_who_has_left_the_lobby_is_not_waited_for_and_has_no_seat() -> None:
    own = meeting((1, 2, 3))
    own.arrive(1, 0)
    own.arrive(2, 0)
    own.part(3)  # sent home by the manager, on the way
    assert forms(own.advance(0)) == [(1, 2)]


def test_who_is_silent_is_not_there_and_comes_back_to_a_seat() -> None:
    own = meeting((1, 2))
    own.arrive(1, 0)
    own.arrive(2, 20 * SECOND)
    assert forms(own.advance(20 * SECOND)) == []  # 1 was not heard of for 20 s
    own.hear(1, 21 * SECOND)
    assert forms(own.advance(21 * SECOND)) == [(1, 2)]


def test_a_company_of_which_nobody_is_there_does_not_begin() -> None:
    own = meeting((1, 2))
    own.arrive(1, 0)
    own.leave(1)
    assert forms(own.advance(100 * SECOND)) == []
    changes = own.advance(181 * SECOND)  # twice the promise and a minute
    assert changes == [Change("leave", (1,))]


def test_what_is_known_later_takes_the_place_of_what_was_known() -> None:
    own = meeting((1, 2, 3))
    own.arrive(1, 0)
    own.arrive(2, 0)
    own.expect([(1, 2)])  # 3 has left in the block before
    assert forms(own.advance(0)) == [(1, 2)]


def test_who_comes_when_the_others_have_begun_is_a_company_alone() -> None:
    own = meeting()
    own.arrive(7, 0)
    assert forms(own.advance(0)) == [(7,)]


def test_a_page_is_told_how_many_of_its_company_are_there_where_bots_are_labelled() -> None:
    labelled = Options(people_per_group=3, disclosure="labels")
    own = Meeting(labelled)
    own.expect([(1, 2), (3, 4, 5)])
    own.arrive(1, 0)
    own.arrive(3, 0)
    assert (own.view(1, 0).here, own.view(1, 0).needed) == (1, 2)
    assert meeting((1, 2)).waiting == {}
    plain = meeting((1, 2))
    plain.arrive(1, 0)
    assert plain.view(1, 0).needed is None
