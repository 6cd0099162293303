"""Levels of tests that are looked at before all groups have played.

    levels([0.5, 1.0], 0.05, "obrien_fleming")    0.0031 at half of the groups, 0.0490 at all

Alpha is spent as a function of the share of groups that have played (Lan and DeMets 1983,
Biometrika 70(3)), so that looks need be neither evenly spaced nor at the groups that were planned.
Each side spends half of it, as the literature's tables have it; the boundaries follow by numerical
integration (Armitage, McPherson and Rowe 1969, Journal of the Royal Statistical Society A 132(2)).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats
from scipy.optimize import brentq

from analysis.statistics.result import chosen
from engine.contract.errors import ConfigError
from engine.contract.space import Array

__all__ = ["SPENDING", "levels"]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(201)
_FURTHEST = 9.0
"""A boundary is sought up to here, in standard errors: p is below 1e-18 there."""


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
    """The two-sided level of the test at each look, at growing shares of the groups.

    Raises UnknownName, ConfigError.
    """
    spent = SPENDING[chosen("spending", spending, SPENDING)]
    if not shares or not all(a < b for a, b in zip([0.0, *shares], [*shares, 2.0], strict=True)):
        raise ConfigError(f"looks = {list(shares)}: growing shares of the groups, above 0")
    if shares[-1] > 1 or not 0 < alpha < 1:
        raise ConfigError(f"looks = {list(shares)}, alpha = {alpha:g}: shares and alpha up to 1")
    nominal: list[float] = []
    density: tuple[Array, Array] = np.zeros(1), np.ones(1)  # where B(t) = Z sqrt(t) is, how likely
    before, at = 0.0, 0.0
    for share in shares:
        used = spent(share, alpha)
        limit = _limit(density, share - at, math.sqrt(share), used - before)
        nominal.append(float(2 * stats.norm.sf(limit)))
        density = _goes_on(density, share - at, limit * math.sqrt(share))
        before, at = used, share
    return nominal


def _limit(density: tuple[Array, Array], step: float, scale: float, spend: float) -> float:
    """Where so much of alpha is beyond, of plays that have not been stopped."""
    places, masses = density

    def more(limit: float) -> float:
        ends = (
            (limit * scale - places) / math.sqrt(step),
            (limit * scale + places) / math.sqrt(step),
        )
        return float(masses @ (stats.norm.sf(ends[0]) + stats.norm.sf(ends[1]))) - spend

    return float(brentq(more, 0.0, _FURTHEST, xtol=1e-10))


def _goes_on(density: tuple[Array, Array], step: float, edge: float) -> tuple[Array, Array]:
    """Where they are after a look that did not stop them, and how much of them."""
    places, masses = density
    after = edge * _NODES
    likely = stats.norm.pdf(after[:, None], places[None, :], math.sqrt(step)) @ masses
    return after, likely * _WEIGHTS * edge
