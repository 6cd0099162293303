"""Effect sizes. Their intervals come from the tests (`analysis.statistics.tests`).

Functions in EFFECTS and CHANGES take samples (..., n_i) in the order of the treatments and return
(...,).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from statsmodels.stats.power import TTestIndPower

from mixed_company.analysis.rounding import TINY, ranks, size
from mixed_company.engine.contract.space import Array


def difference(first: Array, second: Array) -> Array:
    """Return the mean of the second treatment minus the mean of the first."""
    return np.asarray(second.mean(axis=-1) - first.mean(axis=-1))


def median_difference(first: Array, second: Array) -> Array:
    """Return the median of the second treatment minus the median of the first."""
    return np.asarray(np.median(second, axis=-1) - np.median(first, axis=-1))


def shift(first: Array, second: Array) -> Array:
    """Return the Hodges-Lehmann shift from the first treatment to the second.

    Hodges and Lehmann (1963), Annals of Mathematical Statistics 34(2): the median of all
    differences between a unit from the second and a unit from the first.
    """
    return np.asarray(np.median(differences(first, second), axis=-1))


def differences(first: Array, second: Array) -> Array:
    """Return every unit in the second treatment minus every unit in the first, (..., n_1 n_2)."""
    pairs = second[..., :, None] - first[..., None, :]
    return np.asarray(pairs.reshape(*pairs.shape[:-2], -1))


def superiority(*samples: Array) -> Array:
    """Return the probability that a unit in a later treatment exceeds a unit in an earlier one.

    Ties count half. It is the sum of U over pairs of treatments / the sum of n_i n_j: McGraw and
    Wong (1992), Psychological Bulletin 111(2), as a count. For more than two treatments, in their
    order, it is the statistic of Jonckheere (1954), Biometrika 41, as a share of its largest value.
    """
    pairs = list(combinations(samples, 2))
    largest = sum(first.shape[-1] * second.shape[-1] for first, second in pairs)
    return np.asarray(sum(wins(first, second) for first, second in pairs) / largest)


def wins(first: Array, second: Array) -> Array:
    """Count the pairs of units in which the second exceeds the first; ties count half."""
    n = second.shape[-1]
    ranked = ranks(np.concatenate([first, second], axis=-1))
    return np.asarray(ranked[..., -n:].sum(axis=-1) - n * (n + 1) / 2)


def cliffs_delta(*samples: Array) -> Array:
    """Return Cliff's delta: the share of pairs in which the later treatment's value is higher,
    minus the share in which it is lower.

    It ranges from -1 to 1: Cliff (1993), Psychological Bulletin 114(3), equation 1. For more than
    two treatments, in their order, it is Somers' d of the value given the treatment: Somers (1962),
    American Sociological Review 27(6).
    """
    return np.asarray(2 * superiority(*samples) - 1)


def between(*samples: Array) -> Array:
    """Return the sum of squares between treatments."""
    mean = np.concatenate(samples, axis=-1).mean(axis=-1)
    parts = [sample.shape[-1] * (sample.mean(axis=-1) - mean) ** 2 for sample in samples]
    return np.asarray(sum(parts))


def eta_squared(*samples: Array) -> Array:
    """Return the share of the variance in values that is between treatments, from 0 to 1.

    The square of the correlation ratio: Pearson (1905), Drapers' Company Research Memoirs,
    Biometric Series II. It is biased upwards, because it is never negative.
    """
    values = np.concatenate(samples, axis=-1)
    total = ((values - values.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    varied = total > (TINY * size(values)) ** 2
    return np.asarray(np.divide(between(*samples), total, out=np.zeros_like(total), where=varied))


def epsilon_squared(*samples: Array) -> Array:
    """Return the share of the variance in ranks that is between treatments, from 0 to 1.

    H / (N - 1) with the statistic of Kruskal and Wallis, corrected for ties: Kelley (1935), PNAS
    21(9), on ranks. It is biased upwards because it is never negative, so no interval for it agrees
    with the test. Intervals for pairs of treatments do agree.
    """
    ranked = ranks(np.concatenate(samples, axis=-1))
    ends = np.cumsum([sample.shape[-1] for sample in samples])[:-1]
    return eta_squared(*np.split(ranked, ends, axis=-1))


def change(before: Array, after: Array) -> Array:
    """Return the mean over units of the second value minus the first."""
    return np.asarray((after - before).mean(axis=-1))


def median_change(before: Array, after: Array) -> Array:
    """Return the median over units of the second value minus the first."""
    return np.asarray(np.median(after - before, axis=-1))


def middle_change(before: Array, after: Array) -> Array:
    """Return the Hodges-Lehmann change from the first value to the second.

    Hodges and Lehmann (1963): the median of the mean changes over all pairs of units, including
    each unit with itself.
    """
    return np.asarray(np.median(averages(after - before), axis=-1))


def averages(changes: Array) -> Array:
    """Return the Walsh averages, shape (..., n (n + 1) / 2): the means of all pairs of changes,
    including each change with itself."""
    first, second = np.triu_indices(changes.shape[-1])
    return np.asarray((changes[..., first] + changes[..., second]) / 2)


EFFECTS: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (difference, "difference of means", True),
    "median_difference": (median_difference, "difference of medians", True),
    "shift": (shift, "Hodges-Lehmann shift", True),
    "superiority": (superiority, "probability of superiority", False),
    "cliffs_delta": (cliffs_delta, "Cliff's delta", False),
    "eta_squared": (eta_squared, "eta squared", False),
    "epsilon_squared": (epsilon_squared, "epsilon squared", False),
}
"""Effects by name: function, label, and whether it requires exactly two treatments."""

CHANGES: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (change, "mean change", True),
    "median_difference": (median_change, "median change", True),
    "shift": (middle_change, "Hodges-Lehmann change", True),
}
"""Effects for two values of each unit, in the same form."""


SHARES = ("eta squared", "epsilon squared")
"""Effect labels for several treatments: shares of variance, which have no direction."""


def standardised(test: str, treatments: int) -> str:
    """Return the name of a test's unitless effect. For a trend test, this effect measures the
    trend; for a test of several means, it measures the variance of values, and otherwise the
    variance of ranks."""
    if treatments == 2 or test == "jonckheere":
        return "cliffs_delta"
    return of_several(test)


def of_several(test: str) -> str:
    """Return the name of a test's effect for any number of treatments: a share of variance."""
    return "eta_squared" if test == "permutation" else "epsilon_squared"


