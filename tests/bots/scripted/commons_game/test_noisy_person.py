"""Noisy person: an imitator that makes errors and random choices."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.commons_game.seat import Seat, after_a_period

CALM = "noisy_person:error=0;whim=0"


def test_without_errors_and_whims_it_starts_with_its_share_of_the_best_yield():
    assert Seat(CALM).takes() == 2.5


def test_without_errors_and_whims_it_moves_half_way_to_the_others():
    # Half of 2.5 and half of 6.5.
    assert after_a_period(CALM).takes(took=[0, 6.5, 6.5, 6.5]) == 4.5


@pytest.mark.parametrize(("imitation", "answer"), [(0, 2.5), (1, 6.5)])
def test_the_degree_of_imitation_can_be_set(imitation, answer):
    spec = f"{CALM};imitation={imitation}"
    assert after_a_period(spec).takes(took=6.5) == answer


def test_it_requests_multiples_of_a_half():
    seat = after_a_period("noisy_person")
    drawn = [seat.takes(took=5) for _ in range(300)]
    assert all(2 * amount == round(2 * amount) for amount in drawn)
    assert len(set(drawn)) > 5


def test_it_errs_around_its_target():
    # exp of a normal with sd 0.3 has median 1: half of the answers are above the target of 4.5,
    # with standard error 1 / (2 sqrt N). Rounding to halves blurs this by at most the share at 4.5.
    seat = after_a_period("noisy_person:whim=0")
    drawn = np.array([seat.takes(took=6.5) for _ in range(4000)])
    slack = 4 / (2 * np.sqrt(4000))
    assert (drawn > 4.5).mean() < 0.5 + slack
    assert (drawn >= 4.5).mean() > 0.5 - slack
    assert drawn.std() > 1


def test_it_sometimes_does_anything():
    # With a whim in every period its requests are uniform: mean 5, standard error 10 / sqrt(12 N).
    seat = after_a_period("noisy_person:whim=1")
    drawn = np.array([seat.takes(took=0) for _ in range(4000)])
    assert drawn.min() == 0
    assert drawn.max() == 10
    assert abs(drawn.mean() - 5) < 4 * 10 / np.sqrt(12 * 4000)


@pytest.mark.long
def test_whims_come_as_often_as_they_should():
    # The error is 0, so every request other than the target of 2.5 is a whim: 5% less the 1 in 20
    # that rounds to 2.5 anyway, 4.75%, with standard error sqrt(0.0475 * 0.9525 / N).
    seat = Seat("noisy_person:error=0")
    first = [seat.begin(seed).takes() for seed in range(4000)]
    share = np.mean([amount != 2.5 for amount in first])
    assert abs(share - 0.0475) < 4 * np.sqrt(0.0475 * 0.9525 / 4000)


def test_it_requests_no_more_than_its_limit():
    seat = after_a_period("noisy_person:error=3")
    assert max(seat.takes(took=9) for _ in range(100)) == 10


def test_it_pays_up_to_a_fifth_of_its_wealth_in_whole_points_while_the_stock_is_low():
    seat = Seat("noisy_person", seat=2)
    drawn = [seat.pays(stock=30, wealth=[0, 0, 50, 0]) for _ in range(400)]
    assert set(drawn) == set(map(float, range(11)))


def test_it_pays_nothing_while_the_stock_is_high():
    seat = Seat("noisy_person")
    assert {seat.pays(stock=80, wealth=50) for _ in range(50)} == {0}
