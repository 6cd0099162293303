"""Best responder, trust follower and noisy person."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.sanctions.seat import UNSEEN, Seat, after_a_period, table

LOG = {"production": "logarithmic", "endowment": 100, "baseline": 40}
CALM = "noisy_person:error=0;whim=0"


# -- the best responder -------------------------------------------------------------------


@pytest.mark.parametrize("contributions", [0, 10, 20, UNSEEN])
def test_the_best_response_to_a_public_good_is_nothing(contributions):
    assert after_a_period("best_responder").gives(contributions) == 0


def test_the_best_response_equates_marginal_return_and_cost():
    # No synergy: 20 / (1 + a) = 1.
    assert Seat("best_responder", **LOG, synergy=0).gives() == pytest.approx(19)


def test_it_replies_to_the_others_last_contributions():
    # Two seats, share 1/2: 20 / (1 + a) + 0.65 / 4 * sqrt(x / a) = 1. With x = a this is
    # 1 + a = 20 / (1 - 0.1625), a = 22.880597, which is then the best reply to itself.
    answer = 20 / 0.8375 - 1
    two = {**LOG, "seats": 2, "mpcr": 0.6}
    assert after_a_period("best_responder", **two).gives([50, answer]) == pytest.approx(answer)
    assert after_a_period("best_responder", **two).gives([50, 0]) == pytest.approx(19)


def test_it_assumes_that_unseen_others_give_their_baseline():
    two = {**LOG, "seats": 2, "mpcr": 0.6}
    amount = after_a_period("best_responder", **two).gives([0, 40])
    assert after_a_period("best_responder", **two).gives(UNSEEN) == amount
    assert Seat("best_responder", **two).gives([0, 7]) == amount


def test_best_responders_find_the_nash_equilibrium():
    # 19.367752 with the parameters of the source.
    steps = table(*["best_responder"] * 6, archetype="source", periods=10)
    last = steps[-1].used["contribution"]
    assert last == pytest.approx([19.367752] * 6, abs=1e-5)


# -- the trust follower -------------------------------------------------------------------


def test_the_trust_follower_gives_as_it_trusts():
    # Trust in the others 0.2, 0.3 and 0.7: 0.4 on average, of 20.
    assert Seat("trust_follower").gives(trust=[1, 0.2, 0.3, 0.7]) == pytest.approx(8)
    assert Seat("trust_follower", seat=1).gives(trust=[0.4, 1, 0.4, 0.4]) == pytest.approx(8)


def test_it_gives_nothing_without_trust_and_everything_at_full_trust():
    assert Seat("trust_follower").gives(trust=[1, 0, 0, 0]) == 0
    assert Seat("trust_follower").gives(trust=1) == 20


def test_it_uses_the_initial_trust_if_trust_is_hidden():
    assert Seat("trust_follower", initial_trust=0.25).gives(trust=UNSEEN) == 5


# -- the noisy person ---------------------------------------------------------------------


def test_without_errors_and_whims_it_starts_with_its_baseline():
    assert Seat(CALM).gives() == 10


def test_without_errors_and_whims_it_moves_half_way_to_the_others():
    # Half of 10 and half of 16.
    assert after_a_period(CALM).gives([0, 16, 16, 16]) == 13


@pytest.mark.parametrize(("imitation", "answer"), [(0, 10), (1, 16)])
def test_the_degree_of_imitation_can_be_set(imitation, answer):
    assert after_a_period(f"{CALM};imitation={imitation}").gives(16) == answer


def test_it_gives_whole_points_within_its_endowment():
    seat = after_a_period("noisy_person:error=1")
    drawn = [seat.gives(10) for _ in range(300)]
    assert set(drawn) <= set(map(float, range(21)))
    assert {0.0, 20.0} <= set(drawn)


def test_it_errs_by_a_tenth_of_its_endowment():
    # Standard deviation 2; rounding adds 1/12 to the variance: sqrt(4 + 1/12) = 2.021, with
    # standard error 2.021 / sqrt(2 N).
    seat = after_a_period("noisy_person:whim=0")
    drawn = np.array([seat.gives(10) for _ in range(4000)])
    assert abs(drawn.std() - 2.021) < 4 * 2.021 / np.sqrt(2 * 4000)
    assert abs(drawn.mean() - 10) < 4 * 2.021 / np.sqrt(4000)


@pytest.mark.long
def test_whims_come_as_often_as_they_should():
    # Every contribution other than the target of 10 is a whim: 5% less the 1 in 20 that rounds to
    # 10.
    seat = Seat("noisy_person:error=0")
    first = [seat.begin(seed).gives() for seed in range(4000)]
    share = np.mean([amount != 10 for amount in first])
    assert abs(share - 0.0475) < 4 * np.sqrt(0.0475 * 0.9525 / 4000)
