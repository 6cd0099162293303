"""Slow connections: a key press in time counts even if its message arrives after the time is up.

A view takes 1 s to arrive and so does a decision, so a round trip takes 2,000 ms: the page shows
the end of the time at the right moment, and a press just before it arrives 1,000 ms later. The
table waits one step of 50 ms more: 1,050.
"""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company.table import timing
from mixed_company.table.directives import Directive
from mixed_company.table.table import Table
from tests.table.layered import IN_TURN, begun
from tests.table.plays import SECOND, act, events, rows, started, view

TRIP, WAIT = 2 * SECOND, 1050
CLOCK: dict[str, Any] = {"pace": "clock", "decision_seconds": 1.5}


def slow(people: list[int], seat: int = 0, trip: int = TRIP, **options: Any) -> Table:
    """Return a table in its period 1, which began at 2 s. One person's connection has been slow
    since then."""
    table = started(people, **options)
    table.time_line(seat, trip, 100)
    if table.options.by_clock:
        table.advance(1500)
    for person in [] if table.options.by_clock else people:
        act(table, person, 2 * SECOND)
    assert table.episode.period == 1
    return table


def settled(table: Table) -> list[int]:
    return [row["at_ms"] for row in rows(table, "period")]


def by(table: Table, period: int) -> list[str]:
    return [seat["by"] for seat in rows(table, "period")[period]["seats"]]


@pytest.mark.parametrize(
    ("round_trip", "waits"),
    [(0, 0), (198, 0), (199, 150), (200, 150), (201, 200), (410, 300), (2000, 1050), (9000, 1500)],
)
def test_a_play_waits_for_one_way_of_a_slow_line_and_one_more_step(round_trip, waits):
    assert timing.line_ms(round_trip, 1500) == waits


@pytest.mark.parametrize(
    ("line", "decision", "longest"),
    [(1.5, 45.0, 1500), (1.5, 0.5, 500), (0.0, 45.0, 0), (1.5, 0.0, 0)],
)
def test_the_wait_is_no_longer_than_the_session_allows_or_than_a_decision(line, decision, longest):
    assert timing.longest_line_ms(line, decision) == longest


def test_by_the_clock_a_turn_of_a_second_and_a_half_counts_keys_pressed_in_time():
    table = slow([0], **CLOCK)
    pressed = 3000 - 1  # the turn lasts from 1,500 to 3,000, also on the page
    assert act(table, 0, pressed + SECOND, harvest=3)["kind"] == "ack"
    table.advance(3000 + WAIT)
    assert settled(table) == [1500, 3000 + WAIT]
    assert table.last is not None
    assert table.last.used["harvest"][0] == 3.0
    assert by(table, 1)[0] == "person"


def test_by_the_clock_the_last_choice_in_time_counts_even_after_another_one():
    table = slow([0], **CLOCK)
    act(table, 0, 2600, harvest=1, id="first")
    act(table, 0, 3900, harvest=2, id="second")
    table.advance(3000 + WAIT)
    assert rows(table, "period")[1]["sent"]["harvest"][0] == 2.0


def test_a_message_later_than_a_timely_key_would_be_does_not_count():
    table = slow([0], **CLOCK)
    answer = act(table, 0, 3000 + WAIT, period=1)
    assert (answer["kind"], answer["period"]) == ("refused", 2)
    assert by(table, 1)[0] == "default"


def test_a_timely_decision_counts_if_all_answer_and_ends_the_wait_immediately():
    """The time limit of 10 s starts at 2 s, and the other person is silent."""
    table = slow([0, 2], decision_seconds=10)
    assert act(table, 0, 12 * SECOND + 900)["kind"] == "ack"
    assert settled(table) == [2 * SECOND, 12 * SECOND + 900]
    assert by(table, 1) == ["person", "policy", "default", "policy"]


def test_nobody_waits_for_a_slow_line_once_everybody_has_decided():
    table = slow([0, 2], decision_seconds=10)
    act(table, 0, 3 * SECOND)
    act(table, 2, 4 * SECOND)
    assert settled(table) == [2 * SECOND, 4 * SECOND]


