"""Practice: some periods of the session's game, alone with bots. Nobody waits, and nothing
counts."""

from __future__ import annotations

from typing import Any

import pytest

from mixed_company import engine
from mixed_company.server.open.practices import open_practice, practice_seat, practice_seed
from mixed_company.table.options import Options
from mixed_company.table.protocol import Message
from mixed_company.table.seating import play_seed
from mixed_company.table.setup import Setup
from mixed_company.table.table import Table
from mixed_company.table.view import view
from tests.table.plays import rows, setup

GAMES = engine.game_ids()
DAY = 86_400_000


def practised(game_id: str, periods: int = 2, people: int = 1, **changes: Any) -> Setup:
    """Return a session of a game with practice, and with time limits that could run out."""
    config = engine.make(game_id, archetype="lab", **changes).config
    options = Options(
        bots="random",
        bot_delay="lognormal:median=5;sigma=0.5",
        people_per_group=people,
        decision_seconds=5.0,
        ready=True,
        countdown_seconds=3.0,
        practice_periods=periods,
    )
    return Setup(config=config.model_dump(mode="json"), options=options)


def decide(table: Table, seat: int, now: int) -> dict[str, Any]:
    """Send the default action for a person."""
    period = table.episode.period
    action = table.episode.allowed(seat).default_action()
    return table.act(seat, Message("act", f"{period} {now}", period, action), now).to_json()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_person_practises_alone_and_nobody_is_awaited(game_id: str) -> None:
    """Bots answer as soon as they are asked, so the next period begins at the same moment."""
    whole = practised(game_id)
    seat = practice_seat(whole, "abc")
    table = open_practice(whole, "abc", now=0)
    assert table.people == [seat]
    for period in range(2):
        shown = view(table, seat, 0)
        assert (shown.period, shown.phase, shown.remaining_ms) == (period, "decide", None)
        assert decide(table, seat, 0)["kind"] == "ack"
    assert view(table, seat, 0).phase == "over"
    assert table.over
    assert not table.episode.done
    assert table.episode.period == table.seats[seat].periods == 2
    assert decide(table, seat, 0)["reason"] == "the game is over"


@pytest.mark.parametrize("dropout", ["bot", "reduced", "pause", "end"])
def test_no_time_runs_out_in_a_practice(dropout: str) -> None:
    """A person who is away for a day finds the period unchanged."""
    whole = setup(practice_periods=3, decision_seconds=1.0, grace_seconds=10.0, dropout=dropout)
    table, seat = open_practice(whole, "abc", now=0), practice_seat(whole, "abc")
    table.advance(DAY)
    assert (table.episode.period, view(table, seat, DAY).phase) == (0, "decide")
    table.hear(seat, DAY)
    table.advance(2 * DAY)
    assert (table.episode.period, view(table, seat, 2 * DAY).phase) == (0, "decide")
    assert decide(table, seat, 2 * DAY)["kind"] == "ack"
    assert table.episode.period == 1
    assert [row["reason"] for row in rows(table, "seat")] == ["seated"] * 4


def test_a_turn_by_the_clock_is_over_when_the_person_has_chosen() -> None:
    """Turns would end after 5 s on the play's clock, and not before."""
    whole = practised("punishment_vote")
    clock = whole.options.model_copy(update={"pace": "clock"})
    whole = Setup(config=whole.config, options=clock)
    table, seat = open_practice(whole, "abc", now=0), practice_seat(whole, "abc")
    table.advance(DAY)
    assert table.episode.period == 0
    decide(table, seat, DAY)
    assert table.episode.period == 1


def test_in_a_play_in_turns_the_bots_before_and_after_decide_immediately() -> None:
    whole = practised("commons_game", agents={"timing": "sequential"})
    table, seat = open_practice(whole, "abc", now=0), practice_seat(whole, "abc")
    for period in range(2):
        assert (table.episode.period, table.episode.turn) == (period, seat)
        decide(table, seat, 0)
    assert table.over


def test_a_practice_is_no_longer_than_the_play() -> None:
    whole = setup(core={"periods": 1}, practice_periods=10)
    table, seat = open_practice(whole, "abc", now=0), practice_seat(whole, "abc")
    decide(table, seat, 0)
    assert table.episode.done
    assert table.over


def test_a_practice_reveals_nothing_about_the_play() -> None:
    """Practice seeds depend only on the participant's code, and no group has the same seed."""
    seeds = [practice_seed(f"code{n}") for n in range(100)]
    assert len(set(seeds)) == 100
    assert all(0 <= seed < 2**53 for seed in seeds)
    assert not set(seeds) & {play_seed(session, n) for session in (0, 7) for n in range(1, 101)}
    whole = practised("gem_mining")
    other = Setup(
        config={**whole.config, "identity": {**whole.config["identity"], "seed": 99}},
        options=whole.options,
    )
    first, second = (open_practice(setup, "abc", now=0).episode for setup in (whole, other))
    assert first.seed == second.seed == practice_seed("abc")


def test_in_the_practice_other_bots_play_than_in_the_game() -> None:
    """By default they choose at random, so nobody learns how the game's bots choose."""
    whole = practised("commons_game").changed(
        options=Options(bots="noisy_person", practice_periods=2)
    )
    table = open_practice(whole, "abc", now=0)
    assert {chair.policy_id for chair in table.seats if not chair.owner} == {"random"}
    named = whole.changed(options=Options(bots="random", practice_bots="noisy_person,random"))
    others = [chair.policy_id for chair in open_practice(named, "abc", 0).seats if not chair.owner]
    assert others == ["noisy_person", "random", "noisy_person"]


def test_people_are_seated_anywhere_and_in_the_same_seat_when_the_practice_restarts() -> None:
    """With 200 people in 4 seats, each seat is taken at least once."""
    whole = setup(practice_periods=2)
    seats = [practice_seat(whole, f"code{n}") for n in range(200)]
    assert set(seats) == {0, 1, 2, 3}
    assert seats == [practice_seat(whole, f"code{n}") for n in range(200)]


@pytest.mark.parametrize(("people", "seats"), [(1, {0}), (2, {0, 1}), (4, {0, 1, 2, 3})])
def test_a_session_whose_people_have_the_first_seats_practises_in_them(people, seats) -> None:
    """Villages in gem mining differ, so people who practised in another village would learn about
    the wrong mines."""
    whole = practised("gem_mining", people=people)
    first = whole.options.model_copy(update={"people_seats": "first"})
    whole = whole.changed(options=first)
    assert {practice_seat(whole, f"code{n}") for n in range(100)} == seats


def test_the_play_itself_keeps_its_length() -> None:
    whole = setup(core={"periods": 3}, practice_periods=1, decision_seconds=0.0)
    table = Table.open(whole, [0], seed=7, now=0)
    table.hear(0, 0)
    for _ in range(3):
        assert not table.over
        decide(table, 0, 0)
    assert table.episode.done
