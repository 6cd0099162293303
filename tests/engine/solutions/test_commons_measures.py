"""Measures of a play of the commons: efficiency and periods survived."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.solutions.commons_game import efficiency, periods_survived, returns
from tests.engine.plays import acts, commons, play


def test_greed_in_the_lab_reaches_less_than_half_of_what_is_possible():
    # 109.6 / 229.6 = 0.47735.
    game = commons(archetype="lab_0_7")
    rewards = np.array([step.rewards for step in play(game, *[acts(10)] * 3)])
    assert efficiency(game.core, rewards) == pytest.approx(0.47735, abs=1e-4)


def test_efficiency_weighs_later_rewards_by_the_discount():
    # For one seat with a stock of 50 and discount 0.1, the best is 51 (all 50, then the 10 that
    # grew). Nothing, then 51: worth 5.1, which is a tenth.
    rules = {"seats": 1, "periods": 2, "initial_stock": 50, "max_harvest": 100}
    core = commons(discount=0.1, growth_rate=0.4, **rules).core
    assert efficiency(core, np.array([[0.0], [51.0]])) == pytest.approx(0.1, abs=1e-4)


def test_efficiency_is_missing_if_nothing_can_be_earned():
    core = commons(initial_stock=0, periods=2).core
    assert np.isnan(efficiency(core, np.zeros((2, 4)))).all()


def test_a_stock_that_never_collapses_survives_all_periods():
    assert periods_survived(commons(periods=4).core, np.array([80.0, 60, 40, 20])) == 4


def test_survival_ends_in_the_period_that_goes_below_the_threshold():
    core = commons(periods=5, collapse_stock=30).core
    assert periods_survived(core, np.array([50.0, 30, 29.9, 60, 60])) == 3


def test_survival_uses_consecutive_empty_periods():
    core = commons(periods=6, collapse_zero_periods=2).core
    assert periods_survived(core, np.array([0.0, 4, 0, 0, 4, 4])) == 4


def test_returns_are_given_plain_and_discounted_per_seat():
    # seat 0: 4 then 2; seat 1: 0 then 8. With delta 1/2 the second period counts half.
    core = engine.make("commons_game", seats=2, periods=2, discount=0.5).core
    plain, discounted = returns(core, np.array([[4.0, 0.0], [2.0, 8.0]]))
    assert plain.tolist() == [6.0, 8.0]
    assert discounted.tolist() == [5.0, 4.0]
