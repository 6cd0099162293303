"""The Sobol sequence: points that cover a cube more evenly than independent draws do.

    points(8, 2)   # 8 rows of 2 whole numbers below 2**BITS

The first 2**k points have exactly one number of every column in each interval of length 2**-k
(Sobol' 1967). Direction numbers are those of Joe and Kuo (2008), "Constructing Sobol sequences with
better two-dimensional projections", SIAM Journal on Scientific Computing, 30(5), 2635-2654.

`scipy.stats.qmc` has the same sequence. Importing it takes a second of processor time, and a server
that has a plan with a space would spend this second at every start.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["BITS", "MOST_COLUMNS", "points"]

BITS = 30
"""Binary digits of each number."""

_DIRECTIONS = (  # of the second column and later ones: polynomial without its ends, first numbers
    (0, (1,)),
    (1, (1, 3)),
    (1, (1, 3, 1)),
    (2, (1, 1, 1)),
    (1, (1, 1, 3, 3)),
    (4, (1, 3, 5, 13)),
    (2, (1, 1, 5, 5, 17)),
    (4, (1, 1, 5, 5, 5)),
    (7, (1, 1, 7, 11, 19)),
    (11, (1, 1, 5, 1, 1)),
    (13, (1, 1, 1, 3, 11)),
    (14, (1, 3, 5, 5, 31)),
    (1, (1, 3, 3, 9, 7, 49)),
    (13, (1, 1, 1, 15, 21, 21)),
    (16, (1, 3, 1, 13, 27, 49)),
    (19, (1, 1, 1, 15, 7, 5)),
    (22, (1, 3, 1, 15, 13, 25)),
    (25, (1, 1, 5, 5, 19, 61)),
    (1, (1, 3, 7, 11, 23, 15, 103)),
    (4, (1, 3, 7, 13, 13, 15, 69)),
)
MOST_COLUMNS = 1 + len(_DIRECTIONS)


def points(rows: int, columns: int) -> Array:
    """Return the first rows of the sequence, in its order by Gray code, from 0."""
    directions = np.array([_directions(column) for column in range(columns)], dtype=np.uint64)
    numbers = np.zeros((rows, columns), dtype=np.uint64)
    for row in range(1, rows):
        lowest = (row & -row).bit_length() - 1  # the digit in which the Gray code changes
        numbers[row] = numbers[row - 1] ^ directions[:, lowest]
    return numbers


def _directions(column: int) -> list[int]:
    """Return the direction numbers of a column, shifted to BITS binary digits."""
    if column == 0:
        return [1 << (BITS - 1 - place) for place in range(BITS)]
    polynomial, first = _DIRECTIONS[column - 1]
    degree, numbers = len(first), list(first)
    for place in range(degree, BITS):
        number = numbers[place - degree] ^ (numbers[place - degree] << degree)
        for term in range(1, degree):
            if polynomial >> (degree - 1 - term) & 1:
                number ^= numbers[place - term] << term
        numbers.append(number)
    return [number << (BITS - 1 - place) for place, number in enumerate(numbers)]
