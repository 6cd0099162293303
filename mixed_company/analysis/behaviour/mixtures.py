"""Mixtures of types of people, fitted by maximum likelihood: the base class for mixtures of lines
and mixtures of models.

A person has type k with probability q_k and decides with that type's parameters, some of which are
normally distributed across people. The search uses unbounded parameters: first the log odds of each
type relative to the last one, then the parameters of each type. Standard errors come from the
sandwich estimator, clustered by group, as in `analysis.behaviour.fitting`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from mixed_company.analysis.behaviour.fitting import is_curved, sandwich
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

NEAR = 1e-2
"""Largest loss of log likelihood for which a spread is set to zero."""
FEWEST = 2
"""Minimum number of people per type. A mixture with fewer people in any type is discarded."""
_AT_END = 1e-9
_LEAST = 0.005
"""Smallest correlation that is reported."""
_LIGHT = 1e-7
"""Smallest weight of a quadrature point that is kept."""


@dataclass(frozen=True)
class Kind:
    """A type: the share of people who belong to it, and its parameters with standard errors (NaN:
    unknown).

    values, errors   (k,) parameters and their errors
    correlation      correlations of the errors; the means come first
    """

    share: float
    share_error: float
    values: Array
    errors: Array
    correlation: Array

    def correlations(self, names: Sequence[str]) -> dict[str, dict[str, float]]:
        """Return correlations by parameter name, in the format of a population file.

        `names` holds the names of the first parameters.
        """
        by_name: dict[str, dict[str, float]] = {}
        for place, name in enumerate(names):
            pairs = zip(names[place + 1 :], self.correlation[place, place + 1 :], strict=False)
            others = {other: float(value) for other, value in pairs if abs(value) >= _LEAST}
            by_name |= {name: others} if others else {}
        return by_name


Own = TypeVar("Own", bound=Kind)


@dataclass(frozen=True)
class Kinds(Generic[Own]):
    """Types in order of descending share. `membership` (P, K) is the probability that each person
    has each type.
    """

    types: tuple[Own, ...]
    membership: Array
    log_likelihood: float


class Mixture(ABC, Generic[Own]):
    """A mixture of types. `free` holds its unbounded parameters, which are zero before `settle` is
    called.

    group       (P,) group of each person
    parts       slices of `free` with the parameters of each type
    low, high   bounds of the search
    spreads     positions of the spreads across people; a spread at its lower bound counts as zero
    """

    with_slopes: ClassVar[bool] = False
    """True if `objective` also returns the gradient."""

    def __init__(
        self, group: Array, sizes: Sequence[int], low: Array, high: Array, spreads: Array
    ) -> None:
        self.group, self.low, self.high, self.spreads = group, low, high, spreads
        self.count = len(sizes)
        ends = (self.count - 1 + np.cumsum(sizes)).tolist()
        self.parts = [slice(end - size, end) for end, size in zip(ends, sizes, strict=True)]
        self.free = np.zeros(len(low))

    @abstractmethod
    def joint(self, free: Array) -> Array:
        """Return the log joint probabilities of each type and each person's decisions, shape (K,
        P)."""

    @abstractmethod
    def kind(
        self, number: int, share: tuple[float, float], errors: Array, correlation: Array
    ) -> Own:
        """Return a type with this share, this error of the share and these errors of the type's
        parameters."""

    def log_shares(self, free: Array) -> Array:
        """Return the log shares of the types, shape (K,)."""
        odds = np.append(free[: self.count - 1], 0.0)
        return np.asarray(odds - logsumexp(odds))

    def of_people(self, free: Array) -> Array:
        """Return the log likelihood of each person, shape (P,)."""
        return np.asarray(logsumexp(self.joint(free), axis=0))

    def loss(self, free: Array) -> float:
        """Return the negative log likelihood."""
        return -float(self.of_people(free).sum())

    def objective(self, free: Array) -> Any:
        """Return the loss to minimise and, with `with_slopes`, its gradient."""
        return self.loss(free)

    def settle(self, ends: Sequence[tuple[float, Array]]) -> None:
        """Adopt the result of the best search, and set spreads that explain nothing to zero."""
        self.free = min(ends, key=lambda end: end[0])[1]
        for place in self.spreads.tolist():
            reduced = self.free.copy()
            reduced[place] = self.low[place]
            if self.loss(reduced) <= self.loss(self.free) + NEAR:
                self.free = reduced

    @cached_property
    def members(self) -> Array:
        """(P, K) posterior probabilities of types for each person."""
        joint = self.joint(self.free)
        return np.asarray(np.exp(joint - logsumexp(joint, axis=0)).T)

    @property
    def full(self) -> bool:
        """True if every type has enough people, or if there is only one type."""
        return self.count == 1 or bool(self.members.sum(axis=0).min() >= FEWEST)

    @cached_property
    def bic(self) -> float:
        """Schwarz's criterion (BIC), with people as observations."""
        return float(len(self.free) * np.log(len(self.group)) + 2 * self.loss(self.free))

    def described(self) -> Kinds[Own]:
        """Return the types with their errors."""
        shares, variance = np.exp(self.log_shares(self.free)), self.variance
        to_share = np.diag(shares)[:, :-1] - np.outer(shares, shares[:-1])
        odds = variance[: self.count - 1, : self.count - 1]
        share_errors = np.sqrt(np.einsum("ki,ij,kj->k", to_share, odds, to_share))
        errors = np.sqrt(np.diag(variance))
        with np.errstate(invalid="ignore", divide="ignore"):
            correlation = variance / np.outer(errors, errors)
        order = np.argsort(-shares)
        types = tuple(
            self.kind(
                number,
                (float(shares[number]), float(share_errors[number])),
                errors[self.parts[number]],
                correlation[self.parts[number], self.parts[number]],
            )
            for number in order.tolist()
        )
        return Kinds(types, self.members[:, order], -self.loss(self.free))

    @cached_property
    def variance(self) -> Array:
        """Covariance matrix of all free parameters, clustered by group; NaN at a bound or if
        unknown."""
        free_flags = (self.free > self.low + _AT_END) & (self.free < self.high - _AT_END)
        variance = np.full((len(self.free), len(self.free)), np.nan)
        if len(np.unique(self.group)) < 2 or not free_flags.any():
            return variance
        information, scores = self.curvature(free_flags)
        if is_curved(information):
            variance[np.ix_(free_flags, free_flags)] = sandwich(information, scores, self.group)
        return variance

    def curvature(self, free_flags: Array) -> tuple[Array, Array]:
        """Return the numerical information matrix of the flagged parameters, and their scores (P,
        k)."""

        def by_person(values: Array) -> Array:
            free = self.free.copy()
            free[free_flags] = values
            return self.of_people(free)

        start = self.free[free_flags]
        information = -approx_hess(start, lambda values: by_person(values).sum())
        return information, np.asarray(approx_fprime(start, by_person, centered=True))


