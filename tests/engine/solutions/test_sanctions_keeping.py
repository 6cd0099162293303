"""Range in which meeting the expectation is the best reply: exact for `graduated`, tested for every
size.

By hand: S = 5 * 470 * 0.5 * 1.35 * 0.35^1.5 * 0.6 = 197.07. Each point held back gains 0.6. The
chord of S tanh(0.01 x) up to x = 100 has the slope c = 197.07 * 0.761594 / 100 = 1.50087 per point.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from mixed_company import engine
from mixed_company.engine.solutions import sanctions as solutions

STATED = 0.82
"""Lowest discount at which keeping is the best reply after every history, as the manual states
it."""


def graduated(**core):
    return engine.make("sanctions", archetype="graduated", **core)


def test_the_discounts_of_the_manual():
    rules = graduated()
    assert solutions.least_discount(rules) == pytest.approx(0.713, abs=5e-4)
    assert solutions.enough_discount(rules) == pytest.approx(0.768, abs=5e-4)
    assert solutions.reforming_discount(rules) == pytest.approx(0.811, abs=5e-4)
    assert solutions.reforming_discount(rules) < STATED


def test_the_discount_that_is_enough_is_right_by_hand():
    # (1.50087 / 10) (1 + d + ... + d^9) = 0.6
    result = solutions.enough_discount(graduated())
    assert 0.150087 * sum(result**period for period in range(10)) == pytest.approx(0.6, abs=1e-4)


@pytest.mark.parametrize("discount", [1.0, 0.9, 0.6])
def test_the_exact_reply_is_the_best_of_all_on_a_grid(discount):
    rules = graduated(periods=6, memory=3)
    plays = np.array(list(itertools.product([0, 20, 60, 90, 100], repeat=6)), dtype=float)
    earned = solutions.returns(rules, plays, 100.0, discount)
    reply = solutions.exact_reply(rules, discount)
    assert earned.max() == pytest.approx(reply.value, rel=1e-12)
    assert set(reply.contributions) <= {0, 100}


@pytest.mark.parametrize("discount", [1.0, 0.7])
@pytest.mark.parametrize("kappa", [0.003, 0.02])
def test_the_exact_reply_is_the_best_of_all_if_the_memory_starts_empty_too(discount, kappa):
    rules = graduated(periods=6, memory=3, window="inclusive", kappa=kappa)
    plays = np.array(list(itertools.product([0, 20, 60, 90, 100], repeat=6)), dtype=float)
    earned = solutions.returns(rules, plays, 100.0, discount)
    assert earned.max() == pytest.approx(solutions.exact_reply(rules, discount).value, rel=1e-12)


def test_in_the_lab_of_release_0_8_giving_everything_is_the_best_reply():
    # 20 periods of 32 points: holding back 20 would gain 8, and cost more each time.
    reply = solutions.exact_reply(engine.make("sanctions", archetype="lab_0_8"))
    assert reply.contributions.tolist() == [20.0] * 20
    assert reply.value == reply.bound == pytest.approx(640.0)


@pytest.mark.parametrize("periods", [10, 20, 200])
def test_only_the_last_three_periods_of_a_play_are_without_deterrence(periods):
    reply = solutions.exact_reply(graduated(periods=periods))
    assert reply.contributions.tolist() == [100.0] * (periods - 3) + [0.0] * 3
    # 60 are gained three times, and 197.07 times tanh(0.1), tanh(0.2), tanh(0.3) are lost.
    assert reply.value - 240 * periods == pytest.approx(180 - 19.642 - 38.897 - 57.410, abs=1e-2)


def histories():
    """Return amounts held back in ten past periods, shape (H, 10): nothing, everything, several
    sizes, and random amounts.
    """
    rng = np.random.default_rng(3)
    sizes = np.array([0, 1, 10, 40, 100])[:, None] * np.ones(10)
    return np.vstack([sizes, rng.uniform(0, 100, (5, 10)), 100 * rng.integers(0, 2, (5, 10))])


def plans():
    """Return amounts held back later, shape (P, 50): every size once, ten times and permanently,
    and random amounts.
    """
    rng = np.random.default_rng(4)
    held = [np.zeros(50)]
    for size in (0.01, 0.1, 1, 2, 5, 10, 25, 40, 60, 80, 100):
        held += [np.where(np.arange(50) < last, size, 0.0) for last in (1, 5, 10, 20)]
        held.append(np.full(50, float(size)))
    drawn = rng.uniform(0, 100, (30, 50)) * rng.integers(0, 2, (30, 50))
    return np.vstack([*held, drawn, 100.0 * rng.integers(0, 2, (30, 50))])


@pytest.mark.few(1)
@pytest.mark.parametrize("discount", [STATED, 0.9, 0.97, 1.0])
def test_from_the_stated_discount_on_no_plan_pays_after_any_history(discount):
    # Ten more periods of keeping, so no plan escapes its sanctions because of the end.
    later = plans()
    after = np.hstack([later, np.zeros((len(later), 10))])
    rules = graduated(periods=10 + after.shape[1])
    for history in histories():
        short = np.hstack([np.repeat(history[None], len(later), axis=0), after])
        earned = solutions.returns(rules, 100.0 - short, 100.0, discount)
        assert earned[0] >= earned.max() - 1e-9, history
        assert (earned[1:] < earned[0]).all(), history


def test_below_the_range_a_lasting_deviation_pays():
    rules = graduated(periods=60)
    kept, free = solutions.returns(rules, np.array([[100.0] * 60, [0.0] * 60]), 100.0, 0.7)
    assert free > kept


def test_just_below_the_range_a_seat_that_never_reformed_need_not_reform():
    rules = graduated(periods=120)
    plays = np.full((2, 120), 0.0)
    plays[0, 10:] = 100.0
    reformed, lasting = solutions.returns(rules, plays, 100.0, 0.80)
    assert lasting > reformed
    reformed, lasting = solutions.returns(rules, plays, 100.0, STATED)
    assert reformed > lasting


def test_weak_sanctions_deter_nobody_and_strong_ones_everybody():
    # With c = 0.6 only infinitely patient seats are deterred: 470 / 2.5015 = 187.9. At ten times
    # 187.9 the first sanction outweighs the gain, whatever comes later.
    weak, strong = graduated(lambda_R=180.0), graduated(lambda_R=1900.0)
    assert solutions.enough_discount(weak) == 1.0
    assert solutions.enough_discount(strong) < 1e-5


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"baseline": 40.0}, "baseline = 40.0: exact replies are known only for 100.0"),
        ({"window": "prior"}, "window = 'prior': exact replies are known only for 'full' and"),
        ({"kappa_T": 1.0}, "kappa_T = 1.0: exact replies are known only for 0.0"),
        ({"memory": 15}, "memory = 15: exact replies are computed only for memory up to 14"),
    ],
)
def test_a_game_of_another_kind_is_refused_by_name(changes, message):
    with pytest.raises(ValueError, match=message):
        solutions.exact_reply(graduated(**changes))


@pytest.mark.parametrize(
    "discount", [solutions.enough_discount, solutions.least_discount, solutions.reforming_discount]
)
def test_no_discount_is_given_if_the_memory_is_not_full_from_the_start(discount):
    with pytest.raises(
        ValueError, match="window = 'inclusive': discounts are known only for 'full'"
    ):
        discount(graduated(window="inclusive"))
