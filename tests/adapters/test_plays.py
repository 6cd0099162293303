"""Tests of many simultaneous plays. When one ends, the next one takes its place."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.adapters.plays import advance, play_seeds, seated, start
from mixed_company.engine.contract.errors import ConfigError
from tests.adapters.plays import lab


def test_plays_that_end_at_different_times_are_replaced_one_by_one():
    # greedy seats collapse the stock in the third period; seats that take nothing play all five
    game = lab(periods=5)
    plays = start(game, seed=3, count=2)
    actions = {"harvest": np.array([[10.0] * 4, [0.0] * 4]), "contribution": np.zeros((2, 4))}
    numbers = []
    for _ in range(7):
        numbers.append(plays.numbers.tolist())
        plays, _ = advance(game, plays, actions)
    assert numbers == [[0, 1], [0, 1], [0, 1], [2, 1], [2, 1], [2, 3], [4, 3]]
    assert plays.state["period"].tolist() == [1, 2]
    assert plays.begun == 5


def test_no_input_is_changed():
    game = lab(periods=5)
    plays = start(game, seed=3, count=2)
    greed = {"harvest": np.array([[10.0] * 4, [0.0] * 4]), "contribution": np.zeros((2, 4))}
    for _ in range(3):
        kept = {name: np.array(value) for name, value in plays.state.items()}
        before, (plays, _) = plays, advance(game, plays, greed)
        assert all(np.array_equal(before.state[name], value) for name, value in kept.items())


def test_the_seed_of_a_play_depends_only_on_seed_and_number():
    some, more = play_seeds(7, np.arange(3)), play_seeds(7, np.arange(1000))
    assert np.array_equal(some, more[:3])
    assert len(set(more.tolist()) | set(play_seeds(8, np.arange(1000)).tolist())) == 2000
    assert more.min() >= 0
    assert int(play_seeds(7, 2)) == some[2]


@pytest.mark.parametrize(("seed", "count", "message"), [(-1, 2, "seed = -1"), (1, 0, "plays = 0")])
def test_impossible_settings_are_refused(seed, count, message):
    with pytest.raises(ConfigError, match=message):
        start(lab(), seed=seed, count=count)


@pytest.mark.parametrize(
    ("learners", "others", "message"),
    [
        ([], "greedy", r"seats \[\]: should list at least one seat, without repeats"),
        ([1, 1], "greedy", r"seats \[1, 1\]: should list at least one seat, without repeats"),
        ([0, 1, 2, 3], "greedy", "others = 'greedy': no seat is left for a policy"),
        ([0, 2], " , ", r"seats \[1, 3\] need policies"),
    ],
)
def test_every_seat_has_a_decider(learners, others, message):
    with pytest.raises(ConfigError, match=message):
        seated(lab(), others, learners)
