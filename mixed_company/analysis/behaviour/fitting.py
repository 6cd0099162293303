"""Maximum likelihood, for all models alike.

The search runs over transformed parameters without bounds: log(x - low) for one bound, the log odds
for two; from the declared start and from others drawn around it. Standard errors are those of the
inverse of the negative Hessian of the log likelihood, in the parameters themselves; or, where
decisions hang together within clusters, those of the sandwich H^-1 (sum of g g') H^-1 C / (C - 1),
where g is the sum of the scores of a cluster and C their number (White 1982, Econometrica 50(1),
theorem 3.2; by cluster Liang and Zeger 1986, Biometrika 73(1)). Intervals are estimate +- quantile
* error (Wald), cut at the bounds; the quantile is that of the normal distribution or, by cluster,
of Student's t with C - 1 degrees.
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

__all__ = [
    "STARTS",
    "Fit",
    "bounded",
    "fit",
    "is_curved",
    "mean_by_groups",
    "sandwich",
    "steepness",
    "unbounded",
]

STARTS = 3
LEVEL = 0.95
NEAR = 1e-4
"""A parameter is at its bound where the log likelihood is no worse there by this."""
SLOPE = 1e-3
"""A search has converged where no transformed parameter changes the log likelihood faster."""
FLAT = 1e-6
"""A parameter with less curvature (in its own scale, or its own size) is not identified."""
_WORST = 1e10

Likelihood = Callable[[Array], Array]


@dataclass(frozen=True)
class Fit:
    """What was estimated; NaN where nothing can be.

    values, errors, low, high   (k,) in the order of the model's parameters
    at_bound   the names of the parameters at a bound, which have no standard error
    reason     why something is missing; empty: nothing is
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
        many = np.log(self.decisions) if self.decisions else np.nan
        return float(len(self.values) * many - 2 * self.log_likelihood)


def fit(
    model: Model, panel: Panel, explained: Array, seed: int = 0, clusters: Array | None = None
) -> Fit:
    """The parameters under which the decisions that are `explained` (D, flags) are likeliest.

    `panel` has all decisions of these people, and what the model asks for (`Model.prepared`).
    `clusters` (D,) are labels, for errors by cluster.
    """
    part = panel.take(explained)
    why = model.unfit(part)
    if why:
        return _nothing(model, len(part), why)

    def likelihood(values: Array) -> Array:
        if model.remembers:
            return model.log_likelihood(values, panel)[explained]
        return model.log_likelihood(values, part)

    if not model.parameters:
        none = np.empty(0)
        total = float(likelihood(none).sum())
        return Fit(none, none, none, none, len(part), total, converged=True)
    scales = np.array([parameter.scale(part) for parameter in model.parameters])
    search = _searched(model, lambda scaled: likelihood(scaled * scales), seed)
    groups = None if clusters is None else clusters[explained]
    return _described(model, lambda scaled: likelihood(scaled * scales), scales, search, groups)


def _nothing(model: Model, decisions: int, why: str) -> Fit:
    none = np.full(len(model.parameters), np.nan)
    return Fit(none, none, none, none, decisions, np.nan, converged=False, reason=why)


# -- the search -----------------------------------------------------------------------------------


def _searched(model: Model, likelihood: Likelihood, seed: int) -> Any:
    """The best end of searches from several starts; its `x` are the parameters, scaled."""
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
    """A parameter's value, scaled, as a number without bounds."""
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
    """The value that such a number stands for."""
    if np.isinf(parameter.low):
        return free
    if np.isinf(parameter.high):
        return float(parameter.low + np.exp(free))
    return float(parameter.low + (parameter.high - parameter.low) * expit(free))


def steepness(parameter: Parameter, free: float) -> float:
    """How much the value changes with the number."""
    if np.isinf(parameter.low):
        return 1.0
    above = bounded(parameter, free) - parameter.low
    if np.isinf(parameter.high):
        return above
    return above * (1 - above / (parameter.high - parameter.low))


