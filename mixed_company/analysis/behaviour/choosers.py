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

import numpy as np
from scipy.special import logsumexp

from mixed_company.analysis.behaviour.fitting import bounded, steepness, unbounded
from mixed_company.analysis.behaviour.mixtures import Kind, Kinds, Mixture, points, searched
from mixed_company.analysis.behaviour.model import Model
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

__all__ = ["Chooser", "choosers"]

NODES = 11
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
    best = min(_found(data, [(model,) for model in models], None, sharing), key=_bic)
    while len(best.models) < most:
        more = _found(data, [(*best.models, model) for model in models], best, sharing)
        after = min((fit for fit in more if fit.full), key=_bic, default=best)
        if after.bic >= best.bic:
            break
        best = after
    return best.described()


def _bic(fit: _Fit) -> float:
    return fit.bic


def _found(
    data: _Data, mixtures: Sequence[tuple[Model, ...]], before: _Fit | None, sharing: Sharing
) -> Sequence[_Fit]:
    """Mixtures of these models, each with its numbers where what searches end likeliest."""
    fits = [_Fit(data, models) for models in mixtures]
    starts = [[fit.start(before, precision) for precision in _STARTS] for fit in fits]
    return searched(fits, starts, sharing)


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


class _Fit(Mixture[Chooser]):
    """A mixture of types with these models.

    The numbers of a type are the logarithm of its precision in its scale, the other parameters, and
    the logarithm of the spread.
    """

    def __init__(self, data: _Data, models: tuple[Model, ...]) -> None:
        self.data, self.models = data, models
        sizes = [len(model.parameters) + 1 for model in models]
        spreads = np.cumsum(sizes) + len(models) - 2
        low, high = np.full((2, spreads[-1] + 1), [[-_FAR], [_FAR]])
        low[: len(models) - 1], high[: len(models) - 1] = -np.inf, np.inf
        low[spreads], high[spreads] = _NONE, _MOST
        super().__init__(data.group, sizes, low, high, spreads)
        self._kept: dict[tuple[int, bytes], Array] = {}

    def start(self, before: _Fit | None, precision: float) -> Array:
        """The types before as they were, and another one with this precision, one of K people."""
        last = self.count - 1
        rest = [
            unbounded(parameter, parameter.start) for parameter in self.models[last].parameters[1:]
        ]
        new = [float(np.log(precision)), *rest, float(np.log(_SPREAD))]
        if before is None:
            return np.array(new)
        odds = before.log_shares(before.free) + np.log(last)
        return np.concatenate([odds, before.free[last - 1 :], new])

    def joint(self, free: Array) -> Array:
        chances = np.stack([self._kept_chance(free, number) for number in range(self.count)])
        return np.asarray(self.log_shares(free)[:, None] + chances)

    def _kept_chance(self, free: Array, number: int) -> Array:
        """(P,) log chances; kept, since a search moves one number at a time."""
        key = number, free[self.parts[number]].tobytes()
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
        precisions = values[0] * np.exp(spread * places[:, 0])
        parts = [
            self.data.of_people(model, np.append(precision, values[1:])) for precision in precisions
        ]
        return np.asarray(logsumexp(np.stack(parts) + weights[:, None], axis=0))

    def _values(self, free: Array, number: int) -> tuple[Array, Array]:
        """The precision and the other parameters of a type; and what they change with `free`."""
        part, panel = free[self.parts[number]], self.data.short
        first, *rest = self.models[number].parameters
        pairs = list(zip(rest, part[1:].tolist(), strict=False))
        scales = np.array([parameter.scale(panel) for parameter in rest])
        values = np.array([bounded(parameter, free) for parameter, free in pairs]) * scales
        slopes = np.array([steepness(parameter, free) for parameter, free in pairs]) * scales
        return np.array([np.exp(part[0]) * first.scale(panel), *values]), np.array([1.0, *slopes])

    def _spread(self, free: Array, number: int) -> float:
        """The standard deviation of the logarithm of the precision."""
        last = float(free[self.parts[number]][-1])
        return 0.0 if last <= _NONE else float(np.exp(last))

    def kind(
        self, number: int, share: tuple[float, float], errors: Array, correlation: Array
    ) -> Chooser:
        values, slopes = self._values(self.free, number)
        spread = self._spread(self.free, number)
        return Chooser(
            *share,
            np.array([np.log(values[0]), *values[1:], spread]),
            errors * np.append(slopes, spread),
            correlation,
            self.models[number],
        )
