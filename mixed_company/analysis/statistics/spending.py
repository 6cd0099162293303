"""Levels of tests that are looked at before all groups have played, and what to make of the effect.

    levels([0.5, 1.0], 0.05, "obrien_fleming")    0.0031 at half of the groups, 0.0490 at all
    unbiased(8.0, 0.001, [0.5, 1.0], 0, 0.05, "pocock")    an effect at half of them, less its bias

Alpha is spent as a function of the share of groups that have played (Lan and DeMets 1983,
Biometrika 70(3)), so that looks need be neither evenly spaced nor at the groups that were planned.
Each side spends half of it, as the literature's tables have it; the boundaries follow by numerical
integration (Armitage, McPherson and Rowe 1969, Journal of the Royal Statistical Society A 132(2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from mixed_company.analysis.statistics.result import chosen
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array

__all__ = ["SPENDING", "levels", "unbiased"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(201)
_FURTHEST = 8.0
"""A boundary is at most here, in standard errors: p is 1.2e-15 there, and 1 less that not yet 1.
So early that less is spent, next to no p decides."""

Density = tuple[Array, Array]
"""Where B(t) = Z sqrt(t) is at a look, and how likely that is, without an effect."""


def _obrien_fleming(share: float, alpha: float) -> float:
    return float(4 * stats.norm.sf(stats.norm.isf(alpha / 4) / math.sqrt(share)))


def _pocock(share: float, alpha: float) -> float:
    return alpha * math.log(1 + (math.e - 1) * share)


SPENDING: dict[str, Callable[[float, float], float]] = {
    "obrien_fleming": _obrien_fleming,
    "pocock": _pocock,
}
"""What of alpha is spent when this share of groups has played."""


def levels(shares: Sequence[float], alpha: float, spending: str) -> list[float]:
    """Return the two-sided level of the test at each look, at growing shares of the groups.

    Raises UnknownName, ConfigError.
    """
    return [level for level, _ in _looked(tuple(shares), alpha, spending)]


def unbiased(
    effect: float, p: float, shares: Sequence[float], at: int, alpha: float, spending: str
) -> float:
    """Return the effect that experiments which stop so estimate as `effect` on average.

    Whitehead (1986), Biometrika 73(3).

    shares   of all looks of the design; `at` is the place of the one at which this one stopped
    effect   a difference, 0 where treatments do not differ; its standard error follows from it and
             the `p` of its test, as estimates are taken to be normal

    The median-unbiased estimate by stagewise ordering (Rosner and Tsiatis 1988, Biometrika 75(4))
    is `effect` itself at the first look. Raises UnknownName, ConfigError.
    """
    z = float(stats.norm.isf(p / 2))
    if not 0 < z < math.inf:
        return effect
    drift = z / math.sqrt(shares[at])  # estimated: of B(1)
    going_on = [density for _, density in _looked(tuple(shares), alpha, spending)]

    def estimated(truth: float) -> float:
        """Return what is estimated on average if this is the drift."""
        steps = zip(pairwise(shares), going_on, strict=False)
        return truth + sum(_bias(truth, *step, density) for step, density in steps)

    truth = brentq(lambda truth: estimated(truth) - drift, 0.0, drift + 1e-6, xtol=1e-10)
    return effect * float(truth) / drift


def _bias(truth: float, share: float, following: float, density: Density) -> float:
    """Return what experiments that go on to the next look add to the mean of the estimates.

    They were estimated as less than all are; what comes between the looks brings them nearer.
    """
    places, masses = density
    likely = masses * np.exp(truth * places - truth**2 * share / 2)
    return (1 - share / following) * float((truth - places / share) @ likely)


@lru_cache(maxsize=1000)
def _looked(
    shares: tuple[float, ...], alpha: float, spending: str
) -> tuple[tuple[float, Density], ...]:
    """Return the level of each look, and where the experiments are that go on after it."""
    spent = SPENDING[chosen("spending", spending, SPENDING)]
    if not shares or not all(a < b for a, b in zip([0.0, *shares], [*shares, 2.0], strict=True)):
        raise ConfigError(f"looks = {list(shares)}: growing shares of the groups, above 0")
    if shares[-1] > 1 or not 0 < alpha < 1:
        raise ConfigError(f"looks = {list(shares)}, alpha = {alpha:g}: shares and alpha up to 1")
    looks: list[tuple[float, Density]] = []
    density: Density = np.zeros(1), np.ones(1)
    before, at = 0.0, 0.0
    for share in shares:
        used = spent(share, alpha)
        limit = _limit(density, share - at, math.sqrt(share), used - before)
        density = _goes_on(density, share - at, limit * math.sqrt(share))
        looks.append((float(2 * stats.norm.sf(limit)), density))
        before, at = used, share
    return tuple(looks)


def _limit(density: Density, step: float, scale: float, spend: float) -> float:
    """Return where so much of alpha is beyond, of experiments that have not stopped."""
    places, masses = density

    def more(limit: float) -> float:
        ends = (
            (limit * scale - places) / math.sqrt(step),
            (limit * scale + places) / math.sqrt(step),
        )
        return float(masses @ (stats.norm.sf(ends[0]) + stats.norm.sf(ends[1]))) - spend

    return float(brentq(more, 0.0, _FURTHEST, xtol=1e-10)) if more(_FURTHEST) < 0 else _FURTHEST


def _goes_on(density: Density, step: float, edge: float) -> Density:
    """Return where experiments are after a look that did not stop them, and their masses."""
    places, masses = density
    after = edge * _NODES
    likely = stats.norm.pdf(after[:, None], places[None, :], math.sqrt(step)) @ masses
    return after, likely * _WEIGHTS * edge
