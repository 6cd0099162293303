"""Array functions used everywhere: reproducible sums, masks, freezing, graphs, inequality."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays, Field

ROUNDING = 1e-9
"""Threshold below which points, shares and amounts count as 0."""

_FEW = 300


def over_seats(values: Array) -> Array:
    """Return the sum over the last axis, added in order: bit for bit the same for any shape and
    layout.

    `np.add.reduce` groups terms differently depending on their number and memory layout. Both
    branches return the same sum; the first is faster for few numbers.
    """
    if values.dtype.kind != "f":
        values = values.astype(np.int64)
    if values.size < _FEW:
        running: Array = np.add.accumulate(values, axis=-1)
        return running[..., -1]
    summed: Array = reduce(np.add, values.T).T
    return summed


def total(components: Arrays) -> Array:
    """Return the points (n,): the sum of the components, added in order."""
    first, *others = components.values()
    earned = first
    for value in others:
        earned = earned + value
    return earned


def frozen(arrays: Arrays) -> Arrays:
    """Make arrays, and any arrays that they are views of, read-only, and return them."""
    for name in arrays:
        value = arrays[name]
        if value.flags.writeable:
            value.setflags(write=False)
        whole: Any = value.base
        while whole is not None and isinstance(whole, np.ndarray):
            whole.setflags(write=False)
            whole = whole.base
    return arrays


def masked(
    value: Array, hidden: Array, public: bool, batch: tuple[int, ...], blank: Any = np.nan
) -> Array:
    """Return a value per seat, with `blank` for seats that must not see it.

    value   batch + shape if it is public, else batch + (n,) + shape
    hidden  (n,) or batch + (n,)
    """
    shown = np.expand_dims(value, len(batch)) if public else value
    axes = shown.ndim - len(batch) - 1
    return np.where(hidden.reshape(hidden.shape + (1,) * axes), blank, shown)


def neighbours(graph: str | Iterable[tuple[int, int]], seats: int) -> Array:
    """Return flags (n, n): whether seat i sees seat j. Each seat sees itself; the graph is
    undirected.

    graph   `ring` or `complete`, or pairs of seats
    """
    if graph == "complete":
        return np.ones((seats, seats), dtype=np.bool_)
    ring = [(seat, (seat + 1) % seats) for seat in range(seats)]
    seen = np.eye(seats, dtype=np.bool_)
    for i, j in ring if isinstance(graph, str) else graph:
        seen[i, j] = seen[j, i] = True
    return seen


def spread(components: Iterable[Field]) -> tuple[float, float]:
    """Return the smallest and the largest sum of components with these ranges."""
    fields = list(components)
    return sum(field.low for field in fields), sum(field.high for field in fields)


def gini(points: Array) -> Array:
    """Return the Gini coefficient of each row of (.., n) points; NaN if a number is negative.

    It is the mean absolute difference divided by twice the mean: 0 if all amounts are equal, and (n
    - 1) / n if one seat has everything. Source: Sen (1973), On Economic Inequality, 2.8.1.
    """
    apart = np.abs(points[..., :, None] - points[..., None, :]).sum(axis=(-2, -1))
    everything = points.sum(axis=-1)
    shares = apart / np.where(everything > 0, 2 * points.shape[-1] * everything, 1.0)
    return np.where((points < 0).any(axis=-1), np.nan, shares)
