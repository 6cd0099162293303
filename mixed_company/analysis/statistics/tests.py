"""Two-sided tests of samples: between treatments, and for the same units under two treatments.

Each test has intervals for the effects that agree with it. The first of these effects is the
default.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from scipy import stats

from mixed_company.analysis.rounding import alike, ranks
from mixed_company.analysis.statistics import effects
from mixed_company.analysis.statistics.intervals import Interval, agreeing, inverted, of_superiority
from mixed_company.analysis.statistics.permuting import (
    arrangements,
    moves,
    p_of_rank_sums,
    p_of_signed_ranks,
    permuted,
    swaps,
)
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.engine.contract.space import Array


class Tested(NamedTuple):
    """The result of testing samples, without effect and units.

    intervals   functions of the level, by effect
    least_p       smallest p that this number of units can reach
    df          degrees of freedom; NaN if the statistic has none
    """

    test: str
    symbol: str
    statistic: float
    p: float
    intervals: Mapping[str, Callable[[float], Interval]] = {}
    least_p: float = 0.0
    left_out: tuple[str, ...] = ()
    df: float = math.nan


Tests = Mapping[str, Callable[[Sequence[Array], int, np.random.Generator], Tested]]
"""Tests by name. Each is a function of (samples, resamples, rng)."""

_EXACT_RANKS = 50
"""Maximum number of units per treatment when using the exact distribution of rank sums, with or
without ties."""
_MANY = 8
_MANY_EACH = 5
"""Minimum number of units in every treatment when using the large-sample distribution."""


# -- between treatments ---------------------------------------------------------------------------


def _mann_whitney(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute U of the first treatment.

    Mann and Whitney (1947), Annals of Mathematical Statistics 18.
    """
    first, second = samples

    def p_of(shift: float) -> tuple[float, str]:
        return _rank_sums([first, second - shift], resamples, rng)

    def shifts(level: float) -> Interval:
        points, estimate = effects.differences(first, second), float(effects.shift(first, second))
        return inverted(lambda shift: p_of(shift)[0], points, estimate, level)

    p, method = p_of(0.0)
    intervals = {"shift": shifts, **_superiority(samples, p)}
    u, least_p = float(effects.wins(second, first)), 2 / arrangements(samples)
    return Tested(f"Mann-Whitney U test, {method}", "U", u, p, intervals, least_p)


def _rank_sums(
    samples: Sequence[Array], resamples: int, rng: np.random.Generator
) -> tuple[float, str]:
    """Return p and the method."""
    ranked = _ranked(samples)
    pooled, smaller = np.concatenate(ranked), min(ranked, key=len)
    if arrangements(samples) <= resamples or max(map(len, ranked)) <= _EXACT_RANKS:
        return float(p_of_rank_sums(pooled, smaller.sum(), np.array(len(smaller)))), "exact"
    if len(smaller) >= _MANY:
        if alike(pooled):
            return 1.0, "normal"
        first, second = ranked
        return float(stats.mannwhitneyu(first, second, method="asymptotic").pvalue), "normal"
    drawn = moves(ranked, resamples=resamples, rng=deepcopy(rng))  # same draws for every shift
    return drawn.p, drawn.method


def _superiority(samples: Sequence[Array], p: float) -> dict[str, Callable[[float], Interval]]:
    """Return the intervals for the probability of superiority and Cliff's delta."""
    share, sizes = float(effects.superiority(*samples)), [len(sample) for sample in samples]

    def chance(level: float) -> Interval:
        return agreeing(of_superiority(share, sizes, level), 0.5, share, p > 1 - level)

    def delta(level: float) -> Interval:
        low, high = chance(level)
        return 2 * low - 1, 2 * high - 1

    return {"superiority": chance, "cliffs_delta": delta}


