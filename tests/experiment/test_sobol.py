"""The Sobol sequence is the one of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats.qmc import Sobol

from mixed_company.experiment import sobol


def test_the_first_points_are_those_of_the_definition():
    """Column 1 has direction numbers 1/2, 1/4, ...; column 2, of the polynomial x + 1 with m = 1,
    has m = 1, 3, ..., so 1/2, 3/4, ... Gray code changes digits 0, 1, 0: 1/2; 1/2 xor 1/4 = 3/4 and
    1/2 xor 3/4 = 1/4; then 3/4 xor 1/2 = 1/4 and 1/4 xor 1/2 = 3/4."""
    rows = sobol.points(4, 2) / 2**sobol.BITS
    assert rows.tolist() == [[0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75]]


def test_all_columns_are_those_of_scipy():
    sequence = Sobol(sobol.MOST_COLUMNS, scramble=False, bits=sobol.BITS).random_base2(10)
    assert np.array_equal(sobol.points(1024, sobol.MOST_COLUMNS), sequence * 2**sobol.BITS)


@pytest.mark.parametrize("rows", [1, 2, 5])
def test_a_longer_sequence_begins_with_the_same_points(rows):
    assert np.array_equal(sobol.points(8, 3)[:rows], sobol.points(rows, 3))
