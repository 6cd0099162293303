"""Lobby of a later block: groups are known, and the lobby does not wait for people who have
left."""

from __future__ import annotations

from mixed_company.table.lobby import Change
from mixed_company.table.meeting import Meeting
from mixed_company.table.options import Options

SECOND = 1000
OPTIONS = Options(people_per_group=3, lobby_seconds=60.0)


def make_meeting(*companies: tuple[int, ...]) -> Meeting:
    meeting = Meeting(OPTIONS)
    meeting.expect(companies)
    return meeting


def forms(changes: list[Change]) -> list[tuple[int, ...]]:
    return [change.keys for change in changes if change.kind == "form"]


def test_a_company_begins_when_everybody_is_there_whatever_the_order_of_arrival() -> None:
    meeting = make_meeting((1, 2, 3), (4, 5, 6))
    for key in (4, 2, 1, 5):
        meeting.arrive(key, 0)
    assert forms(meeting.advance(0)) == []
    meeting.arrive(3, SECOND)
    assert forms(meeting.advance(SECOND)) == [(1, 2, 3)]
    assert set(meeting.waiting) == {4, 5}


def test_when_the_promise_is_over_everybody_who_has_not_left_has_a_seat() -> None:
    meeting = make_meeting((1, 2, 3))
    meeting.arrive(2, 0)
    for second in range(5, 60, 5):
        meeting.hear(2, second * SECOND)
        assert forms(meeting.advance(second * SECOND)) == []
    meeting.hear(2, 59 * SECOND)
    assert meeting.next_due(59 * SECOND) == 60 * SECOND
    assert forms(meeting.advance(60 * SECOND)) == [(1, 2, 3)]
    assert meeting.waiting == {}


def test_a_person_who_left_the_lobby_is_not_awaited_and_has_no_seat() -> None:
    meeting = make_meeting((1, 2, 3))
    meeting.arrive(1, 0)
    meeting.arrive(2, 0)
    meeting.part(3)  # sent home by the manager on the way
    assert forms(meeting.advance(0)) == [(1, 2)]


def test_a_silent_person_counts_as_absent_and_returns_to_a_seat() -> None:
    meeting = make_meeting((1, 2))
    meeting.arrive(1, 0)
    meeting.arrive(2, 20 * SECOND)
    assert forms(meeting.advance(20 * SECOND)) == []  # 1 was not heard from for 20 s
    meeting.hear(1, 21 * SECOND)
    assert forms(meeting.advance(21 * SECOND)) == [(1, 2)]


def test_while_other_groups_are_being_formed_nobody_starts_before_the_promise() -> None:
    meeting = Meeting(OPTIONS)
    meeting.expect([(1, 2)], frozenset({1, 2}))
    meeting.arrive(1, 0)
    meeting.arrive(2, 0)
    assert forms(meeting.advance(0)) == []
    meeting.expect([(1, 3), (2, 4)])  # their group has been formed
    meeting.arrive(3, SECOND)
    assert forms(meeting.advance(SECOND)) == [(1, 3)]
    meeting.expect([(2, 4)], frozenset({2, 4}))
    meeting.hear(2, 59 * SECOND)
    assert forms(meeting.advance(60 * SECOND)) == [(2, 4)]


def test_a_company_without_anybody_present_does_not_begin() -> None:
    meeting = make_meeting((1, 2))
    meeting.arrive(1, 0)
    meeting.leave(1)
    assert forms(meeting.advance(100 * SECOND)) == []
    changes = meeting.advance(181 * SECOND)  # twice the promise and a minute
    assert changes == [Change("leave", (1,))]


def test_later_information_replaces_earlier_information() -> None:
    meeting = make_meeting((1, 2, 3))
    meeting.arrive(1, 0)
    meeting.arrive(2, 0)
    meeting.expect([(1, 2)])  # 3 left in the previous block
    assert forms(meeting.advance(0)) == [(1, 2)]


def test_a_person_who_arrives_after_the_others_have_begun_is_a_company_alone() -> None:
    meeting = make_meeting()
    meeting.arrive(7, 0)
    assert forms(meeting.advance(0)) == [(7,)]


def test_a_page_shows_how_many_of_its_company_are_there_if_bots_are_labelled() -> None:
    labelled = Options(people_per_group=3, disclosure="labels")
    meeting = Meeting(labelled)
    meeting.expect([(1, 2), (3, 4, 5)])
    meeting.arrive(1, 0)
    meeting.arrive(3, 0)
    assert (meeting.view(1, 0).here, meeting.view(1, 0).needed) == (1, 2)
    assert make_meeting((1, 2)).waiting == {}
    plain = make_meeting((1, 2))
    plain.arrive(1, 0)
    assert plain.view(1, 0).needed is None
