"""What the archetypes are for: the sums of the manual page, and which of them escalate."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine
from tests.engine.games.sanctions_plays import steps


def sanctions_on(archetype, *given):
    """(what each seat lost or gained by reciprocity) in each period, (periods, n)."""
    game = engine.make("sanctions", archetype=archetype)
    return np.array([step.components["sanctions"] for step in steps(game, *given)])


def defect(archetype, *first):
    """What reciprocity does to seat 0, which gives `first`, among seats at the baseline."""
    core = engine.make("sanctions", archetype=archetype).core
    others = [core.baseline] * (core.seats - 1)
    return sanctions_on(archetype, *[[own, *others] for own in first])[:, 0]


def earned(own, others=10.0):
    """What seat 0 earns in the earlier lab if it gives `own`, in every period or per period."""
    game = engine.make("sanctions", archetype="lab_0_7")
    plan = own if isinstance(own, list) else [own] * 20
    return sum(step.rewards[0] for step in steps(game, *[[each] + [others] * 3 for each in plan]))


def test_the_source_sanctions_a_free_rider_by_half_a_point_and_ever_less():
    # 5 * 0.0977394 = 0.488697, see the manual page.
    found = defect("source", *[0] * 10)
    assert found[0] == pytest.approx(-0.488697, abs=1e-6)
    assert (np.diff(found) > 0).all()
    assert (found < 0).all()


def test_the_source_sanctions_repeated_defection_after_good_behaviour_more_at_first():
    # 1.5, 3 and 4.5 points below the baseline on average: the response grows with each; a second
    # breach meets less trust.
    good, small = [40.0] * 9, [25.0]
    memory = engine.make("sanctions", archetype="source", lambda_minus=0, mu_R=0)
    plays = steps(memory, *[[own] + [40.0] * 5 for own in good + small * 3])
    last = [step.components["sanctions"][0] for step in plays[-3:]]
    assert last[0] > last[1] > last[2]


@pytest.mark.parametrize("archetype", ["tr4", "coopetition_gym"])
def test_the_paper_and_the_published_game_let_a_steady_free_rider_go(archetype):
    # He never deviates from his own past of nothing.
    game = engine.make("sanctions", archetype=archetype)
    plays = steps(game, *[[0.0] + [40.0] * 5] * 15)
    assert plays[-1].components["sanctions"] == pytest.approx([0] * 6, abs=1e-9)


@pytest.mark.parametrize("archetype", ["tr4", "coopetition_gym"])
def test_there_a_new_free_rider_costs_his_partners(archetype):
    found = sanctions_on(archetype, *[[40.0] * 6] * 10, [0.0] + [40.0] * 5)[-1]
    assert found[0] == pytest.approx(0, abs=1e-9)
    assert (found[1:] < 0).all()


def total(archetype, own, others):
    """What seat 0 earns in all if it gives `own`, a number per period, and the others `others`."""
    game = engine.make("sanctions", archetype=archetype)
    return sum(step.rewards[0] for step in steps(game, *[[each] + [others] * 3 for each in own]))


def test_in_the_lab_all_who_give_all_earn_32_a_period():
    assert total("lab", [20.0] * 20, 20.0) == pytest.approx(640)


def test_in_the_lab_sanctions_grow_with_repetition_and_end_with_reform():
    # 30.19 * tanh(0.05 * 10), then 30.19 * tanh(0.05 * 20), then the first again, then nothing.
    found = defect("lab", 20.0, 0.0, 0.0, 20.0, 20.0)
    assert found == pytest.approx([0, -13.9514, -22.9926, -13.9514, 0], abs=1e-3)


@pytest.mark.parametrize("others", [0.0, 20.0])
@pytest.mark.parametrize("less", [0.0, 5.0, 10.0, 19.0])
def test_in_the_lab_no_way_of_giving_less_pays_not_even_at_the_end(less, others):
    all_of_it = total("lab", [20.0] * 20, others)
    for first, last in ((0, 20), (0, 1), (10, 15), (17, 20), (18, 20), (19, 20)):
        own = [less if first <= period < last else 20.0 for period in range(20)]
        assert total("lab", own, others) < all_of_it


@pytest.mark.parametrize("others", [0.0, 20.0])
def test_without_sanctions_every_point_given_costs_six_tenths(others):
    # 20 - a + 0.4 * (a + 3 others) in each of 20 periods
    for own in (0.0, 7.0, 20.0):
        assert total("unsanctioned", [own] * 20, others) == pytest.approx(
            20 * (20 - 0.6 * own + 1.2 * others)
        )


def test_in_the_earlier_lab_cooperators_earn_26_a_period_and_free_riders_20():
    assert earned(10.0) == pytest.approx(520)
    assert earned(0.0, others=0.0) < 20 * 20


def test_in_the_earlier_lab_a_persistent_free_rider_ends_below_the_cooperators():
    # 20 * 32 - 158.3, the sum of the manual page.
    assert earned(0.0) == pytest.approx(481.7, abs=0.1)
    assert earned(0.0) < earned(10.0)


def test_in_the_earlier_lab_free_riding_does_not_pay_in_any_period():
    # It gains 6; the sanction is 9.827 at first and 6.255 in the last period.
    found = defect("lab_0_7", *[0.0] * 20)
    assert found[0] == pytest.approx(-9.827, abs=1e-3)
    assert found[-1] == pytest.approx(-6.255, abs=1e-3)
    assert (found < -6).all()


def test_in_the_earlier_lab_giving_less_never_pays():
    for less in (9.9, 9.0, 8.0, 5.0, 2.0):
        assert earned(less) < 520


def test_in_the_earlier_lab_a_single_breach_costs_6_and_a_half_for_ten_periods():
    # tanh(0.8) = 0.664037 of 9.827, as one 0 among ten lowers the average by 1.
    found = defect("lab_0_7", *[10.0] * 9, 0.0, *[10.0] * 10)
    assert found[:9] == pytest.approx(np.zeros(9))
    assert found[9:19] == pytest.approx(np.full(10, -6.525), abs=1e-3)
    assert found[19] == pytest.approx(0)


def test_in_the_earlier_lab_a_breach_in_the_last_period_does_not_pay():
    assert earned([10.0] * 19 + [0.0]) < 520


def test_in_the_earlier_lab_a_second_breach_costs_more_than_the_first():
    # Two points below: tanh(1.6) = 0.921669 of 10.063 * 0.9765^2 = 9.5957, or 8.844.
    found = defect("lab_0_7", *[10.0] * 9, 0.0, 0.0)
    assert found[-1] == pytest.approx(-8.844, abs=1e-3)
