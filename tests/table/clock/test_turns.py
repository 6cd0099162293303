"""Turns on a clock last exactly as long as configured, however often the table is advanced."""

from __future__ import annotations

import pytest

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.table.options import Options
from mixed_company.table.setup import Setup, resolve, session_config
from mixed_company.table.table import Table
from tests.table.clock.tables import DOWN, LEFT, NOOP, RIGHT, UP, clock, press, settled, vote
from tests.table.plays import SECOND, act, events, reopened, rows, started, view, whole

# -- the end of a turn -------------------------------------------------------------------------


def test_a_turn_does_not_end_when_everybody_has_decided_but_when_its_time_is_up() -> None:
    table = clock([0, 1])
    act(table, 0, 500)
    act(table, 1, 600)
    assert len(table.decided) == 4
    table.advance(1999)
    assert (table.episode.period, settled(table)) == (0, [])
    table.advance(2000)
    assert (table.episode.period, settled(table)) == (1, [2000])
    assert table.period_ms == 2000


def test_a_turn_is_settled_at_its_own_time_whenever_the_table_is_asked() -> None:
    table = clock([0])
    act(table, 0, 300)
    table.advance(3700)
    row = rows(table, "period")[0]
    assert (row["shown_ms"], row["at_ms"], table.period_ms) == (0, 2000, 2000)
    assert table.deadline_ms == 4000


def test_a_message_at_the_very_end_belongs_to_the_next_turn() -> None:
    table = clock([0])
    table.hear(0, 2000)
    assert table.episode.period == 1
    assert act(table, 0, 2000, period=0)["kind"] == "refused"
    assert act(table, 0, 2000, period=1)["kind"] == "ack"


def test_an_early_tick_settles_nothing() -> None:
    table = clock([0, 1])
    act(table, 0, 100)
    before = whole(table)
    for now in (100, 900, 1999):
        table.advance(now)
        assert whole(table) == before
    table.hear(1, 1999)
    assert (table.episode.period, table.period_ms, settled(table)) == (0, 0, [])


def test_turns_are_timed_from_the_start_and_the_clock_does_not_run_before() -> None:
    game = engine.make("punishment_vote", archetype="source", turns=3)
    options = Options(pace="clock", decision_seconds=0.5, bots="forager", grace_seconds=20)
    setup = Setup(config=game.config.model_dump(mode="json"), options=options)
    table = Table.open(setup, [0, 1], seed=7, now=0)
    table.hear(0, 0)
    refused = press(table, 0, 900, UP)
    assert (refused["kind"], refused["reason"]) == ("refused", "the game has not started yet")
    table.advance(10_000)
    assert table.rows[-1]["kind"] != "period"
    table.hear(1, 10_130)
    table.advance(60_000)
    assert settled(table) == [10_630, 11_130, 11_630]


def test_unattended_turns_are_settled_one_by_one_each_at_its_own_time() -> None:
    table = vote([0, 1], 0.25, {"turns": 40}, grace_seconds=600)
    table.advance(3600 * SECOND)
    assert settled(table) == [250 * turn for turn in range(1, 41)]
    assert [row["shown_ms"] for row in rows(table, "period")] == [250 * turn for turn in range(40)]
    assert [row["period"] for row in rows(table, "period")] == list(range(40))
    assert (table.episode.done, table.episode.reason) == (True, "horizon")
    assert events(table, "takeover") == []


def test_a_turn_lasts_a_whole_number_of_milliseconds_so_errors_do_not_add_up() -> None:
    table = clock([0], 1 / 3, grace_seconds=600)
    table.advance(1500)
    assert settled(table) == [333, 666, 999, 1332]


# -- the frequency of requests -----------------------------------------------------------------


