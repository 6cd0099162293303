"""`graduated` does what the source describes in words, for every deviation; `source` does not.

By hand: each of six seats is sanctioned by five others, each by at most 470 * 0.5 * 1.35 *
0.124238. That is 197.07 in total, times tanh(0.01 * x) if the remembered average is x points below
100.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company import engine

MEMORY, BASELINE, GAIN = 10, 100.0, 0.6
SIZES = np.array([0.01, 0.1, 1, 2, 5, 10, 25, 40, 60, 80, 95, 100])
"""Shortfalls below the expected contribution, from a tiny amount to everything."""


def sanctions(archetype, short):
    """Return the losses of seat 0, shape (B, T), if it gives `short` (B, T) points less than its
    baseline.
    """
    game = engine.make("sanctions", archetype=archetype, periods=short.shape[1])
    state, _ = game.reset(np.zeros(len(short), dtype=int))
    taken = []
    for amounts in short.T:
        contributions = np.full((len(short), game.seats), game.core.baseline)
        contributions[:, 0] -= amounts
        state, outcome = game.step(state, {"contribution": contributions}, {})
        taken.append(-outcome.components["sanctions"][:, 0])
        assert np.abs(outcome.components["sanctions"][:, 1:]).max() < 1e-12
    return np.stack(taken, axis=1)


def from_period(first, sizes=SIZES, until=None, periods=60):
    """Return the same deviation from one period until another, one row per size, shape (B, T)."""
    short = np.zeros((len(sizes), periods))
    short[:, first:until] = sizes[:, None]
    return short


def test_the_first_offence_costs_a_third_of_its_gain_and_the_tenth_250_per_cent():
    # 197.07 times tanh(0.1) = 0.099668 is 19.64, and times tanh(1) = 0.761594 it is 150.09; 60 are
    # gained.
    taken = sanctions("graduated", from_period(5))[-1]
    assert taken[5] == pytest.approx(19.642, abs=1e-3)
    assert taken[14] == pytest.approx(150.088, abs=1e-3)
    assert taken[5] / (GAIN * 100) == pytest.approx(0.327, abs=1e-3)
    assert taken[14] / (GAIN * 100) == pytest.approx(2.501, abs=1e-3)


@pytest.mark.parametrize("first", [0, 3, 25])
def test_sanctions_on_a_repeated_deviation_grow_until_it_fills_the_memory(first):
    taken = sanctions("graduated", from_period(first))
    assert (taken[:, :first] == 0).all()
    assert (np.diff(taken[:, first : first + MEMORY], axis=1) > 0).all()


@pytest.mark.parametrize("first", [0, 3, 25])
def test_the_sanction_of_a_lasting_deviation_never_fades(first):
    taken = sanctions("graduated", from_period(first, periods=200))[:, first + MEMORY - 1 :]
    assert taken == pytest.approx(np.broadcast_to(taken[:, :1], taken.shape), rel=1e-12)


@pytest.mark.parametrize("until", [6, 10, 40])
def test_a_larger_deviation_is_sanctioned_more_in_every_period(until):
    taken = sanctions("graduated", from_period(5, until=until))
    assert (np.diff(taken[:, 5 : until + MEMORY - 1], axis=0) > 0).all()


@pytest.mark.parametrize("until", [6, 10, 15, 40])
def test_sanctions_never_grow_after_reform_and_end_with_the_tenth_period(until):
    taken = sanctions("graduated", from_period(5, until=until))
    assert (np.diff(taken[:, until - 1 :], axis=1) <= 1e-12).all()
    assert (taken[:, until + MEMORY - 2] > 0).all()
    assert (taken[:, until + MEMORY - 1 :] == 0).all()


def test_after_a_lasting_deviation_every_period_of_reform_is_sanctioned_less():
    taken = sanctions("graduated", from_period(5, until=30))
    assert (np.diff(taken[:, 29 : 30 + MEMORY], axis=1) < 0).all()


def test_a_reformed_seat_is_sanctioned_for_a_new_offence_as_if_it_were_its_first():
    short = from_period(5, until=6) + from_period(20, until=21)
    taken = sanctions("graduated", short)
    assert taken[:, 20].tolist() == taken[:, 5].tolist()


def test_a_partial_return_is_sanctioned_less_than_going_on():
    half = from_period(5, periods=40)
    half[:, 20:] /= 2
    taken = sanctions("graduated", half)
    assert (taken[:, 39] < taken[:, 19]).all()
    assert (taken[:, 39] > 0).all()


def test_the_source_has_none_of_these_properties():
    sizes = np.array([0.5, 1, 2, 5, 10, 25, 40])
    taken = sanctions("source", from_period(10, sizes))
    # 0.487 at first for withholding everything, and less in each further period
    assert taken[-1, 10] == pytest.approx(0.487, abs=1e-3)
    assert (np.diff(taken[-1, 10:20]) < 0).all()
    # a lasting deviation of any size goes unsanctioned in the end
    assert (taken[:, 59] < 1e-3 * taken.max(axis=1)).all()
    # only small ones are sanctioned more when repeated, for four periods at most
    assert (taken[:, 11] > taken[:, 10]).tolist() == [True] * 4 + [False] * 3
    assert taken.argmax(axis=1).max() == 14
