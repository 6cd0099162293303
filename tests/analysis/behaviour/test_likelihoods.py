"""Likelihoods of two or three decisions, calculated by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from mixed_company import analysis, engine
from mixed_company.analysis.behaviour.decisions import decided
from mixed_company.analysis.behaviour.model import find
from mixed_company.analysis.behaviour.panel import Faced, Panel
from mixed_company.analysis.behaviour.worth import expected_points
from mixed_company.analysis.games.commons_game import stock_worth

COMMONS = engine.make("commons_game", archetype="lab_0_7")
PHI = 0.158655254  # standard normal distribution below -1


def harvests(done, others, last=None, *, grid=3, points=None, exact=False):
    """Return a panel of harvests between 0 and 10 by one person."""
    before = last or [0.0] * len(done)
    faced = [
        Faced(COMMONS, {}, 0, 0.0, 10.0, float(m), o) for m, o in zip(others, before, strict=True)
    ]
    earned = points or [0.0] * len(done)
    panel = Panel.of("harvest", grid, faced, done, earned, [0] * len(done), [""] * len(done))
    return panel if not exact else replace(panel, exact=True)


def test_an_amount_is_moved_to_the_nearest_grid_point():
    panel = harvests([0, 2.4, 2.5, 7.4, 7.6, 10], [5] * 6)
    assert panel.actions[0].tolist() == [0, 5, 10]
    assert panel.chosen.tolist() == [0, 0, 1, 1, 2, 2]


# -- conditional cooperation ----------------------------------------------------------------------


def test_conditional_cooperation_of_exact_amounts_by_hand():
    """Intercept 0, slope 1, noise 1. The person took 6 after the others took 5: the density at 1,
    exp(-1/2) / sqrt(2 pi) = 0.2419707. Taking 0 after 1 means that the person wanted at most 0: the
    probability below -1. Taking 10 after 9 means that the person wanted at least 10: the
    probability above 1, which is the same.
    """
    model = find("conditional_cooperation", "commons_game")
    panel = harvests([6, 0, 10], [5, 1, 9], exact=True)
    chances = np.exp(model.log_likelihood(np.array([0.0, 1.0, 1.0]), panel))
    assert chances.tolist() == pytest.approx([0.2419707, PHI, PHI])


def test_conditional_cooperation_on_a_grid_by_hand():
    """Grid points 0, 5 and 10 meet at 2.5 and 7.5. The target is 5 with a noise of 2.5: one
    standard deviation on either side."""
    model = find("conditional_cooperation", "commons_game")
    values = np.array([0.0, 1.0, 2.5])
    panel = harvests([0, 6, 10], [5, 5, 5])
    assert np.exp(model.log_probabilities(values, panel))[0].tolist() == pytest.approx(
        [PHI, 1 - 2 * PHI, PHI]
    )
    assert np.exp(model.log_likelihood(values, panel)).tolist() == pytest.approx(
        [PHI, 1 - 2 * PHI, PHI]
    )


def test_inertia_adds_ones_own_last_action():
    """The target is 0.5 * 4 + 0.5 * 6 = 5, and 5 was chosen: the density at 0, 0.3989423 / 2."""
    model = find("conditional_cooperation_inertia", "commons_game")
    panel = harvests([5], [4], [6.0], exact=True)
    chances = np.exp(model.log_likelihood(np.array([0.0, 0.5, 0.5, 2.0]), panel))
    assert chances.tolist() == pytest.approx([0.3989423 / 2])


def test_a_chance_far_in_the_tail_is_small_and_not_zero():
    """40 standard deviations away: about -40^2 / 2 - log(40 sqrt(2 pi)) = -804.6."""
    model = find("conditional_cooperation", "commons_game")
    chances = model.log_likelihood(np.array([0.0, 0.0, 0.1875]), harvests([10], [5]))
    assert chances.tolist() == pytest.approx([-804.6], abs=0.1)


# -- quantal response -----------------------------------------------------------------------------


def test_quantal_response_in_the_public_good_by_hand():
    """Three others gave 10, and there are no sanctions. 20 - a + 0.4 (30 + a) gives 32, 26 and 20
    points for 0, 10 and 20. With a precision of log(2) / 6, every 6 points double the probability:
    4 : 2 : 1.
    """
    data = analysis.simulated(
        "sanctions",
        ["fixed:contribution=10"] * 4,
        groups=1,
        seed=1,
        archetype="lab_0_7",
        lambda_R=0.0,
        periods=2,
    )
    panel = decided(data, grid=3).panel
    model = find("quantal_response", "sanctions")
    prepared = model.prepared(panel)
    second = prepared.why == ""
    assert prepared.worths["points"][second].tolist() == [pytest.approx([32, 26, 20])] * 4
    chances = np.exp(model.log_probabilities(np.array([math.log(2) / 6]), prepared.take(second)))
    assert chances.tolist() == [pytest.approx([4 / 7, 2 / 7, 1 / 7])] * 4


def test_expected_points_account_for_a_stock_that_is_shared_out():
    """Greed in `lab`: in the third period 29.6 fish are left, and each other player requests 10. A
    request of 5 gives 29.6 * 5 / 35, and a request of 10 a quarter of everything.
    """
    data = analysis.simulated("commons_game", ["greedy"] * 4, groups=1, seed=1, archetype="lab_0_7")
    decisions = decided(data, grid=3)
    third = (decisions.keys["period"] == 2).to_numpy()
    worth = expected_points(decisions.panel)[third]
    assert worth.tolist() == [pytest.approx([0, 29.6 * 5 / 35, 7.4])] * 4


def test_expected_points_of_mines_are_averages_over_chance():
    """Two villages have a worker each. The bonus is 1.4, and the chances are 0.2, 0.4 and 0.2. The
    other village was at mine 1. Apart they expect 0.2 + 0.4; together at mine 1 they expect 0.4 *
    1.4. Village 1 reaches mines 1 and 2.
    """
    instance = {"reach": [2, 2], "workers": [1, 1], "base_probabilities": [[0.2], [0.4], [0.2]]}
    game = engine.make(
        "gem_mining",
        seats=2,
        gem_types=1,
        max_connectivity=2,
        worker_bonus=1.4,
        periods=2,
        instance=instance,
        weights=[1.0],
    )
    state = {
        "period": np.array(1),
        "reason": np.array(0),
        "reach": np.array([2, 2]),
        "workers": np.array([1, 1]),
        "base_probabilities": np.array([[0.2], [0.4], [0.2]]),
        "mine": np.array([1, 1]),
    }
    faced = [Faced(game, state, seat, seat, seat + 1, math.nan, 1.0) for seat in (0, 1)]
    panel = Panel.of("mine", 11, faced, [0, 1], [0, 0], [0, 1], ["", ""])
    assert panel.actions.tolist() == [[0, 1], [1, 2]]
    assert expected_points(panel).tolist() == [
        pytest.approx([0.6, 0.56]),
        pytest.approx([0.56, 0.6]),
    ]


def test_the_value_of_a_stock_in_the_last_periods_by_hand():
    """Four seats take at most 40 in the last period. One period earlier the stock is 30, grows by
    0.4 * 30 * 0.7 = 8.4, and can all be taken. After the last period a stock is worth nothing.
    """
    stocks, values = stock_worth(COMMONS)
    last = COMMONS.horizon - 1
    indices = {stock: int(np.flatnonzero(stocks == stock)[0]) for stock in (30.0, 80.0)}
    assert values[last, [indices[30.0], indices[80.0]]].tolist() == pytest.approx([30, 40])
    assert values[last - 1, indices[30.0]] == pytest.approx(38.4, abs=0.01)
    assert values[last + 1].max() == 0


# -- reinforcement learning -----------------------------------------------------------------------


def test_reinforcement_learning_by_hand():
    """First, choosing 0 earned 10, so all actions are worth 10. Then 10 earns 14, and at a rate of
    1/2 it is worth 12. With a precision of log(2) / 2, every 2 points double the probability: 1/2
    at first, then 2/3 for choosing 10 again. That earns 10 and is worth 11, so the probability of 0
    is then 1 / (1 + sqrt(2)).
    """
    model = find("reinforcement_learning", "commons_game")
    panel = harvests([0, 10, 10, 0], [5] * 4, grid=2, points=[10, 14, 10, 0])
    chances = np.exp(model.log_likelihood(np.array([math.log(2) / 2, 0.5]), panel))
    assert chances.tolist() == pytest.approx([1 / 2, 1 / 2, 2 / 3, 1 / (1 + math.sqrt(2))])


def test_nobody_learns_from_another_person():
    """Two people with one earlier period each start from equal values."""
    model = find("reinforcement_learning", "commons_game")
    panel = harvests([0, 10, 0, 10], [5] * 4, grid=2, points=[10, 99, 3, 99])
    both = replace(panel, person=np.array([0, 0, 1, 1]))
    chances = np.exp(model.log_likelihood(np.array([1.0, 0.5]), both))
    assert chances.tolist() == pytest.approx([0.5] * 4)


def test_uniform_is_one_over_the_number_of_actions():
    model = find("uniform", "commons_game")
    chances = np.exp(model.log_likelihood(np.empty(0), harvests([0, 10], [5, 5], grid=11)))
    assert chances.tolist() == pytest.approx([1 / 11, 1 / 11])
