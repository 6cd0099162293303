"""Policies that react to the stock: half the capacity, effort, the steward, the best plan."""

from __future__ import annotations

import pytest

from mixed_company.engine.solutions.commons_game import best_group_plan
from tests.bots.scripted.commons_game.seat import UNSEEN, Seat, harvests, table


@pytest.mark.parametrize(
    ("stock", "answer"),
    [
        # 60 + 0.4 * 60 * 0.4 = 69.6, which is 19.6 above 50: 4.9 each.
        (60, 4.9),
        # 50 + 10 is 10 above 50.
        (50, 2.5),
        # 45 + 0.4 * 45 * 0.55 = 54.9: 4.9 above 50, 1.225 each.
        (45, 1.225),
        # 40 + 9.6 = 49.6: nothing is above 50.
        (40, 0),
        (0, 0),
        # 100 is 50 above 50, 12.5 each, but the largest request is 10.
        (100, 10),
    ],
)
def test_half_capacity_takes_its_share_of_the_stock_above_half(stock, answer):
    assert Seat("half_capacity").takes(stock=stock) == pytest.approx(answer)


def test_half_capacity_leaves_a_stock_that_grows_to_half_under_exponential_growth():
    # 4 * 18.75 = 75 of 100 are taken: 25 are left, which double to 50.
    seat = Seat("half_capacity", growth="exponential", growth_rate=1.0, max_harvest=50)
    assert seat.takes(stock=100) == 18.75
    assert seat.takes(stock=50) == 6.25


def test_half_capacity_ignores_impossible_readings():
    seat = Seat("half_capacity", stock_noise=10)
    assert seat.takes(stock=150) == seat.takes(stock=100)
    assert seat.takes(stock=-20) == 0


def test_half_capacity_takes_the_sustainable_share_if_it_cannot_see_the_stock():
    assert Seat("half_capacity").takes(stock=UNSEEN) == 2.5


def test_half_capacity_never_pays():
    assert Seat("half_capacity").pays(stock=10, wealth=50) == 0


@pytest.mark.parametrize(("stock", "answer"), [(60, 3), (50, 2.5), (10, 0.5), (0, 0)])
def test_constant_effort_takes_the_same_part_of_every_stock(stock, answer):
    # Its share is 2.5 of 50, a twentieth.
    assert Seat("constant_effort").sees(stock=stock, took=9, wealth=50) == {
        "harvest": pytest.approx(answer),
        "contribution": 0,
    }


def test_effort_multiplies_the_part_of_the_stock_that_constant_effort_takes():
    # A twentieth of 60 is 3, and 1.5 times this is 4.5.
    assert Seat("constant_effort:effort=1.5").takes(stock=60) == pytest.approx(4.5)
    assert Seat("constant_effort:effort=0").takes(stock=60) == 0


def test_constant_effort_takes_its_share_of_half_a_lake_that_it_cannot_see():
    assert Seat("constant_effort").takes(stock=UNSEEN) == 2.5


def test_constant_effort_requests_no_more_than_its_limit():
    # Growth of 2 makes the share 100 * 2 / 4 / 4 = 12.5 of 50, a quarter; the limit is 10.
    assert Seat("constant_effort", growth_rate=2.0).takes(stock=100) == 10


@pytest.mark.parametrize(("stock", "paid"), [(49.9, 3), (10, 3), (50, 0), (100, 0)])
def test_steward_pays_a_tenth_of_its_wealth_while_the_stock_is_below_half(stock, paid):
    assert Seat("steward", seat=1).pays(stock=stock, wealth=[9, 30, 9, 9]) == paid


@pytest.mark.parametrize(("stock", "answer"), [(0, 0), (30, 2.1), (50, 2.5), (100, 2.5)])
def test_steward_takes_its_sustainable_share(stock, answer):
    # 0.4 * 30 * 0.7 = 8.4, or 2.1 each.
    assert Seat("steward").takes(stock=stock, took=9) == pytest.approx(answer)


def test_the_share_that_a_steward_pays_can_be_set():
    assert Seat("steward:share=0.5").pays(stock=10, wealth=30) == 15


def test_steward_pays_nothing_if_it_cannot_see_its_wealth():
    assert Seat("steward").pays(stock=10, wealth=UNSEEN) == 0


def test_stewards_bring_a_governed_stock_back_above_half():
    # Sustainable seats without payments take the 0.4 * 20 * 0.8 = 6.4 that regrow, forever.
    governed = {"governance": "per_step", "initial_wealth": 20, "pool_effect": 2}
    stewards = table(*["steward"] * 4, initial_stock=20, **governed)
    others = table(*["sustainable"] * 4, initial_stock=20, **governed)
    assert float(stewards[-1].observations["stock"]) > 50
    assert float(others[-1].observations["stock"]) == pytest.approx(20)


def test_best_plan_earns_the_return_of_the_best_plan():
    # 57.4 each, as worked out on the manual page.
    assert sum(harvests(table(*["best_plan"] * 4), 0)) == pytest.approx(57.4, abs=1e-3)


def test_best_plan_earns_the_best_return_with_a_pool_too():
    governed = {"governance": "per_step", "pool_effect": 2, "initial_wealth": 5, "periods": 6}
    steps = table(*["best_plan"] * 4, **governed)
    rules = Seat("best_plan", **governed).game.core
    earned = sum(float(step.rewards.sum()) for step in steps)
    assert earned == pytest.approx(best_group_plan(rules).value, abs=1e-3)


def test_best_plan_starts_with_the_largest_harvest():
    # 10 each from 100 leave 60; then 4.9 each, with 60 as planned.
    seat = Seat("best_plan")
    assert seat.takes(stock=100) == pytest.approx(10, abs=1e-3)
    assert seat.takes(stock=60) == pytest.approx(4.9, abs=1e-3)


def test_best_plan_takes_less_if_the_stock_is_below_the_plan():
    # The stock is half of the planned 60, so half of the planned 4.9 is taken.
    seat = Seat("best_plan")
    seat.sees(stock=100)
    assert seat.takes(stock=30) == pytest.approx(2.45, abs=1e-3)


def test_best_plan_takes_no_more_if_the_stock_is_above_the_plan():
    seat = Seat("best_plan")
    seat.sees(stock=100)
    assert seat.takes(stock=90) == pytest.approx(4.9, abs=1e-3)
