"""Sizes of effects, and bootstrap intervals that resample units within treatments.

Every function takes samples (..., n_i) in the order of the treatments and gives (...,).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from scipy import stats

from engine.contract.space import Array

__all__ = ["BOOTSTRAPS", "CHANGES", "EFFECTS", "effect_name", "interval", "wins"]

BOOTSTRAPS = 2_000
_BATCH_NUMBERS = 2_000_000


def difference(one: Array, other: Array, axis: int = -1) -> Array:
    """Mean of the second treatment minus mean of the first."""
    return np.asarray(other.mean(axis=axis) - one.mean(axis=axis))


def median_difference(one: Array, other: Array, axis: int = -1) -> Array:
    """Median of the second treatment minus median of the first."""
    return np.asarray(np.median(other, axis=axis) - np.median(one, axis=axis))


def superiority(*samples: Array, axis: int = -1) -> Array:
    """The chance that a unit of a later treatment has more than one of an earlier treatment.

    Ties count half. Sum over pairs of treatments of U / sum of n_i n_j: McGraw and Wong (1992),
    Psychological Bulletin 111(2), as a count; for more than two treatments, in their order, the
    statistic of Jonckheere (1954), Biometrika 41, as a share of its largest value.
    """
    pairs = list(combinations(samples, 2))
    largest = sum(one.shape[-1] * other.shape[-1] for one, other in pairs)
    return np.asarray(sum(wins(one, other) for one, other in pairs) / largest)


def wins(one: Array, other: Array) -> Array:
    """In how many of all pairs of units the second has more than the first; ties count half."""
    n = other.shape[-1]
    ranks = stats.rankdata(np.concatenate([one, other], axis=-1), axis=-1)
    return np.asarray(ranks[..., -n:].sum(axis=-1) - n * (n + 1) / 2)


def cliffs_delta(*samples: Array, axis: int = -1) -> Array:
    """The share of pairs in which the later treatment has more minus those in which it has less.

    From -1 to 1: Cliff (1993), Psychological Bulletin 114(3), equation 1.
    """
    return np.asarray(2 * superiority(*samples) - 1)


def epsilon_squared(*samples: Array, axis: int = -1) -> Array:
    """The share of the variance of ranks that is between treatments, from 0 to 1.

    H / (N - 1) with the statistic of Kruskal and Wallis, corrected for ties: Kelley (1935), PNAS
    21(9), on ranks. It is never below 0, so that its interval does not tell whether there is an
    effect.
    """
    values = np.concatenate(samples, axis=-1)
    ranks = stats.rankdata(values, axis=-1)
    centre = (values.shape[-1] + 1) / 2
    ends = np.cumsum([sample.shape[-1] for sample in samples])[:-1]
    parts = np.split(ranks, ends, axis=-1)
    between = sum(part.shape[-1] * (part.mean(axis=-1) - centre) ** 2 for part in parts)
    total = ((ranks - centre) ** 2).sum(axis=-1)
    return np.asarray(np.divide(between, total, out=np.zeros_like(total), where=total > 0))


def change(before: Array, after: Array, axis: int = -1) -> Array:
    """Mean over units of the second value minus the first."""
    return np.asarray((after - before).mean(axis=axis))


def median_change(before: Array, after: Array, axis: int = -1) -> Array:
    """Median over units of the second value minus the first."""
    return np.asarray(np.median(after - before, axis=axis))


EFFECTS: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (difference, "difference of means", True),
    "median_difference": (median_difference, "difference of medians", True),
    "superiority": (superiority, "probability of superiority", False),
    "cliffs_delta": (cliffs_delta, "Cliff's delta", False),
    "epsilon_squared": (epsilon_squared, "epsilon squared", False),
}
"""By name: the function, what it is called, and whether it is for two treatments only."""

CHANGES: dict[str, tuple[Callable[..., Array], str, bool]] = {
    "difference": (change, "mean change", True),
    "median_difference": (median_change, "median change", True),
}
"""The same for two values of each unit."""


def effect_name(effect: str, names: Sequence[str], within: bool = False) -> str:
    """What an effect is called, and its direction.

    >>> effect_name("difference", ["open", "governed"])
    'difference of means (governed - open)'
    """
    _, label, two = (CHANGES if within else EFFECTS)[effect]
    if effect == "epsilon_squared":
        return label
    return f"{label} ({(' - ' if two else ' over ').join(reversed(names))})"


def interval(
    statistic: Callable[..., Array],
    samples: Sequence[Array],
    *,
    within: bool = False,
    level: float,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """The bootstrap interval of a statistic of samples, resampling units within each.

    Bias-corrected and accelerated (Efron 1987, JASA 82); the percentiles where the correction is
    not defined, which is where nothing differs: one value. `within` resamples pairs. With less
    than ten units a treatment it covers less often than `level` says: see docs/statistics.md.
    """
    given: Any = statistic
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        bootstrap = stats.bootstrap(
            tuple(samples),
            given,
            n_resamples=BOOTSTRAPS,
            batch=max(1, _BATCH_NUMBERS // sum(map(len, samples))),
            vectorized=True,
            paired=within,
            confidence_level=level,
            method="BCa",
            rng=rng,
        )
    low, high = map(float, bootstrap.confidence_interval)
    if not np.isfinite([low, high]).all():
        tail = (1 - level) / 2
        low, high = map(float, np.quantile(bootstrap.bootstrap_distribution, [tail, 1 - tail]))
    return low, high
