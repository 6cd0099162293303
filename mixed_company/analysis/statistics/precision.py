"""What so many units could tell: which difference they would have shown."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from statsmodels.stats.power import TTestIndPower

from mixed_company.engine.contract.space import Array

__all__ = ["pooled_deviation", "reached"]


def pooled_deviation(samples: Sequence[Array]) -> float:
    """The standard deviation of units within their treatments; NaN where no treatment has two."""
    spare = sum(len(sample) - 1 for sample in samples if len(sample))
    if spare < 1:
        return math.nan
    squares = sum(float(((sample - sample.mean()) ** 2).sum()) for sample in samples if len(sample))
    return float(np.sqrt(squares / spare))


def reached(samples: Sequence[Array], *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The difference of means of two treatments that a t test of so many units, as far apart within
    treatments as these, would have found with this power (Cohen 1988, chapter 2).

    Not the power for the effect that was observed, which says the same as its p value (Hoenig and
    Heisey 2001, The American Statistician 55(1)). NaN where it cannot be known.
    """
    one, other = samples
    deviation = pooled_deviation(samples)
    if min(len(one), len(other)) < 2 or not deviation > 0:
        return math.nan
    size = TTestIndPower().solve_power(
        nobs1=len(one), ratio=len(other) / len(one), alpha=alpha, power=power
    )
    return float(np.ravel(size)[0]) * deviation
