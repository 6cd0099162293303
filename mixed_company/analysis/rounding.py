"""Equality of numbers up to rounding.

As measured values, 0.3 and 0.1 + 0.2 are the same number and have the same rank. Numbers count as
equal if they differ by less than a billionth of the largest one, or of 1 if that is larger.

    alike(values)    whether all numbers are equal
    levels(values)   integers in the same order as the values
    ranks(values)    mean ranks for ties
"""

from __future__ import annotations

import numpy as np
from scipy import stats

from mixed_company.engine.contract.space import Array

TINY = 1e-9


def size(values: Array) -> Array:
    """Return the scale for rounding: the largest absolute value of (..., n), but at least 1."""
    return np.asarray(np.maximum(1.0, np.abs(values).max(axis=-1, initial=0.0)))


def alike(values: Array) -> bool:
    """Return whether there is at least one value and all values are equal."""
    return len(values) > 0 and bool(np.ptp(values) <= TINY * size(values))


def levels(values: Array) -> Array:
    """Return whole numbers, starting at 0, in the same order as the values (..., n); equal values
    have the same number.

    >>> levels(np.array([0.1 + 0.2, 5.0, 0.3])).tolist()
    [0, 1, 0]
    """
    order = np.argsort(values, axis=-1, kind="stable")
    ordered = np.take_along_axis(values, order, axis=-1)
    apart = np.diff(ordered, axis=-1, prepend=ordered[..., :1]) > TINY * size(values)[..., None]
    numbers = np.cumsum(apart, axis=-1)
    placed = np.empty_like(numbers)
    np.put_along_axis(placed, order, numbers, axis=-1)
    return placed


def ranks(values: Array) -> Array:
    """Return the ranks from 1, shape (..., n); ties get their mean rank."""
    return np.asarray(stats.rankdata(levels(values), axis=-1))
