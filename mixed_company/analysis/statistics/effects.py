"""Sizes of effects; their intervals are those of the tests (`analysis.statistics.tests`).

Those in EFFECTS and CHANGES take samples (..., n_i) in the order of the treatments and give (...,).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from statsmodels.stats.power import TTestIndPower

from mixed_company.analysis.rounding import ranks
from mixed_company.engine.contract.space import Array

__all__ = [
    "CHANGES",
    "EFFECTS",
    "averages",
    "differences",
    "effect_name",
    "is_difference",
    "pooled_deviation",
    "reached",
    "wins",
]


def difference(one: Array, other: Array) -> Array:
    """Return the mean of the second treatment minus the mean of the first."""
    return np.asarray(other.mean(axis=-1) - one.mean(axis=-1))


def median_difference(one: Array, other: Array) -> Array:
    """Return the median of the second treatment minus the median of the first."""
    return np.asarray(np.median(other, axis=-1) - np.median(one, axis=-1))


def shift(one: Array, other: Array) -> Array:
    """Return by how much units of the second treatment lie higher.

    Hodges and Lehmann (1963), Annals of Mathematical Statistics 34(2): the median of all
    differences between a unit of it and one of the first.
    """
    return np.asarray(np.median(differences(one, other), axis=-1))


def differences(one: Array, other: Array) -> Array:
    """Return (..., n_1 n_2) every unit of the second treatment minus every unit of the first."""
    every = other[..., :, None] - one[..., None, :]
    return np.asarray(every.reshape(*every.shape[:-2], -1))


def superiority(*samples: Array) -> Array:
    """Return the chance that a unit of a later treatment has more than one of an earlier one.

    Ties count half. Sum over pairs of treatments of U / sum of n_i n_j: McGraw and Wong (1992),
    Psychological Bulletin 111(2), as a count; for more than two treatments, in their order, the
    statistic of Jonckheere (1954), Biometrika 41, as a share of its largest value.
    """
    pairs = list(combinations(samples, 2))
    largest = sum(one.shape[-1] * other.shape[-1] for one, other in pairs)
    return np.asarray(sum(wins(one, other) for one, other in pairs) / largest)


def wins(one: Array, other: Array) -> Array:
    """Return in how many pairs of units the second has more than the first; ties count half."""
    n = other.shape[-1]
    ranked = ranks(np.concatenate([one, other], axis=-1))
    return np.asarray(ranked[..., -n:].sum(axis=-1) - n * (n + 1) / 2)


def cliffs_delta(*samples: Array) -> Array:
    """Return the share of pairs with more in the later treatment minus those with less in it.

    From -1 to 1: Cliff (1993), Psychological Bulletin 114(3), equation 1.
    """
    return np.asarray(2 * superiority(*samples) - 1)


def epsilon_squared(*samples: Array) -> Array:
    """Return the share of the variance of ranks that is between treatments, from 0 to 1.

    H / (N - 1) with the statistic of Kruskal and Wallis, corrected for ties: Kelley (1935), PNAS
    21(9), on ranks. It is never below 0 and so too high on average: no interval of it agrees with
    the test. Those of every two treatments do.
    """
    values = np.concatenate(samples, axis=-1)
    ranked = ranks(values)
    centre = (values.shape[-1] + 1) / 2
    ends = np.cumsum([sample.shape[-1] for sample in samples])[:-1]
    parts = np.split(ranked, ends, axis=-1)
    between = sum(part.shape[-1] * (part.mean(axis=-1) - centre) ** 2 for part in parts)
    total = ((ranked - centre) ** 2).sum(axis=-1)
    return np.asarray(np.divide(between, total, out=np.zeros_like(total), where=total > 0))


def change(before: Array, after: Array) -> Array:
    """Return the mean over units of the second value minus the first."""
    return np.asarray((after - before).mean(axis=-1))


def median_change(before: Array, after: Array) -> Array:
    """Return the median over units of the second value minus the first."""
    return np.asarray(np.median(after - before, axis=-1))


def middle_change(before: Array, after: Array) -> Array:
    """Return by how much units lie higher the second time.

    Hodges and Lehmann (1963): the median of the mean changes of every two units, each with itself
    too.
    """
    return np.asarray(np.median(averages(after - before), axis=-1))


def averages(changes: Array) -> Array:
    """Return (..., n (n + 1) / 2) means of every two changes, each with itself: Walsh averages."""
    one, other = np.triu_indices(changes.shape[-1])
    return np.asarray((changes[..., one] + changes[..., other]) / 2)


EFFECTS: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (difference, "difference of means", True),
    "median_difference": (median_difference, "difference of medians", True),
    "shift": (shift, "Hodges-Lehmann shift", True),
    "superiority": (superiority, "probability of superiority", False),
    "cliffs_delta": (cliffs_delta, "Cliff's delta", False),
    "epsilon_squared": (epsilon_squared, "epsilon squared", False),
}
"""By name: the function, what it is called, and whether it is for two treatments only."""

CHANGES: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (change, "mean change", True),
    "median_difference": (median_change, "median change", True),
    "shift": (middle_change, "Hodges-Lehmann change", True),
}
"""The same for two values of each unit."""


def effect_name(effect: str, names: Sequence[str], within: bool = False) -> str:
    """Return what an effect is called, and its direction.

    >>> effect_name("difference", ["open", "governed"])
    'difference of means (governed - open)'
    """
    _, label, two = (CHANGES if within else EFFECTS)[effect]
    if effect == "epsilon_squared":
        return label
    return f"{label} ({(' - ' if two else ' over ').join(reversed(names))})"


def is_difference(name: str) -> bool:
    """Return whether an effect of this name is 0 where treatments do not differ.

    >>> is_difference("Hodges-Lehmann shift (b - a)"), is_difference("epsilon squared")
    (True, False)
    """
    return not name.startswith(tuple(label for _, label, two in EFFECTS.values() if not two))


# -- what so many units could tell ----------------------------------------------------------------


def pooled_deviation(samples: Sequence[Array]) -> float:
    """Return the standard deviation of units within treatments; NaN where none has two units."""
    spare = sum(len(sample) - 1 for sample in samples if len(sample))
    if spare < 1:
        return math.nan
    squares = sum(float(((sample - sample.mean()) ** 2).sum()) for sample in samples if len(sample))
    return float(np.sqrt(squares / spare))


def reached(samples: Sequence[Array], *, power: float = 0.8, alpha: float = 0.05) -> float:
    """Return the difference of means that a t test of two such samples would find with this power.

    Cohen (1988), chapter 2, by the samples' sizes and their standard deviation within treatments.
    It is not the power for the effect that was observed, which says the same as its p value (Hoenig
    and Heisey 2001, The American Statistician 55(1)). NaN where it cannot be known.
    """
    one, other = samples
    deviation = pooled_deviation(samples)
    if min(len(one), len(other)) < 2 or not deviation > 0:
        return math.nan
    size = TTestIndPower().solve_power(
        nobs1=len(one), ratio=len(other) / len(one), alpha=alpha, power=power
    )
    return float(np.ravel(size)[0]) * deviation
