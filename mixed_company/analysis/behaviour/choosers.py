"""Types of people who choose: a mixture of models of behaviour, by maximum likelihood.

A person is of type k with chance q_k, and then decides by a model of that type whose first number,
the precision, is his or her own: its logarithm is normal between people, with mean m_k and standard
deviation t_k. The likelihood of a person is the sum over types of q_k times the integral over the
precision, by Gauss and Hermite with NODES points. Types are added one by one, the
model that helps most each time, as long as BIC (people counted) gets smaller and every type keeps
FEWEST people. Errors are those of the sandwich, by groups. Mixtures of models, type by type:
El-Gamal and Grether (1995), Journal of the American Statistical Association 90(432).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp
from statsmodels.tools.numdiff import approx_fprime, approx_hess

from mixed_company.analysis.behaviour.correlations import blocks
from mixed_company.analysis.behaviour.fitting import bounded, steepness, unbounded
from mixed_company.analysis.behaviour.kinds import Kind, Kinds
from mixed_company.analysis.behaviour.model import Model
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.behaviour.quadrature import points
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

__all__ = ["Chooser", "choosers"]

NODES = 11
NEAR = 1e-2
"""A spread is none where the log likelihood is then no worse by this."""
FEWEST = 2
"""So many people at least must be of a type; else there are fewer types."""
_STARTS = (0.5, 3.0)
"""Precisions a search for another type begins with, in one over the deviation of the points."""
_NONE, _MOST = float(np.log(1e-2)), float(np.log(3.0))
"""The least spread, with which there is none, and the largest."""
_FAR = 7.0
"""Log odds, and the logarithm of a precision in its scale: so far out a number is at its end."""
_SPREAD = 0.3
_KEPT = 50


@dataclass(frozen=True)
class Chooser(Kind):
    """A type that chooses by a model.

    values, errors   (k + 1,) mean of the logarithm of the precision, the model's other parameters,
                     and the standard deviation of that logarithm
    """

    model: Model


def choosers(
    panel: Panel,
    explained: Array,
    groups: Array,
    models: Sequence[Model],
    most: int,
    sharing: Sharing,
) -> Kinds[Chooser]:
    """The mixture of these models, of one type to `most`.

    panel      all decisions of these people, prepared for the models; persons count from 0
    explained  (D,) flags: the decisions whose chances count, at least one of each person
    groups     (D,) the number of the group of each decision
    sharing    who searches
    Raises ConfigError where there are too few people.
    """
    data = _Data(panel.bare(), explained, groups)
    needed = 1 + max(len(model.parameters) for model in models)
    if data.people < needed:
        raise ConfigError(f"people = {data.people}: at least {needed} are needed for a type")
    best = min(_searched(data, [(model,) for model in models], None, sharing), key=_bic)
    while len(best.models) < most:
        more = _searched(data, [(*best.models, model) for model in models], best, sharing)
        more = [fit for fit in more if fit.members.sum(axis=0).min() >= FEWEST]
        after = min(more, key=_bic, default=best)
        if after.bic >= best.bic:
            break
        best = after
    return best.described()


def _bic(fit: _Fit) -> float:
    return fit.bic


def _searched(
    data: _Data, mixtures: Sequence[tuple[Model, ...]], before: _Fit | None, sharing: Sharing
) -> list[_Fit]:
    """Mixtures of these models, each with its numbers where what searches end likeliest."""
    fits = [_Fit(data, models) for models in mixtures]
    work = [(fit, fit._start(before, precision)) for fit in fits for precision in _STARTS]
    ends = iter(sharing.gathered(_end, work, " searches"))
    return [fit.settled([next(ends) for _ in _STARTS]) for fit in fits]


def _end(work: tuple[_Fit, Array]) -> tuple[float, Array]:
    """The loss and the numbers where a search from a start ends."""
    fit, start = work
    bounds = list(zip(fit.low, fit.high, strict=True))
    end = minimize(fit._loss, start, method="L-BFGS-B", bounds=bounds)
    return float(end.fun), end.x


class _Data:
    """Decisions, and whose they are: `person` (E,) of those that count, `group` (P,)."""

    def __init__(self, panel: Panel, explained: Array, groups: Array) -> None:
        self.panel, self.explained = panel, explained
        self.short = panel.take(explained)
        self.person = panel.person[explained]
        self.people = int(panel.person.max()) + 1
        self.group = np.zeros(self.people, dtype=np.int64)
        self.group[panel.person] = np.unique(groups, return_inverse=True)[1]

    def of_people(self, model: Model, values: Array) -> Array:
        """(P,) the log chance of what each person did."""
        if model.remembers:
            chances = model.log_likelihood(values, self.panel)[self.explained]
        else:
            chances = model.log_likelihood(values, self.short)
        return np.bincount(self.person, chances, self.people)


class _Fit:
    """A mixture of types with these models, searched in numbers without bounds.

    First the log odds of all types but the last to the last, then of each type the logarithm of
    its precision in its scale, the other parameters, and the logarithm of the spread.
    """

    def __init__(self, data: _Data, models: tuple[Model, ...]) -> None:
        self.data, self.models = data, models
        self.ends = np.cumsum([len(model.parameters) + 1 for model in models]) + len(models) - 1
        self.size = int(self.ends[-1])
        self.spreads = self.ends - 1
        self.low, self.high = self._bounds()
        self.free = np.zeros(self.size)
        self._kept: dict[tuple[int, bytes], Array] = {}

    def settled(self, ends: Sequence[tuple[float, Array]]) -> _Fit:
        """With the numbers of the likeliest end, without spreads that explain nothing."""
        self.free = min(ends, key=lambda end: end[0])[1]
        for place in self.spreads.tolist():
            without = self.free.copy()
            without[place] = _NONE
            if self._loss(without) <= self._loss(self.free) + NEAR:
                self.free = without
        return self

    def _bounds(self) -> tuple[Array, Array]:
        """What the numbers may be: nobody's precision is beyond all reason, and no rate is 0."""
        low, high = np.full(self.size, -np.inf), np.full(self.size, np.inf)
        for number in range(len(self.models)):
            part = self._part(number)
            low[part], high[part] = -_FAR, _FAR
            low[part.stop - 1], high[part.stop - 1] = _NONE, _MOST
        return low, high

    def _part(self, number: int) -> slice:
        """Where the numbers of a type are."""
        stop = int(self.ends[number])
        return slice(stop - len(self.models[number].parameters) - 1, stop)

    def _start(self, before: _Fit | None, precision: float) -> Array:
        """The types before as they were, and another one with this precision, one of K people."""
        last = len(self.models) - 1
        rest = [unbounded(one, one.start) for one in self.models[last].parameters[1:]]
        new = [float(np.log(precision)), *rest, float(np.log(_SPREAD))]
        if before is None:
            return np.array(new)
        odds = np.append(before.free[: last - 1], 0.0)
        odds = odds - logsumexp(odds) + np.log(last)
        return np.concatenate([odds, before.free[last - 1 :], new])

    def _values(self, free: Array, number: int) -> tuple[Array, Array]:
        """The precision and the other parameters of a type; and what they change with `free`."""
        part, model, panel = free[self._part(number)], self.models[number], self.data.short
        first, *rest = model.parameters
        pairs = list(zip(rest, part[1:].tolist(), strict=False))
        scales = np.array([one.scale(panel) for one in rest])
        values = np.array([bounded(one, free) for one, free in pairs]) * scales
        slopes = np.array([steepness(one, free) for one, free in pairs]) * scales
        return np.array([np.exp(part[0]) * first.scale(panel), *values]), np.array([1.0, *slopes])

    def _spread(self, free: Array, number: int) -> float:
        """The standard deviation of the logarithm of the precision."""
        last = float(free[self._part(number)][-1])
        return 0.0 if last <= _NONE else float(np.exp(last))

    def _joint(self, free: Array) -> Array:
        """(K, P) log chances of being of a type and doing what was done."""
        odds = np.append(free[: len(self.models) - 1], 0.0)
        shares = odds - logsumexp(odds)
        return np.stack([shares[k] + self._kept_chance(free, k) for k in range(len(self.models))])

    def _kept_chance(self, free: Array, number: int) -> Array:
        """(P,) log chances; kept, since a search moves one number at a time."""
        key = number, free[self._part(number)].tobytes()
        if key not in self._kept:
            if len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = self._chance(free, number)
        return self._kept[key]

    def _chance(self, free: Array, number: int) -> Array:
        model, spread = self.models[number], self._spread(free, number)
        values, _ = self._values(free, number)
        if not spread:
            return self.data.of_people(model, values)
        places, weights = points(NODES)
        own = values[0] * np.exp(spread * places[:, 0])
        parts = [self.data.of_people(model, np.append(one, values[1:])) for one in own]
        return np.asarray(logsumexp(np.stack(parts) + weights[:, None], axis=0))

    def _of_people(self, free: Array) -> Array:
        return np.asarray(logsumexp(self._joint(free), axis=0))

    def _loss(self, free: Array) -> float:
        return -float(self._of_people(free).sum())

    @cached_property
    def members(self) -> Array:
        """(P, K) how likely each person is of each type."""
        joint = self._joint(self.free)
        return np.asarray(np.exp(joint - logsumexp(joint, axis=0)).T)

    @cached_property
    def bic(self) -> float:
        return float(self.size * np.log(self.data.people) + 2 * self._loss(self.free))

    def described(self) -> Kinds[Chooser]:
        count = len(self.models)
        odds = np.append(self.free[: count - 1], 0.0)
        shares = np.exp(odds - logsumexp(odds))
        variance = self._variance()
        to_share = np.diag(shares)[:, :-1] - np.outer(shares, shares[:-1])
        part = variance[: count - 1, : count - 1]
        share_errors = np.sqrt(np.einsum("ki,ij,kj->k", to_share, part, to_share))
        errors = np.sqrt(np.diag(variance))
        sizes = [len(model.parameters) + 1 for model in self.models]
        related = blocks(variance[count - 1 :, count - 1 :], sizes)
        order = np.argsort(-shares)
        types = tuple(
            self._type(k, float(shares[k]), float(share_errors[k]), errors[self._part(k)], related)
            for k in order.tolist()
        )
        return Kinds(types, self.members[:, order], -self._loss(self.free), self.bic)

    def _type(
        self, number: int, share: float, share_error: float, errors: Array, related: list[Array]
    ) -> Chooser:
        values, slopes = self._values(self.free, number)
        spread = self._spread(self.free, number)
        return Chooser(
            share,
            share_error,
            np.array([np.log(values[0]), *values[1:], spread]),
            errors * np.append(slopes, spread),
            related[number],
            self.models[number],
        )

    def _variance(self) -> Array:
        """The sandwich by groups of all numbers; NaN for those at an end, or if there is none."""
        known = (self.free > self.low) & (self.free < self.high)
        variance = np.full((self.size, self.size), np.nan)
        labels = int(self.data.group.max()) + 1
        if labels < 2 or not known.any():
            return variance

        def among(some: Array) -> Array:
            whole = self.free.copy()
            whole[known] = some
            return self._of_people(whole)

        information = -approx_hess(self.free[known], lambda some: among(some).sum())
        if not np.isfinite(information).all() or np.linalg.eigvalsh(information)[0] <= 0:
            return variance
        scores = np.zeros((labels, int(known.sum())))
        np.add.at(scores, self.data.group, approx_fprime(self.free[known], among, centered=True))
        bread = np.linalg.inv(information)
        sandwich = bread @ (scores.T @ scores) @ bread * labels / (labels - 1)
        variance[np.ix_(known, known)] = sandwich
        return variance