class Sloped(Mixture[Own]):
    """A mixture with an analytic gradient."""

    with_slopes = True

    @abstractmethod
    def with_gradient(self, free: Array) -> tuple[Array, Array]:
        """Return each person's log likelihood, shape (P,), and its gradient, shape (P, numbers)."""

    def objective(self, free: Array) -> tuple[float, Array]:
        total, slopes = self.with_gradient(free)
        return -float(total.sum()), -slopes.sum(axis=0)

    def curvature(self, free_flags: Array) -> tuple[Array, Array]:
        def slopes(values: Array) -> Array:
            free = self.free.copy()
            free[free_flags] = values
            return self.objective(free)[1][free_flags]

        information = np.atleast_2d(approx_fprime(self.free[free_flags], slopes, centered=True))
        return (information + information.T) / 2, self.with_gradient(self.free)[1][:, free_flags]


Searched = TypeVar("Searched", bound=Mixture[Any])


def searched(
    fits: Sequence[Searched], starts: Sequence[Sequence[Array]], sharing: Sharing
) -> Sequence[Searched]:
    """Fit each mixture by searches from several starting points, and let it adopt the best
    result."""
    work = [(fit, start) for fit, of_fit in zip(fits, starts, strict=True) for start in of_fit]
    ends = iter(sharing.gathered(end_of_search, work, " searches"))
    for fit, of_fit in zip(fits, starts, strict=True):
        fit.settle([next(ends) for _ in of_fit])
    return fits


def end_of_search(work: tuple[Mixture[Any], Array]) -> tuple[float, Array]:
    """Return the loss and the parameters at the point where a search stops."""
    fit, start = work
    bounds = list(zip(fit.low, fit.high, strict=True))
    search: Any = {"jac": fit.with_slopes, "method": "L-BFGS-B", "bounds": bounds}
    end = minimize(fit.objective, start, **search)
    return float(end.fun), end.x


@lru_cache
def points(first: int, second: int = 1) -> tuple[Array, Array]:
    """Return quadrature points (Q, 2) for two standard normal variables, and their log weights
    (Q,).

    The rule is Gauss-Hermite with `first` and `second` nodes. A variable with a single node is
    always 0. The arrays are cached, so callers must not change them.
    """
    nodes = [np.polynomial.hermite_e.hermegauss(count) for count in (first, second)]
    places = np.stack(np.meshgrid(*(place for place, _ in nodes), indexing="ij"), -1).reshape(-1, 2)
    weights = np.multiply.outer(*(weight / weight.sum() for _, weight in nodes)).ravel()
    kept = weights > _LIGHT
    return places[kept], np.log(weights[kept] / weights[kept].sum())
