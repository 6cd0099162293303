"""Permutation tests: how often chance alone separates treatments as they were separated.

Every arrangement of the values is tried where there are not more of them than `resamples`; then p
is their share that is at least as extreme. Else `resamples` are drawn, and p = (b + 1) / (m + 1),
b of m drawn ones being as extreme, which is never 0 and never too small: Phipson and Smyth (2010),
Statistical Applications in Genetics and Molecular Biology 9(1), article 39, equation 2.
Two-sided p values are twice the smaller side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import stats

from engine.contract.space import Array

__all__ = ["RESAMPLES", "arrangements", "permuted", "swaps"]

RESAMPLES = 20_000
_BATCH_NUMBERS = 2_000_000


def arrangements(samples: Sequence[Array]) -> int:
    """In how many ways the values can be dealt to treatments of these sizes."""
    left = sum(map(len, samples))
    number = 1
    for sample in samples:
        number *= math.comb(left, len(sample))
        left -= len(sample)
    return number


def swaps(pairs: int) -> int:
    """In how many ways the two values of each pair can be exchanged."""
    return int(2**pairs)


def permuted(
    samples: Sequence[Array],
    statistic: Callable[..., Array],
    *,
    side: str,
    within: bool = False,
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, str]:
    """The p value, and how it was found: `exact`, or `20000 arrangements drawn`.

    statistic   of samples (..., n_i), along `axis`
    side        `two-sided` or `greater`
    within      exchange the two values of each pair, not values between treatments
    """
    possible = swaps(len(samples[0])) if within else arrangements(samples)
    given: Any = statistic
    result = stats.permutation_test(
        tuple(samples),
        given,
        permutation_type="samples" if within else "independent",
        vectorized=True,
        n_resamples=min(possible, resamples),
        batch=max(1, _BATCH_NUMBERS // sum(map(len, samples))),
        alternative="two-sided" if side == "two-sided" else "greater",
        rng=rng,
    )
    how = "exact" if possible <= resamples else f"{resamples} arrangements drawn"
    return min(1.0, float(result.pvalue)), how
