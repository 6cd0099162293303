"""Levels of tests at interim looks, and effects that are corrected for early stopping.

    >>> at_half, at_all = levels([0.5, 1.0], 0.05, "obrien_fleming")
    >>> round(at_half, 4), round(at_all, 4)
    (0.0031, 0.049)

    unbiased(8.0, 0.001, [0.5, 1.0], 0, 0.05, "pocock")    an effect at half of the groups, minus
                                                           its bias

Alpha is spent as a function of the share of groups that have played (Lan and DeMets 1983,
Biometrika 70(3)), so looks may be unevenly spaced and need not be the planned ones. Each side
spends half of alpha, as in published tables. The boundaries are computed by numerical integration
(Armitage, McPherson and Rowe 1969, Journal of the Royal Statistical Society A 132(2)).
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

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(201)
_FURTHEST = 8.0
"""The largest boundary, in standard errors. There, p is 1.2e-15, and 1 - p is still below 1. If a
look is so early that it spends less, practically no p is significant."""

Density = tuple[Array, Array]
"""Values of B(t) = Z sqrt(t) at a look, and their probability masses if there is no effect."""


def _obrien_fleming(share: float, alpha: float) -> float:
    return float(4 * stats.norm.sf(stats.norm.isf(alpha / 4) / math.sqrt(share)))


def _pocock(share: float, alpha: float) -> float:
    return alpha * math.log(1 + (math.e - 1) * share)


SPENDING: dict[str, Callable[[float, float], float]] = {
    "obrien_fleming": _obrien_fleming,
    "pocock": _pocock,
}
"""Functions that return how much alpha has been spent once a share of the groups has played."""


def levels(shares: Sequence[float], alpha: float, spending: str) -> list[float]:
    """Return the two-sided level of the test at each look; the looks are increasing shares of the
    groups.

    Raises UnknownName for an unknown spending function, ConfigError for invalid shares or alpha.
    """
    return [level for level, _ in _looked(tuple(shares), alpha, spending)]


def unbiased(
    effect: float, p: float, shares: Sequence[float], look: int, alpha: float, spending: str
) -> float:
    """Return the effect for which the mean estimate in this design is `effect`.

    Whitehead (1986), Biometrika 73(3).

    shares   shares of the groups at all looks in the design
    look     position of the look at which the experiment stopped
    effect   estimated difference, which is 0 if treatments do not differ. Its standard error
             follows from `effect` and `p`, assuming that estimates are normal

    The median-unbiased estimate by stagewise ordering (Rosner and Tsiatis 1988, Biometrika 75(4))
    is `effect` itself at the first look. Raises the same errors as `levels`.
    """
    z = float(stats.norm.isf(p / 2))
    if not 0 < z < math.inf:
        return effect
    drift = z / math.sqrt(shares[look])  # estimated drift of B(1)
    continuing = [density for _, density in _looked(tuple(shares), alpha, spending)]

    def estimated(truth: float) -> float:
        """Return the mean estimate for this drift."""
        steps = zip(pairwise(shares), continuing, strict=False)
        return truth + sum(_bias(truth, *step, density) for step, density in steps)

    truth = brentq(lambda truth: estimated(truth) - drift, 0.0, drift + 1e-6, xtol=1e-10)
    return effect * float(truth) / drift


def _bias(truth: float, share: float, following: float, density: Density) -> float:
    """Return how much experiments that continue after a look contribute to the mean estimate.

    Their estimates at the look are below average; the groups up to the next look reduce this bias.
    """
    places, masses = density
    likely = masses * np.exp(truth * places - truth**2 * share / 2)
    return (1 - share / following) * float((truth - places / share) @ likely)


@lru_cache(maxsize=1000)
def _looked(
    shares: tuple[float, ...], alpha: float, spending: str
) -> tuple[tuple[float, Density], ...]:
    """Return each look's level, and the density of the experiments that continue after it."""
    spent = SPENDING[chosen("spending", spending, SPENDING)]
    if not shares or not all(a < b for a, b in zip([0.0, *shares], [*shares, 2.0], strict=True)):
        raise ConfigError(f"looks = {list(shares)}: should be increasing shares above 0")
    if shares[-1] > 1 or not 0 < alpha < 1:
        raise ConfigError(
            f"looks = {list(shares)}, alpha = {alpha:g}: shares should be at most 1 and alpha "
            "between 0 and 1"
        )
    looks: list[tuple[float, Density]] = []
    density: Density = np.zeros(1), np.ones(1)
    last_used, last_share = 0.0, 0.0
    for share in shares:
        used = spent(share, alpha)
        limit = _limit(density, share - last_share, math.sqrt(share), used - last_used)
        density = _continued(density, share - last_share, limit * math.sqrt(share))
        looks.append((float(2 * stats.norm.sf(limit)), density))
        last_used, last_share = used, share
    return tuple(looks)


def _limit(density: Density, step: float, scale: float, spend: float) -> float:
    """Return the boundary at which experiments that have not stopped spend `spend` of alpha."""
    places, masses = density

    def excess(limit: float) -> float:
        ends = (
            (limit * scale - places) / math.sqrt(step),
            (limit * scale + places) / math.sqrt(step),
        )
        return float(masses @ (stats.norm.sf(ends[0]) + stats.norm.sf(ends[1]))) - spend

    if excess(_FURTHEST) >= 0:
        return _FURTHEST
    return float(brentq(excess, 0.0, _FURTHEST, xtol=1e-10))


def _continued(density: Density, step: float, edge: float) -> Density:
    """Return the density of the experiments that a look does not stop."""
    places, masses = density
    after = edge * _NODES
    likely = stats.norm.pdf(after[:, None], places[None, :], math.sqrt(step)) @ masses
    return after, likely * _WEIGHTS * edge