def walked(pauses: list[int]) -> Table:
    """Play two people and a slow bot; the second person goes silent and comes back.

    The table is stored and advanced at each of these pauses, and the messages are the same.
    """
    sent = {900: (0, UP), 1400: (0, 5), 1500: (0, LEFT), 2600: (1, RIGHT), 3400: (1, 4)}
    sent[15_300] = (0, DOWN)
    heard = {9000: 0, 14_100: 1}
    table = vote([0, 1], 1.5, {"turns": 14}, grace_seconds=10, bot_delay="fixed:seconds=1")
    for now in sorted({*pauses, *sent, *heard}):
        log, table = table.rows, reopened(table)
        table.rows = log
        if now in sent:
            chair, action = sent[now]
            assert press(table, chair, now, action, period=now // 1500)["kind"] == "ack"
        elif now in heard:
            table.hear(heard[now], now)
        else:
            table.advance(now)
    return table


@pytest.mark.parametrize(
    "pauses",
    [
        list(range(0, 30_000, 100)),
        list(range(0, 30_000, 1500)),
        list(range(750, 30_000, 1500)),
        [1499, 1501, 13_399, 13_400, 13_401, 29_999],
    ],
)
def test_it_does_not_matter_how_often_the_table_is_asked(pauses: list[int]) -> None:
    once, often = walked([30_000]), walked([*pauses, 30_000])
    assert whole(often) == whole(once)
    assert settled(once) == [1500 * turn for turn in range(1, 15)]
    assert [row["sent"]["action"][0] for row in rows(once, "period")[:3]] == [5, LEFT, NOOP]
    assert [row["sent"]["action"][1] for row in rows(once, "period")[:3]] == [NOOP, RIGHT, 4]
    assert [(row["seat"], row["at_ms"]) for row in events(once, "takeover")] == [(1, 13_400)]


def test_a_long_absence_is_settled_in_portions_that_end_where_a_single_one_ends() -> None:
    whole_go, portions = vote([0, 1], core={"turns": 40}), vote([0, 1], core={"turns": 40})
    assert whole_go.advance(61_000)
    rounds = 0
    while not portions.advance(61_000, max_periods=7):
        rounds += 1
        assert portions.episode.period == 7 * rounds
    assert rounds == 4  # 30 turns are due
    assert whole(portions) == whole(whole_go)


def test_a_portion_that_is_enough_says_so() -> None:
    table = vote([0, 1])
    assert table.advance(14_000, max_periods=7)
    assert table.episode.period == 7
    assert table.advance(14_000, max_periods=0)


# -- settings, and other paces -----------------------------------------------------------------

SHIPPED = session_config("commons", "commons_game", "lab")


@pytest.mark.parametrize("seconds", [0, 0.1, 0.249])
def test_a_clock_needs_turns_that_a_person_can_follow(seconds: float) -> None:
    with pytest.raises(ConfigError, match="pace is clock") as refusal:
        resolve("commons_game", {**SHIPPED, "pace": "clock", "decision_seconds": seconds}, SHIPPED)
    assert f"decision_seconds = {float(seconds)}: should be at least 0.25 if pace is clock" in str(
        refusal.value
    )


@pytest.mark.parametrize("seconds", [0.25, 1.5, 86_400])
def test_a_clock_may_be_slow_or_as_fast_as_a_person_can_follow(seconds: float) -> None:
    config = {**SHIPPED, "pace": "clock", "decision_seconds": seconds}
    setup, written = resolve("commons_game", config, SHIPPED)
    assert setup.options.by_clock
    assert (written["pace"], written["decision_seconds"]) == ("clock", seconds)


def test_an_unknown_pace_is_refused_by_name() -> None:
    with pytest.raises(ConfigError, match="pace"):
        resolve("commons_game", {**SHIPPED, "pace": "turbo"}, SHIPPED)


def test_if_answers_set_the_pace_the_first_choice_counts_and_is_shown() -> None:
    assert Options().pace == SHIPPED["pace"] == "answers"
    table = started([0, 1], decision_seconds=2)
    act(table, 0, 100, harvest=1)
    refused = act(table, 0, 200, id="second", harvest=5)
    assert refused["reason"] == "you have already made your decision"
    shown = view(table, 1, 200)
    assert [seat["decided"] for seat in shown["seats"]] == [True, False, True, True]
    assert [view(table, seat, 200)["phase"] for seat in (0, 1)] == ["waiting", "decide"]
    act(table, 1, 700)
    assert (settled(table), table.period_ms) == ([700], 700)
    assert rows(table, "period")[0]["sent"]["harvest"][0] == 1.0
    table.advance(2700)
    assert settled(table) == [700, 2700]
