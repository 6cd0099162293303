"""Sums over seats: one promise at every batch shape and memory layout."""

from __future__ import annotations

import numpy as np
import pytest

from mixed_company.engine.contract.arrays import over_seats


@pytest.mark.parametrize("seats", [1, 3, 4, 8, 20, 150])
@pytest.mark.parametrize("plays", [1, 3, 400])
def test_a_sum_is_that_of_one_after_the_other_however_it_lies_in_memory(seats, plays):
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


def test_truth_values_and_small_integers_are_counted():
    assert over_seats(np.array([True, True, False])) == 2
    assert over_seats(np.full((2, 300), 100, dtype=np.int8)).tolist() == [30_000, 30_000]
