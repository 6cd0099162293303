"""Policies that react to others' contributions: conditional cooperation, retaliation, the hump."""

from __future__ import annotations

import numpy as np
import pytest

from tests.bots.scripted.sanctions.seat import UNSEEN, Seat, after_a_period, contributions, table

RECIPROCAL = [
    "conditional_cooperator",
    "tit_for_tat",
    "generous_tit_for_tat",
    "grim_trigger",
    "hump_shaped",
]
TRIGGERS = ["tit_for_tat", "generous_tit_for_tat:generosity=0", "grim_trigger"]


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_start_with_their_baseline(name):
    assert Seat(name).gives(0) == 10
    assert Seat(name, seat=2, baseline=[1, 2, 3, 4]).gives(0) == 3


@pytest.mark.parametrize("name", RECIPROCAL)
def test_none_of_them_looks_at_its_own_contribution(name):
    seen = [after_a_period(name).gives([contribution, 9, 8, 4]) for contribution in (0, 20)]
    assert seen[0] == seen[1]


@pytest.mark.parametrize("name", RECIPROCAL)
def test_each_of_them_knows_its_own_seat(name):
    first = after_a_period(name, seat=0).gives([20, 8, 8, 8])
    third = after_a_period(name, seat=2).gives([8, 8, 20, 8])
    assert first == third


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_judge_only_the_seats_they_can_see(name):
    shown = after_a_period(name).gives([0, 8, UNSEEN, 8])
    assert shown == after_a_period(name).gives(8)


@pytest.mark.parametrize("name", RECIPROCAL)
def test_all_of_them_give_their_baseline_while_they_can_see_nobody(name):
    assert after_a_period(name).gives(UNSEEN) == 10


def test_the_conditional_cooperator_gives_a_tenth_less_than_the_others_did():
    # The others gave 4, 10 and 16: 10 on average, and a tenth less is 9.
    assert after_a_period("conditional_cooperator").gives([0, 4, 10, 16]) == pytest.approx(9)
    assert after_a_period("conditional_cooperator:bias=0.5").gives(10) == 5


def test_the_conditional_cooperator_gives_no_more_than_it_has():
    rich = after_a_period("conditional_cooperator:bias=0", endowment=[10, 90, 90, 90], baseline=5)
    assert rich.gives(60) == 10


@pytest.mark.parametrize("spec", TRIGGERS)
def test_retaliation_is_to_give_nothing(spec):
    assert after_a_period(spec).gives([10, 10, 10, 0]) == 0


@pytest.mark.parametrize(
    ("spec", "least"), [(TRIGGERS[0], 9.5), (TRIGGERS[1], 9.5), (TRIGGERS[2], 7.5)]
)
def test_the_tolerance_below_the_baseline(spec, least):
    # A twentieth, a twentieth and a quarter of 10.
    assert after_a_period(spec).gives(least) == 10
    assert after_a_period(spec).gives(least - 0.01) == 0


@pytest.mark.parametrize("spec", TRIGGERS)
def test_a_seat_that_gives_more_makes_up_for_one_that_gives_less(spec):
    assert after_a_period(spec).gives([0, 4, 10, 16]) == 10


def test_every_seat_is_held_to_its_own_baseline():
    # Seats 1 to 3 owe 1, 5 and 6: together 12.
    for contribution, answer in (([0, 1, 5, 6], 10), ([20, 1, 5, 5], 0)):
        assert after_a_period("tit_for_tat", baseline=[10, 1, 5, 6]).gives(contribution) == answer


def test_tit_for_tat_forgives_immediately_and_grim_trigger_never():
    for name, answers in (("tit_for_tat", [10, 0, 10, 10]), ("grim_trigger", [10, 0, 0, 0])):
        seat = after_a_period(name)
        assert [seat.gives(contribution) for contribution in (10, 2, 10, 20)] == answers


def test_the_generous_forgive_every_third_breach():
    # A share of 1/3 with standard error sqrt(2/9 / N).
    seat = after_a_period("generous_tit_for_tat")
    forgiven = np.mean([seat.gives(0) == 10 for _ in range(3000)])
    assert abs(forgiven - 1 / 3) < 4 * np.sqrt(2 / 9 / 3000)


def test_the_degree_of_generosity_can_be_set():
    assert after_a_period("generous_tit_for_tat:generosity=1").gives(0) == 10


@pytest.mark.parametrize(
    ("contribution", "answer"), [(0, 0), (4, 4), (10, 10), (12, 8), (16, 4), (20, 0)]
)
def test_the_hump_rises_to_half_the_endowment_and_falls_again(contribution, answer):
    assert after_a_period("hump_shaped").gives(contribution) == answer


def test_the_hump_never_gives_less_than_nothing():
    poor = after_a_period("hump_shaped", endowment=[10, 90, 90, 90], baseline=5)
    assert poor.gives(60) == 0


# -- reactions to sanctions -----------------------------------------------------------------------

SANCTIONED = [[0, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0], [-1, 0, 0, 0]]
"""Effects by which seats 1, 2 and 3 each take a point from seat 0."""


def test_the_sanction_averse_follows_the_others_while_there_are_no_sanctions():
    seat = Seat("sanction_averse")
    assert seat.gives() == 10
    assert seat.gives([0, 4, 10, 16]) == pytest.approx(9)
    # a seat that loses from one seat and gains as much from another was not sanctioned
    even = [[0, 0, 0, 0], [-1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]]
    assert seat.gives([0, 4, 10, 16], effects=even) == pytest.approx(9)


def test_the_sanction_averse_gives_more_after_a_sanction():
    # A tenth of the endowment of 20 on top of its own 6, whatever the others gave.
    assert after_a_period("sanction_averse").gives([6, 0, 0, 0], effects=SANCTIONED) == 8
    assert after_a_period("sanction_averse:step=0.5").gives([6, 0, 0, 0], effects=SANCTIONED) == 16
    assert after_a_period("sanction_averse").gives([19, 0, 0, 0], effects=SANCTIONED) == 20


def test_a_sanction_on_another_seat_changes_nothing():
    other = after_a_period("sanction_averse", seat=1)
    assert other.gives([10, 6, 10, 10], effects=SANCTIONED) == pytest.approx(9)


def test_if_the_observer_bears_the_effect_the_seats_own_row_is_used():
    seat = after_a_period("sanction_averse", seat=1, falls_on="observer")
    assert seat.gives([0, 6, 0, 0], effects=SANCTIONED) == 8


def test_a_sanction_that_is_not_shown_changes_nothing():
    seat = after_a_period("sanction_averse")
    assert seat.gives([6, 10, 10, 10], effects=UNSEEN) == pytest.approx(9)


def test_cooperation_decays_without_sanctions_and_stays_with_them():
    # Without sanctions, each period has nine tenths of the previous one: 10 * 0.9^19 = 1.35 in the
    # last.
    without = table(*["sanction_averse"] * 4, lambda_R=0.0)
    assert contributions(without, 0)[-1] == pytest.approx(10 * 0.9**19)
    assert min(contributions(table(*["sanction_averse"] * 4), 0)) > 7
