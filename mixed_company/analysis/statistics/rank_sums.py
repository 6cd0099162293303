"""The exact distribution of the sum of ranks, with ties, for samples of every size at once.

By counting: of how many sets of k units do the ranks add up to s? A unit after the other is in a
set or not, so the counts follow by addition (Streitberg and Roehmel 1986, Statistical Software
Newsletter 12(1), the shift algorithm). Ranks of ties are halves; twice the ranks are whole.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["MOST", "exact"]

MOST = 100
"""Up to so many units: the work grows with the fourth power of their number."""


def exact(places: Array, sums: Array, sizes: Array) -> Array:
    """(...,) two-sided p of sums of ranks (...,) of samples of these sizes (...,), of units with
    the ranks `places` (n,): twice the smaller side."""
    doubled = np.rint(2 * places).astype(int)
    total = int(doubled.sum())
    counts = np.zeros((len(doubled) + 1, total + 1))
    counts[0, 0] = 1.0
    for rank in doubled.tolist():
        counts[1:, rank:] += counts[:-1, : total + 1 - rank].copy()
    below = np.cumsum(counts, axis=1)
    own, at = np.asarray(sizes), np.rint(2 * np.asarray(sums)).astype(int)
    sets = below[own, -1]
    least = np.minimum(below[own, at], sets - below[own, at] + counts[own, at])
    return np.asarray(np.minimum(1.0, 2 * least / sets))
