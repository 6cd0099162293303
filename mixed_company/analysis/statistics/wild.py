"""The wild cluster bootstrap, for tests of a coefficient with few clusters.

Cameron, Gelbach and Miller (2008), Review of Economics and Statistics 90(3), appendix B: the
residuals of the regression under the null hypothesis are multiplied by one sign per cluster, and p
is the share of sign vectors with |t| at least as large as in the data. With G clusters there are
2^G sign vectors. All are tried if there are at most `resamples` of them; otherwise `resamples` are
drawn, and p = (b + 1) / (m + 1). The smallest p is 2 / 2^G.

A cluster's contribution is linear in its sign w: with a = X (X'X)^-1 e_j and restricted residuals
u, the coefficient moves by the sum over h of w_h a_h'u_h, and the score of cluster g is sum over h
of w_h K_gh with K_gh = [g = h] a_g'u_g - a_g'X_g (X'X)^-1 X_h'u_h. So the regressions of all
bootstrap samples are a single matrix product with G columns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from mixed_company.analysis.statistics.permuting import signs as signs_of
from mixed_company.engine.contract.space import Array

WILD_RESAMPLES = 9_999
_TIE = 1e-9
_DOUBLINGS = 30
_HALVINGS = 25


class Wild(NamedTuple):
    """The p value of the hypothesis that the coefficient is zero, the interval of values that are
    not rejected, and the method."""

    p: float
    low: float
    high: float
    method: str


def wild(
    y: Array,
    x: Array,
    clusters: Array,
    column: int,
    *,
    level: float,
    resamples: int,
    rng: np.random.Generator,
) -> Wild:
    """Test the coefficient of one column of x (N, k); `clusters` (N,) holds cluster numbers,
    counted from 0.

    The interval contains every value that is not rejected at 1 - level. A limit is NaN if there are
    too few clusters for the test to reject any value on that side.
    """
    signs, exact = signs_of(int(clusters.max()) + 1, resamples, rng)
    p = _p_of(y, x, clusters, column, signs, exact)
    estimate = float(np.linalg.lstsq(x, y, rcond=None)[0][column])
    step = float(np.std(y)) or 1.0
    alpha = 1 - level
    method = "all signs" if exact else f"{resamples} signs drawn"
    return Wild(p(0.0), _end(p, estimate, -step, alpha), _end(p, estimate, step, alpha), method)


def _p_of(
    y: Array, x: Array, clusters: Array, column: int, signs: Array, exact: bool
) -> Callable[[float], float]:
    """Return a function that maps a hypothetical value of the coefficient to its p value."""
    inverse = np.linalg.inv(x.T @ x)
    a = x @ inverse[:, column]
    others = np.delete(x, column, axis=1)
    indicators = np.eye(len(signs[0]))[clusters]  # (N, G)
    leverage = (indicators.T @ (a[:, None] * x)) @ inverse  # (G, k)

    def parts(values: Array) -> tuple[Array, Array]:
        residuals = values - others @ np.linalg.lstsq(others, values, rcond=None)[0]
        moved = indicators.T @ (a * residuals)
        scores = np.diag(moved) - leverage @ (indicators.T @ (residuals[:, None] * x)).T
        return moved, scores

    moved_y, scores_y = parts(y)
    moved_x, scores_x = parts(x[:, column])
    # Under hypothesis b, the residuals are y's residuals minus b times the column's residuals.

    def p(value: float) -> float:
        if np.isinf(value):
            extreme = _extreme_at_infinity(signs, moved_x, scores_x)
        else:
            moved, scores = moved_y - value * moved_x, scores_y - value * scores_x
            drawn = _squared_t(signs @ moved, signs @ scores.T)
            observed = _squared_t(moved.sum(), scores.sum(axis=1))
            extreme = int((drawn >= observed * (1 - _TIE)).sum())
        return extreme / len(signs) if exact else (extreme + 1) / (len(signs) + 1)

    return p


def _extreme_at_infinity(signs: Array, moved: Array, scores: Array) -> int:
    """Count the sign vectors that are as extreme as the data in the limit of a distant hypothesis.

    These sign vectors leave no residual of the column and move the coefficient by the same amount.
    The count uses the limit because, far enough away, rounding errors make any two sign vectors
    differ.
    """
    fitted = (np.abs(signs @ scores.T) <= _TIE * np.abs(scores).max()).all(axis=1)
    as_far = np.abs(signs @ moved) >= abs(moved.sum()) * (1 - _TIE)
    return int((fitted & as_far).sum())


def _squared_t(moved: Array, scores: Array) -> Array:
    """Return the square of t, up to a constant factor."""
    variance = (scores**2).sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        squared: Array = np.nan_to_num(moved**2 / variance, nan=0.0, posinf=np.inf)
    return squared


def _end(p: Callable[[float], float], estimate: float, step: float, alpha: float) -> float:
    """Return the value where p falls to alpha, searching from the estimate in the direction of
    `step`; NaN if there is none."""
    if p(np.inf) > alpha:
        return np.nan
    inside, outside = estimate, estimate + step
    for _ in range(_DOUBLINGS):
        if p(outside) <= alpha:
            break
        inside, step = outside, 2 * step
        outside = estimate + step
    else:
        return np.nan
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if p(middle) > alpha else (inside, middle)
    return outside
