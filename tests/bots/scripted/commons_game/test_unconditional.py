"""Unconditional policies: greedy, sustainable, fixed and random."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.commons_game.seat import Seat, harvests, table


@pytest.mark.parametrize("stock", [0, 5, 50, 100])
@pytest.mark.parametrize("took", [0, 2.5, 10])
def test_greedy_always_requests_the_maximum_and_never_pays(stock, took):
    assert Seat("greedy").sees(stock=stock, took=took, wealth=30) == {
        "harvest": 10,
        "contribution": 0,
    }


def test_four_greedy_seats_empty_the_lab_in_three_periods():
    # As worked out on the manual page: 27.4 each.
    steps = table(*["greedy"] * 4)
    assert len(steps) == 3
    assert sum(harvests(steps, 0)) == pytest.approx(27.4)
    assert steps[-1].reason == "collapse"


@pytest.mark.parametrize(
    ("stock", "answer"),
    # 0.4 * 5 * 0.95 = 1.9, or 0.475 each; from 50 fish on the most that can last, 10.
    [(0, 0), (5, 0.475), (50, 2.5), (100, 2.5)],
)
@pytest.mark.parametrize("took", [0, 2.5, 10])
def test_sustainable_takes_its_share_of_what_regrows_up_to_the_best_yield(stock, answer, took):
    assert Seat("sustainable").sees(stock=stock, took=took, wealth=30) == {
        "harvest": pytest.approx(answer),
        "contribution": 0,
    }


def test_sustainable_keeps_a_stock_that_doubles_under_exponential_growth():
    # 25 of 50 are taken, 6.25 each; the other 25 double to 50.
    lake = {"growth": "exponential", "growth_rate": 1.0, "max_harvest": 50}
    assert Seat("sustainable", **lake).takes(stock=50) == 6.25
    steps = table(*["sustainable"] * 4, initial_stock=50, **lake)
    assert [float(step.observations["stock"]) for step in steps] == [50] * 15


def test_four_sustainable_seats_keep_a_stock_below_the_best():
    # 0.4 * 25 * 0.75 = 7.5 regrow and are taken.
    steps = table(*["sustainable"] * 4, initial_stock=25)
    assert [float(step.observations["stock"]) for step in steps] == [25] * 15


def test_the_share_is_smaller_with_more_seats():
    # 10 / 8.
    assert Seat("sustainable", seats=8).takes() == 1.25


def test_the_share_never_exceeds_the_largest_request():
    assert Seat("sustainable", seats=1, max_harvest=4).takes() == 4


@pytest.mark.parametrize("stock", [0, 100])
def test_the_share_of_linear_growth_is_a_share_of_the_whole_growth(stock):
    # 6 / 4, at any stock.
    assert Seat("sustainable", growth="linear", growth_rate=6).takes(stock=stock) == 1.5


def test_four_sustainable_seats_last_for_ever():
    steps = table(*["sustainable"] * 4, initial_stock=50, periods=40)
    assert len(steps) == 40
    assert float(steps[-1].observations["stock"]) == 50
    assert sum(harvests(steps, 3)) == 100


def test_fixed_requests_2_and_pays_nothing_by_default():
    assert Seat("fixed").sees(stock=7, took=9) == {"harvest": 2, "contribution": 0}


def test_fixed_uses_its_parameters():
    seat = Seat("fixed:harvest=3;contribution=0.5")
    assert [seat.sees(stock=stock) for stock in (100, 1)] == [
        {"harvest": 3, "contribution": 0.5}
    ] * 2


def test_random_requests_any_amount_with_equal_chance():
    # Uniform on 0 .. 10: mean 5 with standard error 10 / sqrt(12 N).
    seat = Seat("random")
    drawn = np.array([seat.takes() for _ in range(4000)])
    assert 0 <= drawn.min() < 0.1
    assert 9.9 < drawn.max() <= 10
    assert abs(drawn.mean() - 5) < 4 * 10 / np.sqrt(12 * 4000)


def test_random_pays_any_share_of_its_harvest():
    # The share paid is uniform on 0 .. 1: mean 1/2 with standard error 1 / sqrt(12 N).
    seat = Seat("random")
    answers = [seat.sees() for _ in range(4000)]
    shares = np.array([answer["contribution"] / answer["harvest"] for answer in answers])
    assert shares.min() >= 0
    assert shares.max() <= 1
    assert abs(shares.mean() - 0.5) < 4 / np.sqrt(12 * 4000)


@pytest.mark.parametrize(
    ("lake", "promised"),
    [
        ({}, 2),  # 10 / 4, rounded down
        ({"initial_stock": 25}, 1),  # 0.4 * 25 * 0.75 / 4 = 1.875
        ({"growth": "linear", "growth_rate": 12}, 3),
    ],
)
def test_a_promise_is_a_share_of_what_the_first_stock_regrows(lake, promised):
    assert Seat("promises_and_keeps", **lake).takes() == promised
