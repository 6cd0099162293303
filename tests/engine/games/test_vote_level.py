"""Votes in the punishment vote: their effect on the level and their cost, worked out by hand (with
`three` from `votes.py`).
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine import Episode
from tests.engine.games.votes import (
    LEFT,
    LESS,
    MORE,
    NOOP,
    RIGHT,
    TIMINGS,
    lane,
    parts,
    three,
    turn,
    turn_of_many,
    votes,
)


@pytest.mark.parametrize("timing", TIMINGS)
@pytest.mark.parametrize(
    ("level", "actions", "after"),
    [
        (0.5, (MORE, NOOP, NOOP), 0.75),
        (0.5, (NOOP, NOOP, LESS), 0.25),
        (0.5, (MORE, MORE, LESS), 0.75),
        (0.5, (MORE, LESS, NOOP), 0.5),
        (0.25, (MORE, MORE, MORE), 1.0),
        (0.5, (NOOP, RIGHT, LEFT), 0.5),
        # 0.875 + 0.25 = 1.125, cut to 1; 0.125 - 0.75 = -0.625, cut to 0.
        (0.875, (NOOP, MORE, NOOP), 1.0),
        (0.125, (LESS, LESS, LESS), 0.0),
        (1.0, (MORE, NOOP, NOOP), 1.0),
        (0.0, (LESS, NOOP, NOOP), 0.0),
    ],
)
def test_votes_move_the_level_within_zero_and_one(timing, level, actions, after):
    game, state = three("...", timing=timing, level=level)
    reached, _ = turn(game, state, *actions)
    assert reached["level"] == after


def test_together_votes_are_added_up_before_the_level_is_clamped():
    # 0.9375 + 0.25 * (2 - 1) = 1.1875, cut to 1. One after the other, each cut immediately:
    # 1, 1, 0.75 - or, with the decrease first, 0.6875, 0.9375, 1.
    game, state = three("...", level=0.9375)
    assert turn(game, state, MORE, MORE, LESS)[0]["level"] == 1.0
    assert turn(game, state, LESS, MORE, MORE)[0]["level"] == 1.0
    game, state = three("...", level=0.9375, timing="sequential")
    assert turn(game, state, MORE, MORE, LESS)[0]["level"] == 0.75
    assert turn(game, state, LESS, MORE, MORE)[0]["level"] == 1.0


def test_the_source_starts_at_a_tenth_and_votes_move_it_by_a_fifth():
    episode = Episode(votes())
    assert float(episode.observations["level"]) == 0.1
    episode.step({"action": [MORE, MORE, NOOP]})
    assert float(episode.observations["level"]) == pytest.approx(0.5)
    episode.step({"action": [LESS, LESS, LESS]})
    assert float(episode.observations["level"]) == 0.0


@pytest.mark.parametrize("punishment", ["expected", "lottery"])
def test_together_all_are_punished_at_the_level_at_the_start_of_the_turn(punishment):
    # Step 1: the votes make the level 0 or 1, but the punishment uses the previous level.
    game, state = three(".A.", vote_step=1.0, level=0.0, punishment=punishment)
    after, outcome = turn(game, state, MORE, RIGHT, MORE, order=[0, 2, 1])
    assert parts(outcome, "punishment") == [0, 0, 0]
    assert after["level"] == 1.0
    game, state = three(".A.", vote_step=1.0, level=1.0, punishment=punishment)
    after, outcome = turn(game, state, LESS, RIGHT, LESS, order=[0, 2, 1])
    assert parts(outcome, "punishment") == [0, -10, 0]
    assert after["level"] == 0.0


def test_together_the_new_level_applies_from_the_next_turn_on():
    game, state = lane("0AB.1", vote_step=0.25)
    state, first = turn(game, state, RIGHT, MORE)
    _, second = turn(game, state, RIGHT, MORE)
    # 10 * 0.5, then 10 * 0.75.
    assert parts(first, "punishment") == [-5, 0]
    assert parts(second, "punishment") == [-7.5, 0]


def test_one_by_one_a_lottery_uses_the_current_level():
    # Seat 0 votes the level from 0 to 1, or from 1 to 0, before the others take something.
    rising = {"vote_step": 1.0, "timing": "sequential", "punishment": "lottery"}
    game, state = three(".AA", level=0.0, **rising)
    _, outcome = turn_of_many(game, state, (MORE, RIGHT, RIGHT), 50)
    assert (outcome.components["punishment"] == [0, -10, -10]).all()
    game, state = three(".AA", level=1.0, **rising)
    _, outcome = turn_of_many(game, state, (LESS, RIGHT, RIGHT), 50)
    assert (outcome.components["punishment"] == 0).all()


def test_a_seats_vote_takes_effect_after_its_own_move():
    # Composite 7: right and increase; 11: right and decrease; 3: right.
    game, state = three("AAA", actions="composite", timing="sequential")
    after, outcome = turn(game, state, 7, 11, 3)
    assert parts(outcome, "punishment") == [-5, -7.5, -5]
    assert after["level"] == 0.5
    game, state = three("AAA", actions="composite")
    after, outcome = turn(game, state, 7, 7, 3, order=[2, 1, 0])
    assert parts(outcome, "punishment") == [-5, -5, -5]
    assert after["level"] == 1.0


@pytest.mark.parametrize("timing", TIMINGS)
def test_the_number_of_votes_is_from_the_last_turn(timing):
    game, state = three("...", timing=timing)
    state, _ = turn(game, state, MORE, LESS, MORE)
    assert (state["increases"], state["decreases"]) == (2, 1)
    assert state["vote"].tolist() == [1, -1, 1]
    state, _ = turn(game, state, NOOP, NOOP, LESS)
    assert (state["increases"], state["decreases"]) == (0, 1)
    assert state["vote"].tolist() == [0, 0, -1]


def test_a_vote_that_cannot_move_the_level_costs_the_same():
    game, state = three("...", level=1.0, vote_cost=0.75)
    _, outcome = turn(game, state, MORE, MORE, RIGHT)
    assert parts(outcome, "vote_cost") == [-0.75, -0.75, 0]


@pytest.mark.parametrize("start", [0.1, 0.4])
def test_every_play_starts_at_the_initial_level(start):
    game = votes(initial_level=start)
    first = Episode(game, 1)
    first.step({"action": [MORE, MORE, MORE]})
    assert float(first.observations["level"]) > start + 0.5
    for seed in (1, 2):
        assert float(Episode(game, seed).observations["level"]) == start
    assert game.reset(np.arange(3))[0]["level"].tolist() == [start] * 3
