"""Tables that the manager pauses or gives more time, and plays and parts that the manager ends."""

from __future__ import annotations

from tests.table.managing.tables import DAY, manage, two
from tests.table.plays import SECOND, act, open_table, rows, view

# -- pauses ---------------------------------------------------------------------------------------


def test_nothing_happens_at_a_paused_table_and_nobody_can_decide() -> None:
    table = two()
    manage(table, "pause", 5 * SECOND)
    assert table.clock_ms(DAY) == 5 * SECOND
    assert act(table, 0, 5 * SECOND)["reason"] == "the game is paused"
    shown = view(table, 0, 5 * SECOND)
    assert (shown["phase"], shown["paused"], shown["remaining_ms"]) == ("waiting", True, None)
    table.advance(DAY)
    assert table.episode.period == 0


def test_after_a_pause_everybody_has_the_remaining_time() -> None:
    # 20 s per decision, of which 5 s are gone when the clock is stopped for 100 s: 15 s are left
    table = two()
    manage(table, "pause", 5 * SECOND)
    assert table.stands_ms(105 * SECOND) == 100 * SECOND
    manage(table, "go_on", 5 * SECOND, ms=100 * SECOND)
    assert table.clock_ms(105 * SECOND) == 5 * SECOND
    assert view(table, 0, table.clock_ms(106 * SECOND))["remaining_ms"] == 14 * SECOND
    assert act(table, 0, table.clock_ms(110 * SECOND))["kind"] == "ack"
    table.advance(table.clock_ms(120 * SECOND))
    assert rows(table, "period")[0]["at_ms"] == 20 * SECOND
    assert table.seats[1].occupant == "person"  # nobody was silent, because no time had passed
    assert [row["event"] for row in rows(table, "event")][:2] == ["paused", "resumed"]


def test_a_play_that_was_paused_before_its_start_begins_after_the_pause() -> None:
    table = open_table([0], grace_seconds=60)
    manage(table, "pause", 1 * SECOND)
    table.hear(0, 1 * SECOND)
    assert table.started_ms is None
    manage(table, "go_on", 1 * SECOND, ms=DAY)
    assert table.started_ms == 1 * SECOND


# -- more time ------------------------------------------------------------------------------------


def test_more_time_applies_to_the_open_decision_and_not_to_the_next_one() -> None:
    table = two()
    assert manage(table, "extend", 18 * SECOND, ms=30 * SECOND) == "ack"
    assert view(table, 0, 18 * SECOND)["remaining_ms"] == 32 * SECOND
    assert act(table, 0, 45 * SECOND)["kind"] == "ack"
    table.hear(1, 45 * SECOND)
    table.advance(50 * SECOND)
    assert table.episode.period == 1
    assert table.deadline_ms == 70 * SECOND


def test_a_policy_keeps_the_time_with_which_it_started() -> None:
    # the bots think for 30 s and have 20 s: they decide at 20 s, although 10 s were added at 5 s
    table = two(bot_delay="fixed:seconds=30")
    manage(table, "extend", 5 * SECOND, ms=10 * SECOND)
    table.advance(30 * SECOND)
    seats = rows(table, "period")[0]["seats"]
    assert [seat["at_ms"] for seat in seats] == [30_000, 30_000, 20_000, 20_000]


# -- ends of plays and parts ----------------------------------------------------------------------


def test_a_play_that_is_ended_is_over_for_everybody_and_earnings_are_kept() -> None:
    table = two()
    act(table, 0, 1 * SECOND, harvest=5)
    act(table, 1, 1 * SECOND, harvest=5)
    assert manage(table, "end", 2 * SECOND) == "ack"
    assert (table.over, table.episode.done) == (True, False)
    assert [table.status(seat) for seat in (0, 1)] == ["ended", "ended"]
    assert table.seats[0].points == 5.0
    shown = view(table, 0, 2 * SECOND)
    assert (shown["phase"], shown["ended"]["reason"]) == ("over", "ended")
    assert act(table, 0, 3 * SECOND)["reason"] == "the game is over"
    table.advance(DAY)
    assert table.episode.period == 1


def test_the_clock_of_a_play_that_is_ended_during_a_pause_stays_where_it_is() -> None:
    table = two()
    manage(table, "pause", 5 * SECOND)
    assert manage(table, "end", table.clock_ms(25 * SECOND)) == "ack"
    assert table.clock_ms(26 * SECOND) == 5 * SECOND
    shown = view(table, 0, 5 * SECOND)
    assert (shown["phase"], shown["ended"]["reason"]) == ("over", "ended")
    assert "paused" not in shown


def test_a_released_person_keeps_the_earnings_and_the_others_play_on() -> None:
    table = two()
    act(table, 0, 1 * SECOND, harvest=5)
    act(table, 1, 1 * SECOND, harvest=5)
    assert manage(table, "release", 2 * SECOND, seat=1) == "ack"
    assert view(table, 1, 2 * SECOND)["phase"] == "over"
    assert view(table, 1, 2 * SECOND)["ended"]["reason"] == "released"
    assert act(table, 1, 2 * SECOND)["reason"] == "the game is over"
    act(table, 0, 3 * SECOND)
    assert table.episode.period == 2
    assert (table.status(0), table.status(1)) == ("seated", "released")
    assert table.seats[1].points == 5.0
    assert table.seats[1].seat_points > 5.0


def test_when_the_last_person_is_released_the_play_ends() -> None:
    table = two()
    manage(table, "release", 2 * SECOND, seat=0)
    assert not table.over
    manage(table, "release", 3 * SECOND, seat=1)
    assert table.over
    assert [row["event"] for row in rows(table, "event")] == [
        *("handed", "released", "handed", "released", "ended")
    ]


def test_an_ended_play_also_ends_for_people_whom_the_manager_replaced() -> None:
    """Only a person who leaves counts as having left. Handing the seat to a stand-in does not."""
    table = two()
    manage(table, "stand_in", 1 * SECOND, seat=0)
    manage(table, "end", 2 * SECOND)
    assert [table.status(seat) for seat in (0, 1)] == ["ended", "ended"]
    silent = two(grace_seconds=10)
    for second in range(1, 13):
        silent.hear(0, second * SECOND)
    assert silent.seats[1].occupant == "policy"
    manage(silent, "end", 13 * SECOND)
    assert [silent.status(seat) for seat in (0, 1)] == ["ended", "left"]


def test_a_person_released_while_a_stand_in_plays_is_not_asked_again() -> None:
    table = two()
    manage(table, "stand_in", 1 * SECOND, seat=1)
    assert view(table, 1, 1 * SECOND)["called"] is True
    manage(table, "release", 2 * SECOND, seat=1)
    chair = table.seats[1]
    assert (chair.called, chair.held, chair.returning, chair.released) == (*[False] * 3, True)