def _welch(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute t of the means with unequal variances: Welch (1947), Biometrika 34(1-2)."""
    first, second = samples
    if alike(first) and alike(second):
        if alike(np.concatenate(samples)):
            return Tested("Welch's t test", "t", 0.0, 1.0)
        raise NoTest("all values within treatments are equal, so t is undefined")
    tested: Any = stats.ttest_ind(second, first, equal_var=False)

    def between(level: float) -> Interval:
        low, high = tested.confidence_interval(level)
        return float(low), float(high)

    intervals = {"difference": between}
    t, p = float(tested.statistic), float(tested.pvalue)
    return Tested("Welch's t test", "t", t, p, intervals, df=float(tested.df))


def _kruskal_wallis(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute H, corrected for ties: Kruskal and Wallis (1952), JASA 47."""
    ranked = _ranked(samples)
    total = sum(map(len, samples))
    h = float(effects.epsilon_squared(*ranked)) * (total - 1)
    if arrangements(samples) > resamples and min(map(len, samples)) >= _MANY_EACH:
        p, method = float(stats.chi2.sf(h, len(samples) - 1)), "chi-squared"
    else:
        p, method = permuted(
            ranked, effects.epsilon_squared, side="greater", resamples=resamples, rng=rng
        )
    return Tested(
        f"Kruskal-Wallis test, {method}", "H", h, p, least_p=_renamed(samples), df=len(samples) - 1
    )


def _renamed(samples: Sequence[Array]) -> float:
    """Return the smallest p that can be reached. Arrangements have the same H if treatments of
    equal size swap names, or if the order of all values is reversed."""
    renamings = math.prod(math.factorial(n) for n in Counter(map(len, samples)).values())
    return max(2, renamings) / arrangements(samples)


def _jonckheere(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute J, the number of pairs of units that are in the treatments' order: Jonckheere
    (1954)."""
    ranked = _ranked(samples)
    p, method = permuted(
        ranked, effects.superiority, side="two-sided", resamples=resamples, rng=rng
    )
    j = float(sum(effects.wins(first, second) for first, second in combinations(ranked, 2)))
    test, least_p = f"Jonckheere-Terpstra trend test, {method}", 2 / arrangements(samples)
    return Tested(test, "J", j, p, _superiority(ranked, p), least_p)


def _permutation(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute the difference of two means or, for more than two, the sum of squares between them
    (Fisher 1935)."""
    if len(samples) == 2:
        drawn = moves(samples, resamples=resamples, rng=rng)
        difference = float(effects.difference(samples[0], samples[1]))
        test, least_p = f"permutation test of means, {drawn.method}", 2 / arrangements(samples)
        return Tested(
            test, "difference", difference, drawn.p, {"difference": drawn.interval}, least_p
        )
    p, method = permuted(samples, effects.between, side="greater", resamples=resamples, rng=rng)
    test, least_p = f"permutation test of means, {method}", _renamed(samples)
    return Tested(
        test, "sum of squares between", float(effects.between(*samples)), p, least_p=least_p
    )


def _ranked(samples: Sequence[Array]) -> list[Array]:
    """Return the samples with pooled ranks in place of values; ties have mean ranks."""
    ranked = ranks(np.concatenate(samples))
    return np.split(ranked, np.cumsum([len(sample) for sample in samples])[:-1])


TESTS: Tests = {
    "mann_whitney": _mann_whitney,
    "welch": _welch,
    "kruskal_wallis": _kruskal_wallis,
    "jonckheere": _jonckheere,
    "permutation": _permutation,
}
"""Tests between treatments. `jonckheere` tests a trend over treatments in their order."""

OF_RANKS = ("mann_whitney", "kruskal_wallis", "jonckheere")
"""Tests between treatments that use only the ranks of the values."""

TWO = ("mann_whitney", "welch")
"""Tests that need exactly two treatments."""


# -- within units ---------------------------------------------------------------------------------


def _wilcoxon(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute V, the rank sum of increases: Wilcoxon (1945), Biometrics Bulletin 1(6).

    As in that paper, units that did not change are ignored.
    """
    changes = samples[1] - samples[0]
    signed = _signed(changes)
    same = int((signed == 0).sum())
    left_out = (f"{same} of {len(changes)} that did not change",) if same else ()

    def p_of(shift: float) -> tuple[float, str]:
        return _signed_ranks(_signed(changes - shift), resamples)

    def shifts(level: float) -> Interval:
        points = effects.averages(changes)
        return inverted(lambda shift: p_of(shift)[0], points, float(np.median(points)), level)

    p, method = p_of(0.0)
    v, least_p = float(signed[signed > 0].sum()), 2 / swaps(len(changes))
    return Tested(
        f"Wilcoxon signed-rank test, {method}", "V", v, p, {"shift": shifts}, least_p, left_out
    )


def _signed(changes: Array) -> Array:
    """Return the signed ranks of changes, which are 0 for unchanged units."""
    sizes = ranks(np.abs(np.concatenate([[0.0], changes])))
    zeros = int((sizes == sizes[0]).sum())
    return np.where(sizes == sizes[0], 0.0, np.sign([0.0, *changes]) * (sizes - zeros))[1:]


def _signed_ranks(signed: Array, resamples: int) -> tuple[float, str]:
    """Return p and the method."""
    signed = signed[signed != 0]
    places = np.abs(signed)
    if not len(signed):
        return 1.0, "exact"
    if swaps(len(signed)) <= resamples or len(signed) <= _EXACT_RANKS:
        return p_of_signed_ranks(places, float(signed[signed > 0].sum())), "exact"
    wilcoxon: Any = stats.wilcoxon
    return float(wilcoxon(signed, method="asymptotic", correction=True).pvalue), "normal"


def _exchange(samples: Sequence[Array], resamples: int, rng: np.random.Generator) -> Tested:
    """Compute the mean change, and permute the two values of each unit (Fisher 1935, chapter 3)."""
    drawn = moves(samples, within=True, resamples=resamples, rng=rng)
    change, least_p = float(effects.change(samples[0], samples[1])), 2 / swaps(len(samples[0]))
    test = f"paired permutation test of means, {drawn.method}"
    return Tested(test, "mean change", change, drawn.p, {"difference": drawn.interval}, least_p)


PAIRED: Tests = {"wilcoxon": _wilcoxon, "permutation": _exchange}
"""Tests of the same units under two treatments, or in two phases."""
