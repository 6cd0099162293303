"""Equilibria and the optimum of the sanctions game, compared with independent computations.

With equal seats and logarithmic production, the first-order condition can be solved by hand. For
each point given, a seat that gives the others a total weight of w loses 1 and gains theta / (1 + a)
and its share of the synergy: g / (n a) is 1/n at equal contributions, so (1 + w) alpha gamma / n in
total. Hence 1 + a = theta / (1 - (1 + w) gamma / n^2) for alpha = 1/n.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from mixed_company import engine
from mixed_company.engine.solutions import sanctions as solutions

ALL = range(2, 21)


def core(**parameters):
    return engine.make("sanctions", **parameters).core


def by_hand(seats, others):
    return 20 / (1 - (1 + others) * 0.65 / seats**2) - 1


def assert_all(solution, contribution):
    assert np.abs(solution.contributions - contribution).max() < 1e-5


def test_the_numbers_of_the_source():
    assert_all(solutions.nash(core()), 19.367752)
    assert np.abs(solutions.nash(core()).payoffs - 143.009478).max() < 1e-5
    assert_all(solutions.coopetitive_equilibrium(core()), 20.044940)
    assert_all(solutions.coopetitive_equilibrium(core(), 0.5), 19.700809)
    assert solutions.social_optimum(core()).contributions == pytest.approx([21.4299] * 6, abs=1e-4)


@pytest.mark.parametrize("seats", ALL)
def test_nash_is_right_by_hand(seats):
    assert_all(solutions.nash(core(seats=seats)), by_hand(seats, 0))


@pytest.mark.parametrize("seats", ALL)
@pytest.mark.parametrize("trust", [0, 0.5, 1])
def test_the_coopetitive_equilibrium_is_right_by_hand(seats, trust):
    result = solutions.coopetitive_equilibrium(core(seats=seats), trust)
    assert_all(result, by_hand(seats, 0.35 * trust * (seats - 1)))


@pytest.mark.parametrize("seats", ALL)
def test_the_social_optimum_is_right_by_hand(seats):
    assert_all(solutions.social_optimum(core(seats=seats)), by_hand(seats, seats - 1))


def test_without_trust_the_coopetitive_equilibrium_is_nash():
    result = solutions.coopetitive_equilibrium(core(), 0)
    assert np.array_equal(result.contributions, solutions.nash(core()).contributions)


def test_a_power_without_synergy_is_right_by_hand():
    # 0.75 a^-0.25 = 1, so a = 0.75^4 = 0.31640625.
    result = solutions.nash(core(production="power", synergy=0))
    assert_all(result, 0.31640625)


UNEQUAL = {
    "seats": 3,
    "endowment": [15, 60, 100],
    "baseline": 1,
    "share": [0.2, 0.3, 0.5],
    "dependence": [[0, 0.9, 0.1], [0.4, 0, 0.2], [0, 0.7, 0]],
    "synergy": 2.0,
}


def payments(rules):
    """Return a function that maps the contributions of plays to the points that the engine pays for
    them.

    The points are for one period, without sanctions and without the welfare of others.
    """
    game = engine.make("sanctions", **rules, reward="private", lambda_R=0)

    def earned(contributions):
        sent = np.atleast_2d(np.asarray(contributions, dtype=float))
        state, _ = game.reset(np.zeros(len(sent), dtype=int))
        return game.step(state, {"contribution": sent}, {})[1].rewards

    return earned


@pytest.mark.parametrize("production", ["logarithmic", "power", "public_good"])
@pytest.mark.parametrize("which", ["nash", "coopetitive", "optimum"])
def test_nobody_gains_by_contributing_another_amount(production, which):
    rules = {**UNEQUAL, "production": production, "mpcr": 0.5}
    result, weights = {
        "nash": (solutions.nash(core(**rules)), np.eye(3)),
        "coopetitive": (
            solutions.coopetitive_equilibrium(core(**rules), 0.6),
            np.eye(3) + 0.6 * np.array(UNEQUAL["dependence"]),
        ),
        "optimum": (solutions.social_optimum(core(**rules)), np.ones((3, 3))),
    }[which]
    base, earned = np.asarray(result.contributions, dtype=float), payments(rules)
    assert earned(base)[0] == pytest.approx(result.payoffs)
    for seat in range(3):
        tried = np.tile(base, (201, 1))
        tried[:, seat] = np.linspace(0, UNEQUAL["endowment"][seat], 201)
        value = float(weights[seat] @ earned(base)[0])
        assert (earned(tried) @ weights[seat]).max() <= value + 1e-9


@pytest.mark.parametrize("production", ["logarithmic", "power"])
def test_no_search_finds_a_larger_sum_than_the_optimum(production):
    rules = {**UNEQUAL, "production": production}
    best, earned = solutions.social_optimum(core(**rules)), payments(rules)
    result = minimize(
        lambda contributions: -float(earned(contributions).sum()),
        [5.0, 5.0, 5.0],
        bounds=[(0, limit) for limit in UNEQUAL["endowment"]],
        method="Powell",
        options={"xtol": 1e-10, "ftol": 1e-14},
    )
    assert best.payoffs.sum() >= -result.fun - 1e-9
    assert best.payoffs.sum() == pytest.approx(-result.fun, abs=1e-5)


def test_in_a_public_good_free_riding_is_nash_although_all_would_gain():
    lab = engine.make("sanctions", archetype="lab_0_7").core
    assert solutions.nash(lab).contributions.tolist() == [0] * 4
    assert solutions.nash(lab).payoffs.tolist() == [20] * 4
    assert solutions.social_optimum(lab).contributions.tolist() == [20] * 4
    # 0.4 * 80 = 32.
    assert solutions.social_optimum(lab).payoffs == pytest.approx([32] * 4)


def test_the_baseline_of_the_source_exceeds_the_optimum():
    rules = core()
    best = solutions.social_optimum(rules)
    assert best.contributions.max() < rules.baseline
    assert solutions.payoffs(rules, [rules.baseline] * 6).sum() < best.payoffs.sum()


def test_nobody_contributes_if_it_earns_nothing():
    assert solutions.nash(core(theta=0, synergy=0)).contributions.tolist() == [0] * 6


def test_a_contribution_that_always_pays_is_the_maximum():
    result = solutions.nash(core(theta=1000, endowment=[10, 20, 30, 40, 50, 60], baseline=0))
    assert result.contributions.tolist() == [10, 20, 30, 40, 50, 60]


def test_the_best_response_of_a_seat_does_not_depend_on_its_own_past():
    weights = np.array([1.0, 0, 0, 0, 0, 0])
    replies = {
        solutions.best_response(core(), [contribution, 20, 20, 20, 20, 20], 0, weights)
        for contribution in (0, 10, 100)
    }
    assert len(replies) == 1


def test_there_is_no_synergy_to_gain_if_another_seat_gives_nothing():
    # 20 / (1 + a) = 1.
    weights = np.array([1.0, 0, 0, 0, 0, 0])
    result = solutions.best_response(core(), [5, 0, 20, 20, 20, 20], 0, weights)
    assert result == pytest.approx(19)
