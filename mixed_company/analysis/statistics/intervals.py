"""Intervals that say what the test beside them says: the effects that it would not reject.

An end is NaN where no interval can be had: where so few units, or so many that are alike, reject
nothing at all.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from scipy import optimize, special, stats

from mixed_company.analysis.rounding import alike, levels
from mixed_company.engine.contract.space import Array

__all__ = ["NONE", "Interval", "agreeing", "inverted", "of_mean", "of_superiority"]

Interval = tuple[float, float]
NONE: Interval = (math.nan, math.nan)


def of_mean(values: Array, level: float) -> Interval:
    """Return the interval of the mean by the t distribution (Student 1908, Biometrika 6(1)).

    None for a single value, or for values that are all alike: they do not say how much others would
    differ.
    """
    if len(values) < 2 or alike(values):
        return NONE
    n, mean = len(values), float(values.mean())
    reach = float(special.stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1)) / math.sqrt(n)
    return mean - reach, mean + reach


def inverted(p: Callable[[float], float], points: Array, estimate: float, level: float) -> Interval:
    """Return the shifts d with p(d) above 1 - level, where p changes at `points` only.

    For ranks these are the differences between units: Lehmann (1963), Annals of Mathematical
    Statistics 34(4); Hollander and Wolfe (1973), sections 3.3 and 4.3.
    """
    alpha = 1 - level
    order = np.sort(points)
    ends = order[np.unique(levels(order), return_index=True)[1]]
    # Between ends p is the same; places count these stretches, 0 lies below all ends.
    probes = np.concatenate([[ends[0] - 1.0], (ends[1:] + ends[:-1]) / 2, [ends[-1] + 1.0]])
    kept = [p(float(probes[0])) > alpha, p(float(probes[-1])) > alpha]
    inside = [
        int(place)
        for place in (np.searchsorted(ends, estimate), np.searchsorted(ends, estimate, "right"))
        if p(float(probes[place])) > alpha
    ]
    if any(kept) or not inside:
        return NONE
    low = _edge(p, probes, inside[0], 0, alpha)
    high = _edge(p, probes, inside[-1], len(ends), alpha)
    return agreeing((float(ends[low - 1]), float(ends[high])), 0.0, estimate, p(0.0) > alpha)


def _edge(
    p: Callable[[float], float], probes: Array, inside: int, outside: int, alpha: float
) -> int:
    """Return the last place, from inside to outside, at which p is above alpha."""
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if p(float(probes[middle])) > alpha:
            inside = middle
        else:
            outside = middle
    return inside


def agreeing(interval: Interval, null: float, estimate: float, holds: bool) -> Interval:
    """Return the interval with `null` in it if it holds by the test, else without what is beyond.

    It differs from the interval that came in only where ties, or the step from an exact to a normal
    distribution, make the two say different things.
    """
    low, high = interval
    if holds:
        return min(low, null), max(high, null)
    return (max(low, null), high) if estimate > null else (low, min(high, null))


def of_superiority(share: float, one: int, other: int, level: float) -> Interval:
    """Return the interval of the chance that a unit of one treatment has more than one of another.

    Newcombe (2006), Statistics in Medicine 25(4), part 2, method 5: the chances whose variance, as
    it would be if values were exponential on the one side, lets `share` be seen. At one half it is
    the variance of the Mann-Whitney test, and at 0 and 1 the interval has a width.
    """
    z = float(stats.norm.ppf((1 + level) / 2))
    rest = (one + other) / 2 - 1

    def beyond(chance: float) -> float:
        spread = 1 + rest * ((1 - chance) / (2 - chance) + chance / (1 + chance))
        return (share - chance) ** 2 - z**2 * chance * (1 - chance) * spread / (one * other)

    low = optimize.brentq(beyond, 0.0, min(share, 1 - 1e-12)) if share > 0 else 0.0
    high = optimize.brentq(beyond, max(share, 1e-12), 1.0) if share < 1 else 1.0
    return float(low), float(high)
