"""Sums over seats are the same for every batch shape and memory layout. Inequality is calculated by
hand.
"""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.contract.arrays import gini, over_seats


@pytest.mark.parametrize("seats", [1, 3, 4, 8, 20, 150])
@pytest.mark.parametrize("plays", [1, 3, 400])
def test_a_sum_is_sequential_whatever_the_memory_layout(seats, plays):
    values = np.random.default_rng(seats).uniform(0, 10, (plays, seats))
    expected = []
    for row in values.tolist():
        total = row[0]
        for value in row[1:]:
            total += value
        expected.append(total)
    layouts = [values, np.asfortranarray(values), np.repeat(values, 2, axis=1)[:, ::2]]
    for laid_out in layouts:
        assert over_seats(laid_out).tolist() == expected
    assert [over_seats(row) for row in values] == expected


def test_booleans_and_small_integers_are_counted():
    assert over_seats(np.array([True, True, False])) == 2
    assert over_seats(np.full((2, 300), 100, dtype=np.int8)).tolist() == [30_000, 30_000]


@pytest.mark.parametrize(
    ("points", "expected"),
    [
        ([5, 5, 5, 5], 0),
        ([0, 0, 0], 0),
        # One seat holds all 4: differences 3 * 4 twice = 24, over 2 * 4 seats * total 4 = 32.
        ([4, 0, 0, 0], 0.75),
        # Twice |1 - 3| = 4, over 2 * 2 * 4 = 16.
        ([1, 3], 0.25),
        # |1-2| + |1-3| + |2-3| = 4, twice 8, over 2 * 3 * 6 = 36.
        ([1, 2, 3], 8 / 36),
    ],
)
def test_gini_by_hand(points, expected):
    assert gini(np.array(points, dtype=float)) == pytest.approx(expected)


def test_gini_does_not_depend_on_the_unit_or_the_order():
    assert gini(np.array([1.0, 2.0, 7.0])) == pytest.approx(gini(np.array([70.0, 10.0, 20.0])))


def test_gini_of_many_plays_is_0_for_equals_and_unknown_for_losses():
    result = gini(np.array([[1.0, 1.0], [0.0, 0.0], [0.0, 4.0], [-1.0, 4.0]]))
    assert result[:3].tolist() == [0.0, 0.0, 0.5]
    assert np.isnan(result[3])
