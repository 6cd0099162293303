"""How unequally points are spread."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["gini"]


def gini(points: Array) -> Array:
    """The Gini coefficient of each row of (.., n) points; NaN where somebody has less than none.

    The mean absolute difference over twice the mean: 0 where all have the same, or nothing, and
    1 - 1/n where one has all. Source: Sen (1973), On Economic Inequality, 2.8.1.
    """
    apart = np.abs(points[..., :, None] - points[..., None, :]).sum(axis=(-2, -1))
    total = points.sum(axis=-1)
    shares = apart / np.where(total > 0, 2 * points.shape[-1] * total, 1.0)
    return np.where((points < 0).any(axis=-1), np.nan, shares)
