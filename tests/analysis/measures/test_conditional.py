"""Conditional cooperation measured from play: lines and types."""

from __future__ import annotations

import math

import numpy as np
import pytest

from mixed_company import analysis
from mixed_company.analysis.measures.conditional import (
    conditional_intercept,
    conditional_n,
    conditional_p,
    conditional_r2,
    conditional_rho,
    conditional_slope,
    cooperator_type,
)
from tests.analysis.measures.played import played, values


def commons(focal, other, **options):
    """Play two seats with these levels of cooperation, which are 1 - request / 10."""
    periods = [
        {"harvest": [10 * (1 - y), 10 * (1 - x)], "contribution": [0, 0]}
        for y, x in zip(focal, other, strict=True)
    ]
    return played("commons_game", periods, seats=2, people=1, capacity=1e6, periods=100, **options)


def test_a_line_through_three_periods_by_hand():
    # x 0, 0.5, 1 with y 0.2, 0.4, 0.9 one period later: Sxy 0.35, Sxx 0.5, Syy 0.26.
    # Slope 0.7 through (0.5, 0.5): intercept 0.15. R2 = 0.35^2 / 0.13. t has 1 degree of freedom:
    # t^2 = 0.1225 / 0.0075, and p = 1 - 2 atan(t) / pi.
    data = commons([0.5, 0.2, 0.4, 0.9], [0, 0.5, 1, 0.5])
    assert values(conditional_slope, data)[0] == pytest.approx(0.7)
    assert values(conditional_intercept, data)[0] == pytest.approx(0.15)
    assert values(conditional_r2, data)[0] == pytest.approx(0.1225 / 0.13)
    assert values(conditional_n, data)[0] == 3
    p = 1 - 2 * math.atan(math.sqrt(0.1225 / 0.0075)) / math.pi
    assert values(conditional_p, data)[0] == pytest.approx(p)
    assert values(conditional_rho, data)[0] == pytest.approx(1)


def test_the_fit_uses_the_persons_own_decisions_and_the_others_actual_actions():
    # The policy's 1 in period 2 is left out, which leaves two pairs: too few for a line.
    data = commons([0.5, 0.2, 1, 0.9], [0, 0.5, 1, 0.5], by={(2, 0): "policy"})
    assert values(conditional_n, data)[0] == 2
    assert values(conditional_slope, data)[0] is None
    # A default of the other seat is used like any action, so the line is the one above.
    data = commons([0.5, 0.2, 0.4, 0.9], [0, 0.5, 1, 0.5], by={(1, 1): "default"})
    assert values(conditional_slope, data)[0] == pytest.approx(0.7)


def test_constant_others_give_no_line():
    data = commons([0.1, 0.2, 0.3, 0.4], [0.3] * 4)
    for measure in (conditional_slope, conditional_intercept, conditional_r2, conditional_p):
        assert values(measure, data)[0] is None
    assert values(conditional_n, data)[0] == 3


def test_a_constant_person_has_a_flat_line_that_explains_nothing():
    data = commons([0.6] * 4, [0, 0.5, 1, 0])
    assert values(conditional_slope, data)[0] == 0
    assert values(conditional_intercept, data)[0] == pytest.approx(0.6)
    for measure in (conditional_r2, conditional_p, conditional_rho):
        assert values(measure, data)[0] is None


def test_the_others_are_the_mean_of_all_other_seats():
    # The others of seat 0 before periods 1 to 3 have means of (0, 1), (1, 1), (0, 0): 0.5, 1, 0.
    # Seat 0 does the same. Seats that are out do not count as others.
    focal, first, second = [0, 0.5, 1, 0], [0, 1, 0, 0], [1, 1, 0, 0]
    periods = [
        {"harvest": [10 * (1 - c) for c in seats], "contribution": [0] * 3}
        for seats in zip(focal, first, second, strict=True)
    ]
    data = played("commons_game", periods, seats=3, capacity=1e6)
    assert values(conditional_slope, data)[0] == pytest.approx(1)
    assert values(conditional_intercept, data)[0] == pytest.approx(0, abs=1e-12)
    left = {"leaving": {1: [2]}, "agents": {"may_leave": True}}
    data = played("commons_game", periods, seats=3, capacity=1e6, **left)
    # now y is 0.5, 1, 0 and x is 0.5, 1, 0: at first x is the mean of both, then only seat 1
    assert values(conditional_slope, data)[0] == pytest.approx(1)


def test_one_period_has_no_pairs():
    data = commons([0.5], [0.5])
    assert values(conditional_n, data) == [None, None]
    assert values(cooperator_type, data) == ["", ""]


MET = [0.0, 1.0, 0.5, 0.2, 0.8, 0.4, 0.6, 0.1, 0.9, 0.3, 0.7, 0.5]


TYPES = [
    (lambda x: x, "conditional cooperator"),
    (lambda x: 0.1 + 0.5 * x, "conditional cooperator"),
    (lambda x: 0.0, "free rider"),
    (lambda x: 0.1, "free rider"),
    (lambda x: 0.08 * x, "conditional cooperator"),  # a small but certain increase
    (lambda x: 1.0, "unconditional cooperator"),
    (lambda x: 0.5, "unconditional cooperator"),
    (lambda x: 0.4, "other"),
    (lambda x: 1 - abs(2 * x - 1), "hump-shaped"),
    (lambda x: 1 - x, "other"),
    (lambda x: abs(2 * x - 1), "unconditional cooperator"),  # a valley is not a hump
]


def test_types_follow_from_responses_to_the_others():
    plays = [
        commons([0.5, *(answer(x) for x in MET)], [*MET, 0.5], group=group)
        for group, (answer, _) in enumerate(TYPES)
    ]
    types = values(cooperator_type, analysis.joined(*plays))[::2]  # for the first seats
    assert types == [expected for _, expected in TYPES]


def test_chance_is_not_conditional_cooperation():
    # Twelve responses with a rank correlation of rho = 0.03: neither high nor low on average.
    answers = [0.3, 0.5, 0.2, 0.4, 0.3, 0.6, 0.1, 0.5, 0.4, 0.2, 0.5, 0.3]
    data = commons([0.5, *answers], [*MET, 0.5])
    assert abs(values(conditional_rho, data)[0]) < 0.5
    assert values(cooperator_type, data)[0] == "other"


def test_few_periods_or_constant_others_give_no_type():
    assert values(cooperator_type, commons([0.5, *MET[:4]], [*MET[:4], 0]))[0] == ""
    assert values(cooperator_type, commons([0.5, *MET[:5]], [*MET[:5], 0]))[0] != ""
    assert values(cooperator_type, commons([0.5, *MET], [0.5] * 13))[0] == ""


def test_ranks_match_scipy():
    from scipy.stats import spearmanr

    rng = np.random.default_rng(1)
    x, y = rng.integers(0, 5, 20) / 4, rng.integers(0, 5, 20) / 4  # with ties
    data = commons([0.5, *y], [*x, 0.5])
    assert values(conditional_rho, data)[0] == pytest.approx(spearmanr(x, y).statistic)
