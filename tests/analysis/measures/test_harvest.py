"""Harvests and contributions."""

from __future__ import annotations

import pytest

from mixed_company.analysis.games.commons_game.contribution import contribution_share
from mixed_company.analysis.games.commons_game.harvest import (
    first_harvest,
    harvest,
    harvest_share,
    harvest_slope,
    last_harvest,
)
from mixed_company.analysis.measures.contribution import (
    contribution,
    contribution_slope,
    first_contribution,
    last_contribution,
)
from tests.analysis.measures.played import played, values


def commons(harvests, contributions=None, **changes):
    paid = contributions or [[0] * len(harvest) for harvest in harvests]
    both = zip(harvests, paid, strict=True)
    periods = [{"harvest": took, "contribution": gave} for took, gave in both]
    return played("commons_game", periods, **({"seats": 2, "governance": "per_step"} | changes))


def test_harvests_of_two_seats_in_three_periods():
    # Period means are 3, 4, 8: 5 overall; their slope is (8 - 3) / 2.
    data = commons([[2, 4], [4, 4], [6, 10]])
    assert values(harvest, data, "period") == [3, 4, 8]
    assert values(harvest, data, "group") == [5]
    assert values(harvest, data, "person") == [4, 6]
    assert values(harvest_share, data, "person") == pytest.approx([0.4, 0.6])  # of 10
    assert values(first_harvest, data, "group") == [3]
    assert values(last_harvest, data, "group") == [8]
    assert values(first_harvest, data, "person") == [2, 4]
    assert values(last_harvest, data, "person") == [6, 10]
    assert values(harvest_slope, data, "group") == pytest.approx([2.5])
    assert values(harvest_slope, data, "person") == pytest.approx([2, 3])


def test_requests_and_harvests_differ_if_the_stock_is_short():
    # The stock is 6 and the requests are 8 and 4: phi = 1/2 gives 4 and 2.
    data = commons([[8, 4]], initial_stock=6)
    assert values(harvest, data, "person") == [4, 2]
    assert values(harvest_share, data, "person") == pytest.approx([0.8, 0.4])


def test_the_share_is_relative_to_the_limit_of_the_role():
    agents = {"roles": {"strong": {}, "weak": {}, "none": {"acts": ["contribution"]}}}
    seats = {"seats": ["strong", "weak", "none"]}
    layers = {"power": {"intensity": 1, "limits": {"weak": {"harvest": 5}}}}
    data = commons([[4, 4, 4]], seats=3, agents=agents | seats, layers=layers)
    assert values(harvest_share, data, "person") == [pytest.approx(0.4), pytest.approx(0.8), None]


def test_one_period_has_a_first_and_a_last_value_and_no_slope():
    data = commons([[2, 4]])
    assert values(first_harvest, data, "group") == values(last_harvest, data, "group") == [3]
    assert values(harvest_slope, data, "group") == [None]
    assert values(harvest_slope, data, "person") == [None, None]


def test_the_first_and_last_value_are_the_persons_own_decisions():
    # Seat 0: the default in period 0, a policy in period 3.
    by = {(0, 0): "default", (3, 0): "policy"}
    data = commons([[0, 1], [2, 1], [4, 1], [9, 1]], by=by)
    assert values(first_harvest, data, "person") == [2, 1]
    assert values(last_harvest, data, "person") == [4, 1]
    assert values(harvest_slope, data, "person") == pytest.approx([2, 0])
    assert values(harvest, data, "group") == [19 / 8]  # the stock lost everything that was taken


def test_contributions_to_a_pool_as_points_and_as_a_share_of_wealth():
    # Seats hold nothing in period 0, then 4 and 8; 2 of 4 and 2 of 8 are paid. Then seat 0
    # holds 4 - 2 + 4 = 6 and pays 3, seat 1 holds 8 - 2 + 8 = 14 and pays 0.
    data = commons([[4, 8], [4, 8], [0, 0]], [[0, 0], [2, 2], [3, 0]])
    assert values(contribution, data, "period") == [0, 2, 1.5]
    assert values(contribution, data, "group") == pytest.approx([7 / 6])
    assert values(contribution_share, data, "period") == [None, pytest.approx(0.375), 0.25]
    assert values(contribution_share, data, "person") == pytest.approx([0.5, 0.125])
    assert values(first_contribution, data, "group") == [0]
    assert values(last_contribution, data, "group") == [1.5]
    assert values(contribution_slope, data, "group") == pytest.approx([0.75])


def test_the_share_accounts_for_initial_wealth_and_the_limit_of_a_role():
    # Seat 0 holds 10 and pays 5; seat 1 may pay 4 at most and pays 2.
    agents = {"roles": {"free": {}, "bound": {}}, "seats": ["free", "bound"]}
    layers = {"power": {"intensity": 1, "limits": {"bound": {"contribution": 4}}}}
    data = commons([[0, 0]], [[5, 2]], initial_wealth=10, agents=agents, layers=layers)
    assert values(contribution_share, data, "person") == [0.5, 0.5]


def test_without_a_pool_there_are_no_contributions():
    data = commons([[1, 1], [1, 1]], [[0, 0], [1, 1]], governance="none")
    for measure in (contribution, first_contribution, last_contribution, contribution_slope):
        assert values(measure, data, "group") == [None]
    assert values(contribution_share, data, "person") == [None, None]


def test_contributions_to_a_public_good_that_decay():
    # Means 10, 8, 3: slope (3 - 10) / 2.
    sent = [[10, 10, 10, 10], [8, 8, 8, 8], [0, 4, 4, 4]]
    data = played("sanctions", [{"contribution": amounts} for amounts in sent], archetype="lab_0_7")
    assert values(contribution, data, "group") == [7]
    assert values(contribution_slope, data, "group") == pytest.approx([-3.5])
    assert values(last_contribution, data, "person") == [0, 4, 4, 4]