# -- what was found -------------------------------------------------------------------------------


def _described(
    model: Model, likelihood: Likelihood, scales: Array, search: Any, clusters: Array | None
) -> Fit:
    names = [parameter.name for parameter in model.parameters]
    values, bound, flat = _at_bounds(model, likelihood, np.asarray(search.x))
    likelihoods = likelihood(values)
    errors, flatter, reason = _errors(likelihood, values, ~bound & ~flat, clusters)
    flat = flat | flatter
    unknown = [name for name, is_flat in zip(names, flat, strict=True) if is_flat]
    at_bound = tuple(name for name, is_there in zip(names, bound, strict=True) if is_there)
    if unknown:
        reason = f"not identified: {', '.join(unknown)}"
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
        reason=reason or ("" if converged else f"the search did not end: {search.message}"),
    )


def _at_bounds(model: Model, likelihood: Likelihood, values: Array) -> tuple[Array, Array, Array]:
    """The values, moved to a bound where they are as likely; flags: moved, and not identified.

    What is as likely at both of its bounds is not identified.
    """
    best = float(likelihood(values).sum())
    moved, flat = np.zeros((2, len(values)), dtype=np.bool_)
    for place, parameter in enumerate(model.parameters):
        ends = [values.copy() for _ in range(2)]
        ends[0][place], ends[1][place] = parameter.low, parameter.high
        near = [
            bool(np.isfinite(end[place])) and float(likelihood(end).sum()) >= best - NEAR
            for end in ends
        ]
        flat[place] = all(near)
        moved[place] = any(near) and not flat[place]
        if moved[place]:
            values = ends[near.index(True)]
    return values, moved, flat


def _errors(
    likelihood: Likelihood, values: Array, free: Array, clusters: Array | None
) -> tuple[Array, Array, str]:
    """Standard errors (NaN: none), which parameters are flat, and why errors are missing."""
    errors, flat = np.full(len(values), np.nan), np.zeros(len(values), dtype=np.bool_)
    if not free.any():
        return errors, flat, ""

    def among(some: Array) -> Array:
        return likelihood(_filled(values, free, some))

    with np.errstate(all="ignore"):
        hessian = np.atleast_2d(approx_hess(values[free], lambda some: among(some).sum()))
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
        return errors, flat, "no standard errors: there is one group"
    else:
        scores = np.atleast_2d(approx_fprime(values[free], among, centered=True))[:, sharp]
        variance = sandwich(information, scores, clusters)
    places = np.flatnonzero(free)[sharp]
    errors[places] = np.sqrt(np.diag(variance))
    return errors, flat, ""


def _filled(values: Array, free: Array, some: Array) -> Array:
    whole = values.copy()
    whole[free] = some
    return whole


def is_curved(information: Array) -> bool:
    """Return whether the likelihood bends down in all directions, so that there are errors."""
    return bool(np.isfinite(information).all() and np.linalg.eigvalsh(information)[0] > 0)


def sandwich(information: Array, scores: Array, clusters: Array) -> Array:
    """Return the variance (k, k) by cluster, of scores (D, k) with labels (D,)."""
    labels, place = np.unique(clusters, return_inverse=True)
    sums = np.zeros((len(labels), scores.shape[1]))
    np.add.at(sums, place, scores)
    bread = np.linalg.inv(information)
    return np.asarray(bread @ (sums.T @ sums) @ bread * len(labels) / (len(labels) - 1))


def mean_by_groups(values: Array, group: Array) -> tuple[float, float]:
    """Return the mean of (D,) values and its standard error by groups (D,); NaN: none."""
    if not len(values):
        return np.nan, np.nan
    mean = float(values.mean())
    sums = np.bincount(np.unique(group, return_inverse=True)[1], values - mean)
    many = len(sums)
    if many < 2:
        return mean, np.nan
    return mean, float(np.sqrt((sums**2).sum() * many / (many - 1)) / len(values))
