"""Policies that react to others' harvests: imitation, retaliation, the grim trigger."""

from __future__ import annotations

import pytest

from tests.bots.scripted.commons_game.seat import UNSEEN, Seat, after_a_period

RECIPROCAL = ["conditional_cooperator", "tit_for_tat", "grim_trigger"]


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_start_with_their_share_and_never_pay(name):
    assert Seat(name).sees(took=0, wealth=50, stock=50) == {"harvest": 2.5, "contribution": 0}


@pytest.mark.parametrize("name", ["tit_for_tat", "grim_trigger"])
def test_those_that_retaliate_start_with_a_share_of_what_regrows(name):
    # 0.4 * 25 * 0.75 = 7.5, or 1.875 each.
    assert Seat(name).takes(stock=25) == 1.875


@pytest.mark.parametrize(("name", "limit"), [("tit_for_tat", 1.05), ("grim_trigger", 1.25)])
def test_those_that_retaliate_judge_by_the_share_of_the_same_period(name, limit):
    # A share of 1.875 from 25 fish, and of 2.5 from 50: in the second period the others are judged
    # by the first share, and in the third by the second.
    for more, answers in ((-0.01, (2.5, 2.5)), (0.01, (10, 10))):
        seat = Seat(name)
        seat.takes(stock=25)
        assert seat.takes(stock=50, took=1.875 * limit + more) == answers[0]
    seat = Seat(name)
    seat.takes(stock=25)
    assert [seat.takes(stock=50, took=took) for took in (1.875, 2.5 * limit - 0.01)] == [2.5, 2.5]
    assert seat.takes(stock=50, took=2.5 * limit + 0.01) == 10


def test_a_conditional_cooperator_starts_with_a_share_of_the_best_yield_whatever_the_stock():
    assert Seat("conditional_cooperator").takes(stock=1) == 2.5


@pytest.mark.parametrize("name", RECIPROCAL)
def test_none_of_them_looks_at_its_own_harvest(name):
    seen = [after_a_period(name).takes(took=[harvest, 2, 2, 2]) for harvest in (0, 10)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", RECIPROCAL)
def test_each_of_them_knows_its_own_seat(name):
    first = after_a_period(name, seat=0).takes(took=[10, 2, 2, 2])
    third = after_a_period(name, seat=2).takes(took=[2, 2, 10, 2])
    assert first == third


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_judge_only_the_seats_they_can_see(name):
    shown = after_a_period(name).takes(took=[0, 2, UNSEEN, 2])
    assert shown == after_a_period(name).takes(took=2)


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_take_their_share_while_they_can_see_nobody(name):
    assert after_a_period(name).takes(took=UNSEEN) == 2.5


def test_conditional_cooperator_takes_a_tenth_more_than_the_others_did():
    # The others took 1, 3 and 5: 3 on average, and a tenth more is 3.3.
    assert after_a_period("conditional_cooperator").takes(took=[9, 1, 3, 5]) == pytest.approx(3.3)


def test_conditional_cooperator_takes_nothing_if_nobody_does():
    assert after_a_period("conditional_cooperator").takes(took=0) == 0


def test_conditional_cooperator_requests_no_more_than_its_limit():
    assert after_a_period("conditional_cooperator").takes(took=9.5) == 10


def test_the_bias_of_a_conditional_cooperator_can_be_set():
    assert after_a_period("conditional_cooperator:bias=0").takes(took=3) == 3
    # A tenth less: 3 - 0.3.
    below = after_a_period("conditional_cooperator:bias=-0.1").takes(took=3)
    assert below == pytest.approx(2.7)


@pytest.mark.parametrize(("took", "answer"), [(2.5, 2.5), (2.62, 2.5), (2.63, 10), (10, 10)])
def test_tit_for_tat_keeps_to_its_share_if_the_others_do(took, answer):
    # Its tolerance is a twentieth: 2.5 * 1.05 = 2.625.
    assert after_a_period("tit_for_tat").takes(took=took) == answer


def test_tit_for_tat_forgives_immediately():
    seat = after_a_period("tit_for_tat")
    assert [seat.takes(took=took) for took in (2.5, 8, 2.5)] == [2.5, 10, 2.5]


def test_tit_for_tat_judges_the_mean_not_the_worst():
    # One took 7, two took nothing: 2.33 on average.
    assert after_a_period("tit_for_tat").takes(took=[0, 7, 0, 0]) == 2.5


@pytest.mark.parametrize(("took", "answer"), [(2.5, 2.5), (3.12, 2.5), (3.13, 10)])
def test_grim_trigger_tolerates_a_quarter_more_than_the_share(took, answer):
    # 2.5 * 1.25 = 3.125.
    assert after_a_period("grim_trigger").takes(took=took) == answer


def test_grim_trigger_never_forgives():
    seat = after_a_period("grim_trigger")
    assert [seat.takes(took=took) for took in (2.5, 8, 2.5, 0)] == [2.5, 10, 10, 10]


def test_the_tolerance_of_both_can_be_set():
    assert after_a_period("tit_for_tat:tolerance=1").takes(took=4.9) == 2.5
    assert after_a_period("grim_trigger:tolerance=0").takes(took=2.6) == 10


def test_imitator_starts_with_a_share_of_the_best_yield_and_never_pays():
    assert Seat("imitator").sees(took=9, wealth=50, stock=1) == {"harvest": 2.5, "contribution": 0}


@pytest.mark.parametrize("took", [[1, 3, 7, 0], [7, 3, 0, 0]])
def test_imitator_takes_as_much_as_the_player_who_took_most_be_it_itself(took):
    assert after_a_period("imitator").takes(took=took) == 7


def test_imitator_looks_one_period_back():
    seat = after_a_period("imitator")
    assert [seat.takes(took=took) for took in (8, 2, 0)] == [8, 2, 0]


def test_imitator_considers_only_the_seats_it_can_see():
    assert after_a_period("imitator").takes(took=[1, 2, UNSEEN, 0]) == 2
    assert after_a_period("imitator").takes(took=UNSEEN) == 2.5
