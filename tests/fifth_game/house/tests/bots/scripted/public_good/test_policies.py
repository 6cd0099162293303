"""Tests that the policies of the public good do what they say (4 seats, endowment 20)."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.policies import make
from mixed_company.policies.rollout import rollout

UNSEEN = np.nan


def answer(spec: str, contributions: list[float] | None = None) -> float:
    """Return what a policy in seat 0 gives after these contributions (None: at the start)."""
    game = engine.make("public_good")
    policy = make(spec, game)
    observation = {
        "period": np.array(0 if contributions is None else 1),
        "seat": np.array(0),
        "ended": np.array(False),
        "contribution": np.asarray(contributions or [0.0] * game.seats, dtype=np.float64),
    }
    action, _ = policy.act(observation, policy.start(), np.random.default_rng(1))
    return action["contribution"]


@pytest.mark.parametrize("contributions", [None, [20, 20, 20, 20], [20, 0, 20, 20], [UNSEEN] * 4])
def test_a_free_rider_gives_nothing_whatever_was_given(contributions):
    assert answer("free_rider", contributions) == 0


def test_a_conditional_cooperator_follows_the_others():
    assert answer("conditional_cooperator") == 10
    assert answer("conditional_cooperator", [0, 20, 10, 0]) == 9  # 0.9 * 10
    assert answer("conditional_cooperator", [0, 20, UNSEEN, UNSEEN]) == 18
    assert answer("conditional_cooperator:bias=0", [0, 20, 10, 0]) == 10
    assert answer("conditional_cooperator", [UNSEEN] * 4) == 10


def test_random_sometimes_gives_everything():
    episode = engine.Episode(engine.make("public_good", periods=100), seed=1)
    policies = [make("random", episode.game)] * 4
    contributed = [p.state["contribution"].tolist() for p in rollout(episode, policies)]
    assert {amount for row in contributed for amount in row} == set(range(21))


def test_seats_that_punish_below_the_average_make_a_free_rider_earn_less_than_they_do():
    """The free rider earns 20 + 0.4 * 30 = 32, and the others, who give 10 each, earn 22.

    It gave 0, 7.5 below the average, so each spends 4 * 7.5 / 20 = 1.5, rounded to 2 points:
    32 - 3 * 6 = 14, and 22 - 2 = 20.
    """
    episode = engine.Episode(engine.make("public_good", archetype="lab", periods=1), seed=1)
    specs = ("free_rider", *["conditional_cooperator+punishes_below_average"] * 3)
    periods = rollout(episode, [make(spec, episode.game) for spec in specs])
    assert [p.rewards.tolist() for p in periods if p.settled] == [[14, 20, 20, 20]]
