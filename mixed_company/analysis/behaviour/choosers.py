"""Types of people who make choices, estimated from an export: a mixture of models of behaviour,
fitted by maximum likelihood.

A person has type k with probability q_k and decides as that type's model says. The model's first
parameter, the precision, differs from person to person. The log precision is normally distributed
across people, with mean m_k and standard deviation t_k. A person's likelihood is the sum over types
of q_k times the integral over the precision, by Gauss-Hermite quadrature with NODES points. Types
are added one at a time, each with the model that most improves the fit, as long as the BIC (with
people as observations) falls and every type keeps at least FEWEST people. Standard errors come from
the sandwich estimator, clustered by group. For mixtures of models, type by type, see El-Gamal and
Grether (1995), Journal of the American Statistical Association 90(432).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logsumexp

from mixed_company.analysis.behaviour.decisions import PERSON
from mixed_company.analysis.behaviour.fitting import bounded, steepness, unbounded
from mixed_company.analysis.behaviour.mixtures import Kind, Kinds, Mixture, points, searched
from mixed_company.analysis.behaviour.model import Model, find, models
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.data import GROUP
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.populations.fitted import policy_of
from mixed_company.policies.populations.form import Spread, Type
from mixed_company.policies.sharing import Sharing

NODES = 11
_STARTS = (0.5, 3.0)
"""Precisions at which searches for another type start, in 1 / standard deviation of the points."""
_NONE, _MOST = float(np.log(1e-2)), float(np.log(3.0))
"""Bounds of a log spread. A spread at the lower bound counts as zero."""
_FAR = 7.0
"""Largest absolute value of log odds, and of a scaled log precision."""
_SPREAD = 0.3
_KEPT = 50


@dataclass(frozen=True)
class Chooser(Kind):
    """A type that chooses according to a model.

    values, errors   (k + 1,) mean of the log precision, the model's other parameters, and the
                     standard deviation of the log precision
    """

    model: Model


def choosers(
    panel: Panel,
    explained: Array,
    groups: Array,
    models: Sequence[Model],
    max_types: int,
    sharing: Sharing,
) -> Kinds[Chooser]:
    """Return the mixture of these models, with 1 to `max_types` types.

    panel      all decisions of these people, prepared for the models; persons are numbered from 0
    explained  (D,) flags of the decisions that count in the likelihood, at least one per person
    groups     (D,) number of the group of each decision
    sharing    processes that run the searches
    Raises ConfigError if there are too few people.
    """
    data = _Data(panel.bare(), explained, groups)
    needed = 1 + max(len(model.parameters) for model in models)
    if data.people < needed:
        raise ConfigError(f"people = {data.people}: should be at least {needed} to fit a type")
    best = min(_found(data, [(model,) for model in models], None, sharing), key=_bic)
    while len(best.models) < max_types:
        larger = _found(data, [(*best.models, model) for model in models], best, sharing)
        candidate = min((fit for fit in larger if fit.full), key=_bic, default=best)
        if candidate.bic >= best.bic:
            break
        best = candidate
    return best.described()


def _bic(fit: _Fit) -> float:
    return fit.bic


def _found(
    data: _Data, mixtures: Sequence[tuple[Model, ...]], before: _Fit | None, sharing: Sharing
) -> Sequence[_Fit]:
    """Fit mixtures of these models, each by searches from several starting points."""
    fits = [_Fit(data, models) for models in mixtures]
    starts = [[fit.start(before, precision) for precision in _STARTS] for fit in fits]
    return searched(fits, starts, sharing)


class _Data:
    """Decisions, with the `person` (E,) who made each explained decision and the `group` (P,) of
    each person."""

    def __init__(self, panel: Panel, explained: Array, groups: Array) -> None:
        self.panel, self.explained = panel, explained
        self.short = panel.take(explained)
        self.person = panel.person[explained]
        self.people = int(panel.person.max()) + 1
        self.group = np.zeros(self.people, dtype=np.int64)
        self.group[panel.person] = np.unique(groups, return_inverse=True)[1]

    def of_people(self, model: Model, values: Array) -> Array:
        """Return the log likelihood of each person, shape (P,)."""
        if model.remembers:
            chances = model.log_likelihood(values, self.panel)[self.explained]
        else:
            chances = model.log_likelihood(values, self.short)
        return np.bincount(self.person, chances, self.people)


class _Fit(Mixture[Chooser]):
    """A mixture of types with these models.

    A type's free parameters are its log precision in its scale, the other parameters of its model,
    and the log spread.
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
        """Return the free parameters at which a search starts. The types of `before` are unchanged,
        and a new type has this precision and a share of 1/K."""
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
        """Return log likelihoods, shape (P,). They are cached because a search changes one
        parameter at a time."""
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
        """Return the precision and other parameters of a type, and their derivatives."""
        part, panel = free[self.parts[number]], self.data.short
        first, *rest = self.models[number].parameters
        pairs = list(zip(rest, part[1:].tolist(), strict=False))
        scales = np.array([parameter.scale(panel) for parameter in rest])
        values = np.array([bounded(parameter, free) for parameter, free in pairs]) * scales
        slopes = np.array([steepness(parameter, free) for parameter, free in pairs]) * scales
        return np.array([np.exp(part[0]) * first.scale(panel), *values]), np.array([1.0, *slopes])

    def _spread(self, free: Array, number: int) -> float:
        """Return the standard deviation of the log precision."""
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


