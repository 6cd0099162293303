"""Intervals that agree with a test: they contain the effects that the test does not reject.

An endpoint is NaN if there are too few units, or too many equal ones, for the test to reject
anything.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import optimize, special, stats

from mixed_company.analysis.ranges import FREE, Range
from mixed_company.analysis.rounding import alike, levels
from mixed_company.engine.contract.space import Array

Interval = tuple[float, float]
NONE: Interval = (math.nan, math.nan)


OF_MEAN = (
    "Intervals of means stay within the measure's range. If the range has two ends, such as 0 and "
    "1, they are computed for the logit; otherwise they are t intervals, cut off where the range "
    "ends. An interval of a mean is too narrow if values are skewed, or if there are few groups "
    "with many equal values: then it contains the true mean in fewer than 95 of 100 cases "
    "(docs/coverage.md)."
)
"""A remark that is printed with intervals from `of_mean`."""


def of_mean(values: Array, level: float, ends: Range = FREE) -> Interval:
    """Return the interval for the mean, using the t distribution (Student 1908, Biometrika 6(1)).

    ends   range of the values; the interval stays within it. If the range has two limits, the
           interval is the t interval of the logit of the mean, transformed back (delta method:
           Oehlert 1992, American Statistician 46(1)). If it has one, the t interval is cut off
           there, because with two or three values the interval of a logarithm would be many times
           wider than the data

    Return NONE for a single value or identical values, because they do not show how much values
    vary. The interval is too narrow if the values are skewed, or if there are few values and many
    of them are equal (OF_MEAN).
    """
    if len(values) < 2 or alike(values):
        return NONE
    n, mean = len(values), float(values.mean())
    half = float(special.stdtrit(n - 1, (1 + level) / 2) * values.std(ddof=1)) / math.sqrt(n)
    above, below = mean - ends[0], ends[1] - mean
    if min(above, below) <= 0:  # the mean is not inside the declared range, so the range is ignored
        return mean - half, mean + half
    if math.isinf(max(above, below)):
        return max(mean - half, ends[0]), min(mean + half, ends[1])
    width, odds = above + below, math.log(above / below)
    step = half * width / (above * below)
    low, high = special.expit(odds - step), special.expit(odds + step)
    return ends[0] + width * float(low), ends[0] + width * float(high)


def inverted(p: Callable[[float], float], points: Array, estimate: float, level: float) -> Interval:
    """Return the interval of shifts d with p(d) above 1 - level, for a p that changes only at
    `points`.

    For ranks these are the differences between units: Lehmann (1963), Annals of Mathematical
    Statistics 34(4); Hollander and Wolfe (1973), sections 3.3 and 4.3.
    """
    alpha = 1 - level
    order = np.sort(points)
    ends = order[np.unique(levels(order), return_index=True)[1]]
    # p is constant between neighbouring ends; places number these stretches from 0, below all ends.
    probes = np.concatenate([[ends[0] - 1.0], (ends[1:] + ends[:-1]) / 2, [ends[-1] + 1.0]])
    p_of = {place: p(float(probes[place])) for place in (0, len(ends))}
    places = [int(np.searchsorted(ends, estimate, side)) for side in ("left", "right")]
    p_of |= {place: p(float(probes[place])) for place in places}
    inside = [place for place in places if p_of[place] > alpha]
    if max(p_of[0], p_of[len(ends)]) > alpha or not inside:
        return NONE
    low = _edge(p, probes, p_of, (inside[0], 0), alpha)
    high = _edge(p, probes, p_of, (inside[-1], len(ends)), alpha)
    return agreeing((float(ends[low - 1]), float(ends[high])), 0.0, estimate, p(0.0) > alpha)


def _edge(
    p: Callable[[float], float],
    probes: Array,
    p_of: dict[int, float],
    places: tuple[int, int],
    alpha: float,
) -> int:
    """Return the outermost position in `probes` at which p is above alpha.

    places   two positions whose p is in `p_of`: one with p above alpha, one farther out with p at
             most alpha

    The normal deviate of p is nearly linear in the position, so the first _INTERPOLATED tries
    interpolate. Later tries halve the distance.
    """
    inside, outside = places
    tries = 0
    while (apart := abs(outside - inside)) > 1:
        tries += 1
        near, far, goal = (_deviate(q) for q in (p_of[inside], p_of[outside], alpha))
        share = (goal - near) / (far - near) if tries <= _INTERPOLATED else 0.5
        steps = min(max(round(apart * share), 1), apart - 1)
        place = inside + steps if outside > inside else inside - steps
        p_of[place] = p(float(probes[place]))
        if p_of[place] > alpha:
            inside = place
        else:
            outside = place
    return inside


_INTERPOLATED = 6
"""Number of tries with interpolation before the distance is halved."""


def _deviate(p: float) -> float:
    """Return the normal deviate of a two-sided p; it is finite even if p was rounded to 0."""
    return -float(special.ndtri(max(p, 1e-300) / 2))


def agreeing(interval: Interval, null: float, estimate: float, holds: bool) -> Interval:
    """Return the interval, adjusted to contain `null` if and only if the test does not reject it.

    It changes only if ties, or the switch from an exact to a normal distribution, make the test and
    the interval disagree.
    """
    low, high = interval
    if holds:
        return min(low, null), max(high, null)
    return (max(low, null), high) if estimate > null else (low, min(high, null))


_FAR = 20.0
"""The log odds at which the probability of superiority counts as 0 or 1."""


def of_superiority(share: float, sizes: Sequence[int], level: float) -> Interval:
    """Return the interval for the probability of superiority, given treatments of these sizes.

    This is the probability that a unit in a later treatment exceeds a unit in an earlier one.
    Newcombe (2006), Statistics in Medicine 25(4), part 2, method 5: the interval contains the
    probabilities compatible with `share`, given the variance for exponentially distributed values.
    For more than two treatments, the odds are the same from each treatment to the next. At one half
    this is the test's variance (Mann and Whitney, Jonckheere), and at 0 and 1 the interval has
    positive width.
    """
    z = float(stats.norm.ppf((1 + level) / 2))

    def end(side: int) -> float:
        def beyond(odds: float) -> float:
            chance, variance = _of_exponential(odds, sizes)
            distance = side * (share - chance)
            return distance * abs(distance) - z**2 * variance

        return _of_exponential(float(optimize.brentq(beyond, -_FAR, _FAR)), sizes)[0]

    return (end(1) if share > 0 else 0.0), (end(-1) if share < 1 else 1.0)


def _of_exponential(odds: float, sizes: Sequence[int]) -> tuple[float, float]:
    """Return the expected share of pairs in order, and its variance.

    Values are exponential, with rates in a geometric sequence: the log odds that a unit exceeds a
    unit of the previous treatment are `odds`. The variance is the mean of two variances, for these
    values and for their negatives in reverse order, so it favours neither direction.
    """
    (chance, forwards), (_, backwards) = (_moments(odds, order) for order in (sizes, sizes[::-1]))
    return chance, (forwards + backwards) / 2


def _moments(odds: float, sizes: Sequence[int]) -> tuple[float, float]:
    """Return the mean and variance of the share of pairs in order.

    Indicators of two pairs are dependent if the pairs have a unit in common: Hoeffding (1948),
    Annals of Mathematical Statistics 19(3), section 5. In the arrays, i is the treatment of the
    shared unit, and j and k are the treatments of the other two units.
    """
    place, n = np.arange(len(sizes)), np.asarray(sizes, dtype=float)
    rate = np.exp(-odds * (place - place.mean()))
    later, other = place > place[:, None], place != place[:, None]  # (i, j)
    above = rate[:, None] / (rate[:, None] + rate)  # P(X_j > X_i)
    both = rate[:, None, None] / (rate[:, None, None] + rate[:, None] + rate)  # both above X_i
    first, second = above[:, :, None], above[:, None, :]
    ordered = np.where(
        later[:, :, None],
        np.where(later[:, None, :], both, first - both),
        np.where(later[:, None, :], second - both, 1 - first - second + both),
    )
    in_order = np.where(later, above, 1 - above)
    pairs = later * n[:, None] * n
    triples = n[:, None, None] * n[:, None] * (n - ~other) * (other[:, :, None] & other[:, None, :])
    dependent = (triples * (ordered - in_order[:, :, None] * in_order[:, None, :])).sum()
    variance = (pairs * above * (1 - above)).sum() + dependent
    return float((pairs * above).sum() / pairs.sum()), float(variance / pairs.sum() ** 2)
