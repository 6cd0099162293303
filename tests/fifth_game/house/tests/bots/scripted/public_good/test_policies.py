"""Tests that the policies of the public good do what they say (4 seats, endowment 20)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.policies import make
from mixed_company.policies.rollout import rollout

UNSEEN = np.nan


def answer(
    spec: str, contributions: list[float] | None = None, **parameters: Any
) -> tuple[float, float]:
    """Return what a policy in seat 0 gives and spends after these contributions (None: at the
    start)."""
    game = engine.make("public_good", archetype="lab", **parameters)
    policy = make(spec, game)
    seen = np.asarray(contributions or [0.0] * game.seats, dtype=np.float64)
    shown = seen[~np.isnan(seen)]
    least = (seen == shown.min(initial=np.inf)) & (len(set(shown)) > 1)
    lowest = np.where(np.isnan(seen), np.nan, least)
    observation = {
        "period": np.array(0 if contributions is None else 1),
        "seat": np.array(0),
        "ended": np.array(False),
        "contribution": seen,
        "suffered": np.zeros(game.seats),
        "lowest": lowest,
    }
    action, _ = policy.act(observation, policy.start(), np.random.default_rng(1))
    return action["contribution"], action["punishment"]


@pytest.mark.parametrize("contributions", [None, [20, 20, 20, 20], [20, 0, 20, 20], [UNSEEN] * 4])
def test_a_free_rider_gives_and_spends_nothing_whatever_was_given(contributions):
    assert answer("free_rider", contributions) == (0, 0)


def test_a_conditional_cooperator_follows_the_others_and_never_punishes():
    assert answer("conditional_cooperator") == (10, 0)
    assert answer("conditional_cooperator", [0, 20, 10, 0]) == (9, 0)  # 0.9 * 10
    assert answer("conditional_cooperator", [0, 20, UNSEEN, UNSEEN]) == (18, 0)
    assert answer("conditional_cooperator:bias=0", [0, 20, 10, 0]) == (10, 0)
    assert answer("conditional_cooperator", [UNSEEN] * 4) == (10, 0)


def test_a_punisher_gives_all_and_spends_two_points_if_another_gave_least():
    assert answer("punisher") == (20, 0)
    assert answer("punisher", [20, 0, 20, 20]) == (20, 2)
    assert answer("punisher", [0, 20, 20, 20]) == (20, 0)  # it alone gave least
    assert answer("punisher", [20, 20, 20, 20]) == (20, 0)
    assert answer("punisher:points=9", [20, 0, 20, 20]) == (20, 5)  # no more than p_max
    assert answer("punisher", [UNSEEN] * 4) == (20, 0)


def test_random_sometimes_gives_and_spends_everything():
    game = engine.make("public_good", archetype="lab")
    policy, rng = make("random", game), np.random.default_rng(1)
    observation = {
        "seat": np.array(0),
        "contribution": np.zeros(4),
        "lowest": np.array([0.0, 1.0, 0.0, 0.0]),
    }
    actions = [policy.act(observation, {}, rng)[0] for _ in range(400)]
    assert {action["contribution"] for action in actions} == set(range(21))
    assert {action["punishment"] for action in actions} == set(range(6))


def test_three_punishers_make_a_free_rider_earn_less_than_they_do():
    """Expect 44, then 44 - 18 = 26 per period for the free rider; 24, then 22 for the others."""
    game = engine.make("public_good", archetype="lab")
    episode = engine.Episode(game, seed=1)
    policies = [make(spec, game) for spec in ("free_rider", *["punisher"] * 3)]
    periods = list(rollout(episode, policies))
    assert periods[0].rewards.tolist() == [44, 24, 24, 24]
    assert all(period.rewards.tolist() == [26, 22, 22, 22] for period in periods[1:])