def test_nobody_waits_once_the_person_on_the_slow_line_has_decided():
    table = slow([0, 2], decision_seconds=10)
    act(table, 0, 3 * SECOND)
    table.advance(12 * SECOND)
    assert settled(table) == [2 * SECOND, 12 * SECOND]


def test_a_silent_person_on_a_slow_line_is_awaited_once_in_a_period():
    table = slow([0], decision_seconds=10)
    table.advance(12 * SECOND + WAIT - 1)
    assert settled(table) == [2 * SECOND]
    table.advance(12 * SECOND + WAIT)
    assert settled(table) == [2 * SECOND, 12 * SECOND + WAIT]
    assert rows(table, "period")[1]["seats"][0]["at_ms"] == 12 * SECOND + WAIT


def test_a_slow_page_gains_no_more_than_the_session_allows():
    table = slow([0], trip=40 * SECOND, decision_seconds=10, line_seconds=0.5)
    table.advance(12 * SECOND + 500)
    assert settled(table) == [2 * SECOND, 12 * SECOND + 500]


def test_with_line_seconds_0_nobody_waits():
    table = slow([0], line_seconds=0, **CLOCK)
    table.advance(3000)
    assert settled(table) == [1500, 3000]
    assert rows(table, "line") == events(table, "slow_line") == []


def test_a_measurement_applies_from_the_next_period_until_the_next_measurement():
    table = started([0], **CLOCK)
    table.time_line(0, TRIP, 100)
    table.advance(1500)
    table.time_line(0, 20, 1600)
    table.advance(3000 + WAIT)
    table.advance(3000 + WAIT + 1500)
    assert settled(table) == [1500, 3000 + WAIT, 3000 + WAIT + 1500]
    measured = [(row["period"], row["at_ms"], row["wait_ms"]) for row in events(table, "slow_line")]
    assert measured == [(1, 1500, WAIT), (2, 3000 + WAIT, 0)]


def test_meanwhile_the_page_shows_no_remaining_time_and_no_decisions_of_others():
    table = slow([0, 2], decision_seconds=10)
    act(table, 2, 3 * SECOND, harvest=7)
    before, after = (view(table, 0, time_ms) for time_ms in (11 * SECOND, 12 * SECOND + 500))
    assert (after["remaining_ms"], after["phase"]) == (0, "decide")
    assert {**after, "remaining_ms": 0} == {**before, "remaining_ms": 0}


def test_in_turn_only_the_turn_of_the_person_on_the_slow_line_is_longer():
    """Each seat has 10 s. Seats 2 and 0 are silent people, and bots in 1 and 3 answer at once."""
    table = begun([0, 2], agents=IN_TURN, decision_seconds=10, grace_seconds=600)
    table.time_line(0, TRIP, 0)
    table.time_line(2, TRIP, 0)
    table.advance(10 * SECOND)
    assert table.episode.turn == 0  # the turn of seat 2 had begun before
    answer = act(table, 0, 20 * SECOND + 900)
    assert answer["kind"] == "ack"
    decided = [seat["at_ms"] for seat in rows(table, "period")[0]["seats"]]
    assert decided == [20_900, 20_900, 10_000, 20_900]
    table.advance(60 * SECOND)
    decided = [seat["at_ms"] for seat in rows(table, "period")[1]["seats"]]
    assert [decided[seat] - 20_900 for seat in (2, 0)] == [10_000 + WAIT, 20_000 + 2 * WAIT]


def test_a_stand_in_that_takes_over_meanwhile_decides_immediately():
    """The person was last heard from at 2 s, so the grace period ends at 12.5 s, during the
    wait."""
    table = slow([0], decision_seconds=10, grace_seconds=10.5, bot_delay="fixed:seconds=2")
    table.advance(13 * SECOND)
    assert [row["at_ms"] for row in events(table, "takeover")] == [12_500]
    assert settled(table)[1] == 12_500


def test_a_seat_handed_to_a_stand_in_meanwhile_is_decided_immediately():
    table = slow([0, 2], decision_seconds=10)
    table.manage(Directive("stand_in", "m1", seat=0), 12 * SECOND + 300)
    assert settled(table) == [2 * SECOND, 12 * SECOND + 300]
    times = [row["at_ms"] for row in table.rows if row["kind"] != "seen"]
    assert times == sorted(times)
