"""Odds that trained policies report equal those used for drawing, as computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.policies.odds import entropy
from mixed_company.policies.policy import ask_at
from tests.bots.trained.models import COMMONS, GEMS, always, learned, linear


def test_a_drawn_choice_has_the_odds_of_its_open_logits(tmp_path):
    policy = learned(tmp_path, always(*[0.0, math.log(3)] + [9.0] * 5), GEMS, sampling="sample")
    episode = engine.Episode(GEMS, 3)
    low, high = (int(end) for end in episode.allowed(0).to_json()["mine"])
    weights = np.array([1.0, 3.0] + [math.exp(9.0)] * 5)
    weights[[mine for mine in range(7) if not low <= mine <= high]] = 0
    answer = ask_at(episode, policy, 0, policy.start(), with_odds=True)
    assert answer.odds["mine"] == pytest.approx(weights / weights.sum(), rel=1e-5)


def test_the_likeliest_choice_is_certain_and_has_no_entropy(tmp_path):
    policy = learned(tmp_path, always(9, 1, 2, 3, 8, 0, 7), GEMS)
    episode = engine.Episode(GEMS, 3)
    answer = ask_at(episode, policy, 0, policy.start(), with_odds=True)
    assert np.flatnonzero(answer.odds["mine"]).tolist() == [int(answer.action["mine"])]
    assert entropy(answer.odds) == 0


def test_a_drawn_amount_is_reported_in_fish(tmp_path):
    # 5 fish in the middle of 0 .. 10, 0.1 of five fish around it. Nothing can be contributed:
    # only one value is open, which adds nothing to log2(0.5 sqrt(2 pi e)) = -1 + 2.047096.
    content = linear(np.zeros((2, 2)), [0.0, -1.0], [0.1, 0.1])
    policy = learned(tmp_path, content, sampling="sample")
    episode = engine.Episode(COMMONS)
    odds = ask_at(episode, policy, 0, policy.start(), with_odds=True).odds
    assert (float(odds["harvest"].mean), float(odds["harvest"].sd)) == pytest.approx((5.0, 0.5))
    assert float(odds["contribution"].sd) == 0
    assert entropy(odds) == pytest.approx(1.047096, abs=1e-6)


def test_the_mean_of_a_drawn_amount_may_be_outside_the_range(tmp_path):
    # 0 .. 10 fish: 5 - 1.4 * 5 = -2, two deviations below the range, so the draw is clipped to 0.
    content = linear(np.zeros((2, 2)), [-1.4, -1.0], [0.2, 0.1])
    policy = learned(tmp_path, content, sampling="sample")
    answer = ask_at(engine.Episode(COMMONS), policy, 0, policy.start(), with_odds=True)
    assert float(answer.odds["harvest"].mean) == pytest.approx(-2.0)
    assert answer.action["harvest"] == 0


def test_an_amount_without_chance_is_not_reported(tmp_path):
    policy = learned(tmp_path, linear(np.zeros((2, 2)), [0.0, -1.0], [0.1, 0.1]))
    answer = ask_at(engine.Episode(COMMONS), policy, 0, policy.start(), with_odds=True)
    assert answer.odds is None