class Choosing:
    """People who make choices, and the models that a policy can follow in a seat.

    panel      all their decisions, prepared for these models
    explained  (D,) flags of the decisions that every one of these models explains
    """

    def __init__(self, keys: pd.DataFrame, panel: Panel) -> None:
        self.models = _followed(panel)
        for model in self.models:
            panel = model.prepared(panel)
        explained = np.logical_and.reduce([model.silent(panel) == "" for model in self.models])
        person = keys.groupby(PERSON, sort=False).ngroup().to_numpy()
        kept = np.isin(person, person[explained])
        if not kept.any():
            raise ConfigError("none of the models can explain any decision")
        self.panel, self.explained = panel.take(kept), explained[kept]
        self.panel.person[:] = np.unique(person[kept], return_inverse=True)[1]
        self.row_group = keys.groupby(GROUP, sort=False).ngroup().to_numpy()[kept]
        self.count = int(self.panel.person.max()) + 1
        self.groups = len(np.unique(self.row_group))
        self.log_likelihood, self.model = 0.0, ""

    def types(self, max_types: int, sharing: Sharing) -> list[Type]:
        """Return the types of the mixture with the smallest BIC, with at most `max_types` types."""
        rest = (self.row_group, self.models, max_types, sharing)
        fit = choosers(self.panel, self.explained, *rest)
        self.log_likelihood = fit.log_likelihood
        self.model = ", ".join(sorted({kind.model.name for kind in fit.types}))
        model_names = [kind.model.name for kind in fit.types]
        names = [
            name
            if model_names.count(name) == 1
            else f"{name} {model_names[: place + 1].count(name)}"
            for place, name in enumerate(model_names)
        ]
        return [
            Type(
                name=name,
                policy=kind.model.name,
                share=kind.share,
                share_error=finite(kind.share_error),
                source=f"{kind.share * self.count:.1f} of {self.count}",
                parameters=_of(kind),
                correlation=kind.correlations(
                    [parameter.name for parameter in kind.model.parameters]
                ),
            )
            for name, kind in zip(names, fit.types, strict=True)
        ]


def finite(error: float) -> float | None:
    """Return a standard error; None if it is NaN."""
    return None if np.isnan(error) else float(error)


def _of(kind: Chooser) -> dict[str, float | Spread]:
    """Return a type's estimates as parameters of its policy, with the precision first."""
    names = [parameter.name for parameter in kind.model.parameters]
    *means, sd = kind.values.tolist()
    *errors, sd_error = map(finite, kind.errors)
    parameters: dict[str, float | Spread] = {
        name: Spread(mean=mean, sd=0.0, mean_error=error)
        for name, mean, error in zip(names, means, errors, strict=True)
    }
    precision = {"mean": means[0], "sd": sd, "mean_error": errors[0], "sd_error": sd_error}
    return parameters | {names[0]: Spread(**precision, log=True)}


def _followed(panel: Panel) -> list[Model]:
    """Return the models that a policy can follow in all of these games. Raises ConfigError if there
    are none."""
    played = [game for game, _ in panel.by_game()]
    reasons: list[str] = []
    followed = []
    for name in models(played[0].id):
        model = find(name, played[0].id)
        refused = _refused(model, played, panel.field)
        if refused:
            reasons.append(refused)
        else:
            followed.append(model)
    if not followed:
        raise ConfigError("\n".join(reasons))
    return followed


def _refused(model: Model, played: list[Game[Any]], field: str) -> str:
    """Return the reason why no policy can follow the model in these games; an empty string if one
    can."""
    policy = policy_of(model.name, played[0].id)
    if policy is None:
        return f"{model.name}: no policy can follow this model in {played[0].id}"
    for game in played:
        try:
            policy.for_game(game)
        except ConfigError as error:
            return str(error)
        if model.refuses(game, field):
            return f"{model.name}: {model.refuses(game, field)}"
    return ""
