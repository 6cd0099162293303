"""Intervals that agree with a test: they contain the effects that the test does not reject.

An end is NaN if there are too few units, or too many equal ones, to reject anything.
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

    Return NONE for a single value or identical values, which do not show how much values vary.
    """
    if len(values) < 2 or alike(values):
        return NONE
    n, mean = len(values), float(values.mean())
    half = float(special.stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1)) / math.sqrt(n)
    return mean - half, mean + half


def inverted(p: Callable[[float], float], points: Array, estimate: float, level: float) -> Interval:
    """Return the interval of shifts d with p(d) above 1 - level, if p changes only at `points`.

    For ranks these are the differences between units: Lehmann (1963), Annals of Mathematical
    Statistics 34(4); Hollander and Wolfe (1973), sections 3.3 and 4.3.
    """
    alpha = 1 - level
    order = np.sort(points)
    ends = order[np.unique(levels(order), return_index=True)[1]]
    # p is constant between neighbouring ends; places number these stretches from 0, below all ends.
    probes = np.concatenate([[ends[0] - 1.0], (ends[1:] + ends[:-1]) / 2, [ends[-1] + 1.0]])
    accepted = [p(float(probes[0])) > alpha, p(float(probes[-1])) > alpha]
    inside = [
        int(place)
        for place in (np.searchsorted(ends, estimate), np.searchsorted(ends, estimate, "right"))
        if p(float(probes[place])) > alpha
    ]
    if any(accepted) or not inside:
        return NONE
    low = _edge(p, probes, inside[0], 0, alpha)
    high = _edge(p, probes, inside[-1], len(ends), alpha)
    return agreeing((float(ends[low - 1]), float(ends[high])), 0.0, estimate, p(0.0) > alpha)


def _edge(
    p: Callable[[float], float], probes: Array, inside: int, outside: int, alpha: float
) -> int:
    """Return the last place, moving outwards, at which p is above alpha."""
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        if p(float(probes[middle])) > alpha:
            inside = middle
        else:
            outside = middle
    return inside


def agreeing(interval: Interval, null: float, estimate: float, holds: bool) -> Interval:
    """Return the interval, adjusted to contain `null` if and only if the test does not reject it.

    It changes only where ties, or the step from an exact to a normal distribution, make test and
    interval disagree.
    """
    low, high = interval
    if holds:
        return min(low, null), max(high, null)
    return (max(low, null), high) if estimate > null else (low, min(high, null))


def of_superiority(share: float, n_first: int, n_second: int, level: float) -> Interval:
    """Return the interval of the probability of superiority.

    This is the probability that a unit of one treatment exceeds a unit of the other. Newcombe
    (2006), Statistics in Medicine 25(4), part 2, method 5: the interval contains the probabilities
    compatible with `share`, given the variance for exponentially distributed values on one side. At
    one half this is the variance of the Mann-Whitney test, and at 0 and 1 the interval has positive
    width.
    """
    z = float(stats.norm.ppf((1 + level) / 2))
    rest = (n_first + n_second) / 2 - 1

    def beyond(chance: float) -> float:
        spread = 1 + rest * ((1 - chance) / (2 - chance) + chance / (1 + chance))
        return (share - chance) ** 2 - z**2 * chance * (1 - chance) * spread / (n_first * n_second)

    low = optimize.brentq(beyond, 0.0, min(share, 1 - 1e-12)) if share > 0 else 0.0
    high = optimize.brentq(beyond, max(share, 1e-12), 1.0) if share < 1 else 1.0
    return float(low), float(high)
