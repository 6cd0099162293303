"""Maximum likelihood estimation for all models.

The search uses transformed, unbounded parameters: log(x - low) if a parameter has one bound, and
log odds if it has two. It starts from the declared values and from random values near them.
Standard errors come from the inverse negative Hessian of the log likelihood in the original
parameters. If decisions are clustered, standard errors come from the sandwich estimator H^-1 (sum
of g g') H^-1 C / (C - 1), where g is the sum of the scores of a cluster and C the number of
clusters (White 1982, Econometrica 50(1), theorem 3.2; for clusters, Liang and Zeger 1986,
Biometrika 73(1)). Intervals are estimate +- quantile * error (Wald), truncated at the bounds.
Quantiles come from the normal distribution or, with clusters, from Student's t with C - 1 degrees
of freedom.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, logit
from scipy.stats import norm, t
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from mixed_company.analysis.behaviour.model import Model, Parameter
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array

STARTS = 3
LEVEL = 0.95
NEAR = 1e-4
"""Largest loss of log likelihood for which a parameter is moved to its bound."""
SLOPE = 1e-3
"""Largest gradient of the log likelihood, in any transformed parameter, for which a search counts
as converged."""
FLAT = 1e-6
"""Smallest curvature at which a parameter counts as identified, relative to its scale or size."""
_WORST = 1e10

Likelihood = Callable[[Array], Array]


@dataclass(frozen=True)
class Fit:
    """Estimates of a model's parameters; NaN if a parameter cannot be estimated.

    values, errors, low, high   (k,) in the order of the model's parameters
    at_bound   names of the parameters at a bound, which have no standard error
    reason     reason for a missing value; empty if no value is missing
    """

    values: Array
    errors: Array
    low: Array
    high: Array
    decisions: int
    log_likelihood: float
    converged: bool
    at_bound: tuple[str, ...] = ()
    reason: str = ""

    @property
    def aic(self) -> float:
        """2 k - 2 log L (Akaike 1974, IEEE Transactions on Automatic Control 19(6))."""
        return 2 * len(self.values) - 2 * self.log_likelihood

    @property
    def bic(self) -> float:
        """k log(n) - 2 log L, n decisions (Schwarz 1978, Annals of Statistics 6(2))."""
        log_n = np.log(self.decisions) if self.decisions else np.nan
        return float(len(self.values) * log_n - 2 * self.log_likelihood)


def fit(
    model: Model, panel: Panel, explained: Array, seed: int = 0, clusters: Array | None = None
) -> Fit:
    """Fit a model by maximum likelihood to the decisions flagged in `explained` (D,).

    `panel` has all decisions of these people, prepared for the model (`Model.prepared`). `clusters`
    (D,) holds the labels for clustered errors.
    """
    part = panel.take(explained)
    reason = model.unfit(part)
    if reason:
        return _nothing(model, len(part), reason)

    def likelihood(values: Array) -> Array:
        if model.remembers:
            return model.log_likelihood(values, panel)[explained]
        return model.log_likelihood(values, part)

    if not model.parameters:
        empty = np.empty(0)
        total = float(likelihood(empty).sum())
        return Fit(empty, empty, empty, empty, len(part), total, converged=True)
    scales = np.array([parameter.scale(part) for parameter in model.parameters])
    search = _searched(model, lambda scaled: likelihood(scaled * scales), seed)
    groups = None if clusters is None else clusters[explained]
    return _described(model, lambda scaled: likelihood(scaled * scales), scales, search, groups)


def _nothing(model: Model, decisions: int, reason: str) -> Fit:
    nan = np.full(len(model.parameters), np.nan)
    return Fit(nan, nan, nan, nan, decisions, np.nan, converged=False, reason=reason)


# -- the search -----------------------------------------------------------------------------------


def _searched(model: Model, likelihood: Likelihood, seed: int) -> Any:
    """Return the best result of searches from several starting points; its `x` holds scaled
    parameters."""
    rng = generator(seed, f"starts of {model.name}")
    start = np.array([unbounded(parameter, parameter.start) for parameter in model.parameters])
    jumps = rng.standard_normal((STARTS - 1, len(start)))

    def loss(free: Array) -> float:
        with np.errstate(all="ignore"):
            total = float(likelihood(_bound(model, free)).sum())
        return -total if np.isfinite(total) else _WORST

    ends = [
        minimize(loss, begin, method="BFGS", options={"gtol": SLOPE / 10, "maxiter": 200})
        for begin in (start, *(start + jumps))
    ]
    best = min(ends, key=lambda end: float(end.fun))
    best.x = _bound(model, best.x)
    return best


def unbounded(parameter: Parameter, value: float) -> float:
    """Transform a parameter's scaled value to an unbounded number."""
    if np.isinf(parameter.low):
        return value
    if np.isinf(parameter.high):
        return float(np.log(value - parameter.low))
    return float(logit((value - parameter.low) / (parameter.high - parameter.low)))


def _bound(model: Model, free: Array) -> Array:
    return np.array(
        [
            bounded(parameter, value)
            for parameter, value in zip(model.parameters, free.tolist(), strict=True)
        ]
    )


def bounded(parameter: Parameter, free: float) -> float:
    """Transform an unbounded number back to the parameter's scaled value."""
    if np.isinf(parameter.low):
        return free
    if np.isinf(parameter.high):
        return float(parameter.low + np.exp(free))
    return float(parameter.low + (parameter.high - parameter.low) * expit(free))