def unitless(words: str, treatments: int) -> str:
    """Return the common name of a test's unitless effect. `test` is the test's name in
    words.

    >>> unitless("Jonckheere-Terpstra trend test", 3), unitless("Mann-Whitney U test, exact", 2)
    ("Somers' d", "Cliff's delta")
    >>> unitless("permutation test of means, exact", 3), unitless("Kruskal-Wallis test, exact", 3)
    ('eta squared', 'epsilon squared')
    """
    if "trend" in words:
        return "Somers' d"
    if treatments == 2:
        return "Cliff's delta"
    return "eta squared" if "of means" in words else "epsilon squared"


def effect_name(effect: str, names: Sequence[str], within: bool = False) -> str:
    """Return the label of an effect with its direction.

    >>> effect_name("difference", ["open", "governed"])
    'difference of means (governed - open)'
    """
    _, label, two = (CHANGES if within else EFFECTS)[effect]
    if label in SHARES:
        return label
    return f"{label} ({(' - ' if two else ' over ').join(reversed(names))})"


def has_direction(test: str, treatments: int) -> bool:
    """Return whether a test with this many treatments can find that values rise or fall."""
    return treatments == 2 or test == "jonckheere"


def direction(test: str, samples: Sequence[Array]) -> float:
    """Return a positive number if a test finds higher values in later samples, a negative number if
    it finds lower ones.

    Rank tests compare ranks, tests of means compare means (`has_direction`).
    """
    if test in ("mann_whitney", "jonckheere"):
        return float(superiority(*samples)) - 0.5
    first, second = samples
    return float(difference(first, second))


def is_difference(name: str) -> bool:
    """Return whether an effect with this label is 0 if treatments do not differ.

    >>> is_difference("Hodges-Lehmann shift (b - a)"), is_difference("epsilon squared")
    (True, False)
    """
    return not name.startswith(tuple(label for _, label, two in EFFECTS.values() if not two))


# -- detectable differences -----------------------------------------------------------------------


def pooled_deviation(samples: Sequence[Array]) -> float:
    """Return the standard deviation between units within treatments; NaN if no treatment has two
    units."""
    freedom = sum(len(sample) - 1 for sample in samples if len(sample))
    if freedom < 1:
        return math.nan
    squares = sum(float(((sample - sample.mean()) ** 2).sum()) for sample in samples if len(sample))
    return float(np.sqrt(squares / freedom))


def reached(samples: Sequence[Array], *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the difference of means that a t test of two such samples detects with this power.
    With three or more samples, the two smallest are compared, using the standard deviation within
    all samples.

    Cohen (1988), chapter 2, given the sizes of the samples and their standard deviation within
    treatments. This is not the power for the observed effect, which would only restate the p value
    (Hoenig and Heisey 2001, The American Statistician 55(1)). NaN if it is undefined.
    """
    first, second = samples if len(samples) == 2 else sorted(samples, key=len)[:2]
    deviation = pooled_deviation(samples)
    if min(len(first), len(second)) < 2 or not deviation > 0:
        return math.nan
    size = TTestIndPower().solve_power(
        nobs1=len(first), ratio=len(second) / len(first), alpha=alpha, power=power
    )
    return float(np.ravel(size)[0]) * deviation
