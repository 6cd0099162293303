"""Clock of the table: all due events are settled in order, each at its own time."""

from __future__ import annotations

import copy

import pytest

from mixed_company.table.journal import HAPPENED
from tests.table.plays import SECOND, act, events, open_table, reopened, rows, started, view


def test_the_play_starts_when_the_last_person_connects():
    table = open_table([0, 2])
    table.hear(0, 1 * SECOND)
    assert view(table, 0, 1 * SECOND)["phase"] == "waiting"
    table.hear(2, 5 * SECOND)
    assert table.started_ms == 5 * SECOND
    assert view(table, 0, 5 * SECOND)["phase"] == "decide"


@pytest.mark.parametrize(("dropout", "begins"), [("bot", 30), ("reduced", 90)])
def test_a_person_who_never_comes_does_not_cost_the_others_two_timeouts(dropout, begins):
    """A decision has 45 s and the grace period is 90 s. A stand-in plays after 30 s and gives the
    seat back. If the seat would be out permanently, the table waits as it does for any silent
    person."""
    table = open_table([0, 2], decision_seconds=45, grace_seconds=90, dropout=dropout)
    for second in range(0, begins, 3):
        table.hear(0, second * SECOND)
        assert table.started_ms is None
    table.hear(0, begins * SECOND)
    assert table.started_ms == begins * SECOND
    assert table.seats[2].occupant == {"bot": "policy", "reduced": "nobody"}[dropout]
    table.hear(2, (begins + 1) * SECOND)
    assert table.seats[2].returning == (dropout == "bot")


def test_the_play_starts_without_those_who_never_come_after_the_grace_time():
    table = open_table([0, 2], grace_seconds=20)
    table.hear(0, 19 * SECOND)
    table.advance(30 * SECOND)
    assert table.started_ms == 20 * SECOND
    assert table.seats[2].occupant == "policy"
    assert table.seats[0].occupant == "person"


def test_a_slow_bot_settles_the_period_at_its_own_time_whenever_the_table_is_asked():
    table = started([0], bot_delay="fixed:seconds=6")
    act(table, 0, 2 * SECOND)
    table.advance(5 * SECOND)
    assert table.episode.period == 0
    table.advance(40 * SECOND)
    assert rows(table, "period")[0]["at_ms"] == 6 * SECOND
    assert table.period_ms == 6 * SECOND


def test_missed_deadlines_are_settled_one_by_one_at_their_own_times():
    table = started([0], decision_seconds=10, grace_seconds=600)
    table.advance(35 * SECOND)
    assert [row["at_ms"] for row in rows(table, "period")] == [
        10 * SECOND,
        20 * SECOND,
        30 * SECOND,
    ]
    assert [row["seats"][0]["by"] for row in rows(table, "period")] == ["default"] * 3
    assert [row["sent"]["harvest"][0] for row in rows(table, "period")] == [0.0] * 3


@pytest.mark.parametrize("pauses", [[70], [7, 14, 21, 28, 35, 42, 49, 56, 63, 70]])
def test_it_does_not_matter_how_often_the_table_is_asked(pauses):
    table = started([0, 1], decision_seconds=9, grace_seconds=20, bot_delay="fixed:seconds=4")
    act(table, 0, 1 * SECOND, harvest=5)
    for second in pauses:
        table = keep_rows(table, second * SECOND)
    happened = [(row["kind"], row["at_ms"]) for row in table.rows if row["kind"] in HAPPENED]
    assert happened == EXPECTED_ROWS


EXPECTED_ROWS = [
    # opened at 0; seats 0 and 1 are people, 2 and 3 bots that take 4 s; a decision has 9 s
    ("start", 0),
    *[("seat", 0)] * 4,
    ("period", 9000),  # seat 1 did not decide
    ("period", 18000),  # neither seat decided
    # silent since 1 s and 0 s: stand-ins take the seats after 20 s and answer at +4 s
    ("seat", 20000),
    ("event", 20000),
    ("seat", 21000),
    ("event", 21000),
    # period 2 began at 18 s; the second stand-in answers at 25 s
    ("period", 25000),
    *[("period", 25000 + 4000 * n) for n in range(1, 12)],
]


def keep_rows(table, now):  # type: ignore[no-untyped-def]
    """Save and load the table, then let time pass. The log continues."""
    log = table.rows
    again = reopened(table)
    again.rows = log
    again.advance(now)
    return again


def test_without_a_time_limit_the_table_waits_for_its_people():
    table = started([0], decision_seconds=0)
    for second in range(0, 3600, 5):
        table.hear(0, second * SECOND)
    assert table.episode.period == 0
    assert view(table, 0, 3600 * SECOND)["remaining_ms"] is None


def test_a_bot_never_answers_after_the_deadline():
    table = started([0], decision_seconds=5, bot_delay="fixed:seconds=60")
    act(table, 0, 1 * SECOND)
    table.advance(5 * SECOND)
    assert rows(table, "period")[0]["at_ms"] == 5 * SECOND
    assert [who["by"] for who in rows(table, "period")[0]["seats"]] == ["person"] + ["policy"] * 3


def test_thinking_times_are_drawn_from_the_seed_and_logged():
    first = started([0], bot_delay="lognormal:median=2;sigma=0.5")
    second = started([0], bot_delay="lognormal:median=2;sigma=0.5")
    assert first.answers == second.answers
    delays = [answer.delay_ms for answer in first.answers.values()]
    assert len(set(delays)) == 3
    act(first, 0, 1 * SECOND)
    first.advance(60 * SECOND)
    assert [who["delay_ms"] for who in rows(first, "period")[0]["seats"]][1:] == delays


def test_asking_for_a_view_changes_nothing():
    table = started([0, 1])
    before = copy.deepcopy(table.to_json())
    view(table, 0, 3 * SECOND)
    view(table, 1, 99 * SECOND)
    assert table.to_json() == before


def test_a_whole_play_of_bots_ends_and_says_why():
    table = open_table([0], grace_seconds=10, dropout_bot="greedy", bots="greedy")
    table.advance(3600 * SECOND)
    assert table.episode.reason == "collapse"
    assert len(rows(table, "period")) == 3
    assert events(table, "collapse")[0]["stock"] == pytest.approx(8.33536)
    assert view(table, 0, 3600 * SECOND)["phase"] == "over"


def test_a_view_breaks_the_last_period_down_for_its_own_seat():
    # 40 fish, and four seats request 20 each (the maximum): each gets half.
    table = started(
        [0], core={"initial_stock": 40, "max_harvest": 20, "collapse_stock": 0}, bots="greedy"
    )
    assert view(table, 0, 0)["last"] is None
    act(table, 0, 1 * SECOND, harvest=20)
    assert view(table, 0, 1 * SECOND)["last"] == {
        "reward": 10.0,
        "components": {"harvest": 10.0, "contribution": 0.0},
        "used": {"harvest": 20.0, "contribution": 0.0},
        "by": "person",
    }


def test_a_view_says_when_a_period_was_played_without_the_person():
    table = started([0], decision_seconds=10)
    table.advance(10 * SECOND)
    assert view(table, 0, 10 * SECOND)["last"]["by"] == "default"