def steepness(parameter: Parameter, free: float) -> float:
    """Return the derivative of `bounded`."""
    if np.isinf(parameter.low):
        return 1.0
    above = bounded(parameter, free) - parameter.low
    if np.isinf(parameter.high):
        return above
    return above * (1 - above / (parameter.high - parameter.low))


# -- the estimates --------------------------------------------------------------------------------


def _described(
    model: Model, likelihood: Likelihood, scales: Array, search: Any, clusters: Array | None
) -> Fit:
    names = [parameter.name for parameter in model.parameters]
    values, bound, flat = _at_bounds(model, likelihood, np.asarray(search.x))
    likelihoods = likelihood(values)
    errors, flatter, reason = _errors(likelihood, values, ~bound & ~flat, clusters)
    flat = flat | flatter
    unidentified = [name for name, is_flat in zip(names, flat, strict=True) if is_flat]
    at_bound = tuple(name for name, is_bound in zip(names, bound, strict=True) if is_bound)
    if unidentified:
        reason = f"not identified: {', '.join(unidentified)}"
    converged = bool(np.abs(search.jac).max() < SLOPE)
    count = len(np.unique(clusters)) if clusters is not None else 0
    quantile = t.ppf((1 + LEVEL) / 2, count - 1) if count > 1 else norm.ppf((1 + LEVEL) / 2)
    low, high = np.array([(parameter.low, parameter.high) for parameter in model.parameters]).T
    return Fit(
        values=np.where(flat, np.nan, values * scales),
        errors=errors * scales,
        low=np.maximum(values - quantile * errors, low) * scales,
        high=np.minimum(values + quantile * errors, high) * scales,
        decisions=len(likelihoods),
        log_likelihood=float(likelihoods.sum()),
        converged=converged,
        at_bound=at_bound,
        reason=reason or ("" if converged else f"the search did not finish: {search.message}"),
    )


def _at_bounds(model: Model, likelihood: Likelihood, values: Array) -> tuple[Array, Array, Array]:
    """Move values to a bound if the likelihood there is the same. Return them with two flags.

    The flags say whether a value was moved, and whether it is not identified because both bounds
    are equally likely.
    """
    best = float(likelihood(values).sum())
    moved, flat = np.zeros((2, len(values)), dtype=np.bool_)
    for place, parameter in enumerate(model.parameters):
        ends = [values.copy() for _ in range(2)]
        ends[0][place], ends[1][place] = parameter.low, parameter.high
        likely = [
            bool(np.isfinite(end[place])) and float(likelihood(end).sum()) >= best - NEAR
            for end in ends
        ]
        flat[place] = all(likely)
        moved[place] = any(likely) and not flat[place]
        if moved[place]:
            values = ends[likely.index(True)]
    return values, moved, flat


def _errors(
    likelihood: Likelihood, values: Array, free: Array, clusters: Array | None
) -> tuple[Array, Array, str]:
    """Return standard errors (NaN: unknown), flags of parameters for which the likelihood is flat,
    and the reason why errors are missing."""
    errors, flat = np.full(len(values), np.nan), np.zeros(len(values), dtype=np.bool_)
    if not free.any():
        return errors, flat, ""

    def by_decision(free_values: Array) -> Array:
        return likelihood(_filled(values, free, free_values))

    with np.errstate(all="ignore"):
        hessian = np.atleast_2d(
            approx_hess(values[free], lambda free_values: by_decision(free_values).sum())
        )
    flat[free] = np.abs(np.diag(hessian)) * np.maximum(1.0, values[free] ** 2) < FLAT
    sharp = ~flat[free]
    information = -hessian[np.ix_(sharp, sharp)]
    if not sharp.any():
        return errors, flat, ""
    if not is_curved(information):
        return errors, flat, "no standard errors: the likelihood is flat in some direction"
    if clusters is None:
        variance = np.linalg.inv(information)
    elif len(np.unique(clusters)) < 2:
        return errors, flat, "no standard errors: there is only one group"
    else:
        scores = np.atleast_2d(approx_fprime(values[free], by_decision, centered=True))[:, sharp]
        variance = sandwich(information, scores, clusters)
    places = np.flatnonzero(free)[sharp]
    errors[places] = np.sqrt(np.diag(variance))
    return errors, flat, ""


def _filled(values: Array, free: Array, free_values: Array) -> Array:
    filled = values.copy()
    filled[free] = free_values
    return filled


def is_curved(information: Array) -> bool:
    """Return whether the likelihood is strictly concave, which means that standard errors exist.

    A curvature that is 0 up to rounding error does not count, because then the matrix has no
    inverse.
    """
    if not np.isfinite(information).all():
        return False
    curvatures = np.linalg.eigvalsh(information)
    return bool(curvatures[0] > len(curvatures) * np.finfo(np.float64).eps * abs(curvatures[-1]))


def sandwich(information: Array, scores: Array, clusters: Array) -> Array:
    """Return the clustered variance (k, k), given scores (D, k) and cluster labels (D,)."""
    labels, place = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(labels), scores.shape[1]))
    np.add.at(sums, place, scores)
    bread = np.linalg.inv(information)
    return np.asarray(bread @ (sums.T @ sums) @ bread * len(labels) / (len(labels) - 1))


def mean_by_groups(values: Array, group: Array) -> tuple[float, float]:
    """Return the mean of values (D,) and its standard error clustered by groups (D,), or NaN."""
    if not len(values):
        return np.nan, np.nan
    mean = float(values.mean())
    sums = np.bincount(np.unique(group, return_inverse=True)[1], values - mean)
    count = len(sums)
    if count < 2:
        return mean, np.nan
    return mean, float(np.sqrt((sums**2).sum() * count / (count - 1)) / len(values))
