"""Mixtures of types of people by maximum likelihood: what those of lines and of choices share.

A person is of type k with chance q_k, and then decides by the numbers of that type, some of which
differ normally between people. Searched are numbers without bounds: the log odds of all types but
the last to the last, then the numbers of each type. Errors are those of the sandwich, by groups, as
in `analysis.behaviour.fitting`.
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

__all__ = ["Kind", "Kinds", "Mixture", "points", "searched"]

NEAR = 1e-2
"""A spread is none where the log likelihood is then no worse by this."""
FEWEST = 2
"""So many people at least must be of a type; else there are fewer types."""
_AT_END = 1e-9
_LEAST = 0.005
"""Weaker correlations are not written down."""
_LIGHT = 1e-7
"""Points of an integral with less weight are left out."""


@dataclass(frozen=True)
class Kind:
    """A type: its share of the people, and its numbers with their standard errors (NaN: none).

    values, errors   (k,) the numbers
    correlation      of these errors; those of means come first
    """

    share: float
    share_error: float
    values: Array
    errors: Array
    correlation: Array

    def correlations(self, names: Sequence[str]) -> dict[str, dict[str, float]]:
        """Return those of the first numbers by their names, as a population's file has them."""
        by_name: dict[str, dict[str, float]] = {}
        for place, name in enumerate(names):
            pairs = zip(names[place + 1 :], self.correlation[place, place + 1 :], strict=False)
            others = {other: float(value) for other, value in pairs if abs(value) >= _LEAST}
            by_name |= {name: others} if others else {}
        return by_name


Own = TypeVar("Own", bound=Kind)


@dataclass(frozen=True)
class Kinds(Generic[Own]):
    """The types, the largest first; `membership` (P, K) is how likely each person is of each."""

    types: tuple[Own, ...]
    membership: Array
    log_likelihood: float


class Mixture(ABC, Generic[Own]):
    """A mixture of types; `free` are its numbers, zeros until it is `settled`.

    group       (P,) the group of each person
    parts       where the numbers of each type are
    low, high   between which the numbers are searched
    spreads     the places of spreads between people, which are none at their low end
    """

    with_slopes: ClassVar[bool] = False
    """Whether `objective` gives slopes as well."""

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
        """(K, P) log chances of being of a type and doing what was done."""

    @abstractmethod
    def kind(
        self, number: int, share: tuple[float, float], errors: Array, correlation: Array
    ) -> Own:
        """Return a type, from its share with its error and the errors of its numbers."""

    def log_shares(self, free: Array) -> Array:
        """(K,) logarithms of the shares."""
        odds = np.append(free[: self.count - 1], 0.0)
        return np.asarray(odds - logsumexp(odds))

    def of_people(self, free: Array) -> Array:
        """(P,) log chance of what each person did."""
        return np.asarray(logsumexp(self.joint(free), axis=0))

    def loss(self, free: Array) -> float:
        """Return the log likelihood, negative."""
        return -float(self.of_people(free).sum())

    def objective(self, free: Array) -> Any:
        """Return what a search makes small: the loss; `with_slopes` its slopes, too."""
        return self.loss(free)

    def settle(self, ends: Sequence[tuple[float, Array]]) -> None:
        """Take the numbers of the likeliest end, without spreads that explain nothing."""
        self.free = min(ends, key=lambda end: end[0])[1]
        for place in self.spreads.tolist():
            without = self.free.copy()
            without[place] = self.low[place]
            if self.loss(without) <= self.loss(self.free) + NEAR:
                self.free = without

    @cached_property
    def members(self) -> Array:
        """(P, K) how likely each person is of each type."""
        joint = self.joint(self.free)
        return np.asarray(np.exp(joint - logsumexp(joint, axis=0)).T)

    @property
    def full(self) -> bool:
        """Whether every type has its people, or there is only one."""
        return self.count == 1 or bool(self.members.sum(axis=0).min() >= FEWEST)

    @cached_property
    def bic(self) -> float:
        """Return the criterion of Schwarz, in which people are counted."""
        return float(len(self.free) * np.log(len(self.group)) + 2 * self.loss(self.free))

    def described(self) -> Kinds[Own]:
        """Return the types with their errors."""
        shares, variance = np.exp(self.log_shares(self.free)), self._variance()
        to_share = np.diag(shares)[:, :-1] - np.outer(shares, shares[:-1])
        odds = variance[: self.count - 1, : self.count - 1]
        share_errors = np.sqrt(np.einsum("ki,ij,kj->k", to_share, odds, to_share))
        errors = np.sqrt(np.diag(variance))
        with np.errstate(invalid="ignore", divide="ignore"):
            related = variance / np.outer(errors, errors)
        order = np.argsort(-shares)
        types = tuple(
            self.kind(
                number,
                (float(shares[number]), float(share_errors[number])),
                errors[self.parts[number]],
                related[self.parts[number], self.parts[number]],
            )
            for number in order.tolist()
        )
        return Kinds(types, self.members[:, order], -self.loss(self.free))

    def _variance(self) -> Array:
        """The sandwich by groups of all numbers; NaN for those at an end, or if there is none."""
        known = (self.free > self.low + _AT_END) & (self.free < self.high - _AT_END)
        variance = np.full((len(self.free), len(self.free)), np.nan)
        if len(np.unique(self.group)) < 2 or not known.any():
            return variance
        information, scores = self.curvature(known)
        if is_curved(information):
            variance[np.ix_(known, known)] = sandwich(information, scores, self.group)
        return variance

    def curvature(self, known: Array) -> tuple[Array, Array]:
        """Return the information about some numbers, and their scores (P, k), by differences."""

        def among(some: Array) -> Array:
            whole = self.free.copy()
            whole[known] = some
            return self.of_people(whole)

        information = -approx_hess(self.free[known], lambda some: among(some).sum())
        return information, np.asarray(approx_fprime(self.free[known], among, centered=True))


Searched = TypeVar("Searched", bound=Mixture[Any])


def searched(
    fits: Sequence[Searched], starts: Sequence[Sequence[Array]], sharing: Sharing
) -> Sequence[Searched]:
    """Settle mixtures where the likeliest of the searches from their starts end."""
    work = [(fit, start) for fit, some in zip(fits, starts, strict=True) for start in some]
    ends = iter(sharing.gathered(_end, work, " searches"))
    for fit, some in zip(fits, starts, strict=True):
        fit.settle([next(ends) for _ in some])
    return fits


def _end(work: tuple[Mixture[Any], Array]) -> tuple[float, Array]:
    """Return the loss and the numbers where a search from a start ends."""
    fit, start = work
    bounds = list(zip(fit.low, fit.high, strict=True))
    search: Any = {"jac": fit.with_slopes, "method": "L-BFGS-B", "bounds": bounds}
    end = minimize(fit.objective, start, **search)
    return float(end.fun), end.x


@lru_cache
def points(first: int, second: int = 1) -> tuple[Array, Array]:
    """(Q, 2) points for two standard normal numbers, and (Q,) the logarithms of their weights.

    By Gauss and Hermite, with so many nodes for each; with one node a number is 0 throughout.
    Nobody writes into them.
    """
    nodes = [np.polynomial.hermite_e.hermegauss(count) for count in (first, second)]
    places = np.stack(np.meshgrid(*(place for place, _ in nodes), indexing="ij"), -1).reshape(-1, 2)
    weights = np.multiply.outer(*(weight / weight.sum() for _, weight in nodes)).ravel()
    kept = weights > _LIGHT
    return places[kept], np.log(weights[kept] / weights[kept].sum())
