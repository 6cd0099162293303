"""Seats that the manager hands to a policy, gives back, skips or bars."""

from __future__ import annotations

from mixed_company.table.directives import Directive
from mixed_company.table.exchange import exchange
from mixed_company.table.protocol import Message
from mixed_company.table.table import Table
from tests.table.managing.tables import manage, two
from tests.table.plays import SECOND, act, events, rows, started, view


def test_a_seat_that_is_handed_over_is_played_by_the_policy_for_dropouts() -> None:
    table = two(dropout_bot="fixed:harvest=3")
    assert manage(table, "stand_in", 2 * SECOND, seat=1) == "ack"
    act(table, 0, 3 * SECOND)
    assert rows(table, "period")[0]["sent"]["harvest"] == [1.0, 3.0, 2.5, 2.5]
    assert events(table, "handed")[0] | {"at_ms": 0} == {
        "kind": "event",
        "at_ms": 0,
        "period": 0,
        "event": "handed",
        "seat": 1,
        "detail": "fixed:harvest=3",
    }
    assert table.seats[1].points == 0.0
    assert table.seats[1].gaps == 0  # the person was not silent


def test_an_open_page_does_not_take_the_seat_back_automatically() -> None:
    table = two()
    manage(table, "stand_in", 2 * SECOND, seat=1)
    for second in range(3, 30):
        table.hear(0, second * SECOND)
        table.hear(1, second * SECOND)
    assert table.episode.period == 1
    assert table.seats[1].occupant == "policy"
    assert view(table, 1, 30 * SECOND)["called"] is True
    assert "called" not in view(table, 0, 30 * SECOND)


def test_a_person_who_reports_back_has_the_seat_again_at_the_next_period() -> None:
    table = two()
    manage(table, "stand_in", 2 * SECOND, seat=1)
    outcome = exchange(table, 1, Message("back", "b"), 3 * SECOND)
    assert outcome.answer is not None
    assert outcome.answer.to_json() == {"kind": "ack", "id": "b", "period": 0}
    assert list(outcome.views) == [1]
    assert exchange(table, 1, Message("back", "b"), 3 * SECOND).answer == outcome.answer
    act(table, 0, 4 * SECOND)
    assert table.seats[1].occupant == "person"
    timeline = [(row["occupant"], row["reason"]) for row in rows(table, "seat") if row["seat"] == 1]
    assert timeline == [("person", "seated"), ("policy", "handed"), ("person", "returned")]


def test_a_seat_that_is_given_back_waits_for_its_person() -> None:
    table = two()
    manage(table, "stand_in", 2 * SECOND, seat=1)
    assert manage(table, "give_back", 3 * SECOND, seat=1) == "ack"
    act(table, 0, 4 * SECOND)
    assert table.seats[1].occupant == "policy"
    table.hear(1, 5 * SECOND)
    act(table, 0, 6 * SECOND)
    assert table.seats[1].occupant == "person"


def test_an_earlier_decision_counts_and_the_policy_starts_with_the_next_period() -> None:
    table = two()
    act(table, 1, 1 * SECOND, harvest=4)
    manage(table, "stand_in", 2 * SECOND, seat=1)
    act(table, 0, 3 * SECOND)
    assert rows(table, "period")[0]["seats"][1]["by"] == "person"
    assert table.seats[1].points == 4.0


def test_a_skipped_person_decides_again_in_the_next_period_however_soon_it_comes() -> None:
    """Both people are skipped, but policies that answer immediately do not rush through the
    play."""
    table = two(dropout_bot="fixed:harvest=3")
    assert manage(table, "skip", 2 * SECOND, seat=0) == "ack"
    assert view(table, 0, 2 * SECOND)["called"] is True
    assert manage(table, "skip", 2 * SECOND, seat=1) == "ack"
    assert rows(table, "period")[0]["sent"]["harvest"] == [3.0, 3.0, 2.5, 2.5]
    table.advance(3 * SECOND)
    assert table.episode.period == 1
    assert [table.seats[seat].occupant for seat in (0, 1)] == ["person", "person"]
    assert "called" not in view(table, 0, 3 * SECOND)


def test_a_skipped_person_who_is_absent_returns_as_after_any_absence() -> None:
    table = two()
    act(table, 0, 18 * SECOND)
    assert manage(table, "skip", 19 * SECOND, seat=1) == "ack"  # silent for 19 s
    act(table, 0, 19 * SECOND)
    assert table.episode.period == 2
    assert table.seats[1].occupant == "policy"
    table.hear(1, 20 * SECOND)
    act(table, 0, 20 * SECOND)
    assert table.seats[1].occupant == "person"


def test_an_excluded_person_is_paid_nothing_and_a_stand_in_plays_on() -> None:
    table = started([0, 1])
    table.manage(Directive("exclude", "x", 1), 5 * SECOND)
    assert (table.status(1), table.seats[1].occupant) == ("excluded", "policy")
    assert table.parted(1)
    named = [row["event"] for row in table.rows if row["kind"] == "event"]
    assert named[-3:] == ["excluded", "handed", "released"]
    reread = Table.from_json(table.setup, table.to_json())
    assert reread.status(1) == "excluded"
