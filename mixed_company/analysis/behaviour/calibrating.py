"""From an export to a population: the types of its people, how many of each, and how sure that is.

Of amounts: who always did the least that was possible, or always the most, is a type that needs no
line; all others are of one of the types of `analysis.behaviour.lines`. What people begin with is
taken from their first decisions, of each as much as he or she is likely to be of the type. Of
choices (a mine, a step): types of `analysis.behaviour.choosers`, of those models that a policy on a
seat can follow (`policies.populations.fitted`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.behaviour.choosing import Choosing
from mixed_company.analysis.behaviour.decisions import FIRST, PERSON, Decisions, decided
from mixed_company.analysis.behaviour.fitting import mean_by_groups
from mixed_company.analysis.behaviour.lines import Line, mixture
from mixed_company.analysis.behaviour.model import find, models
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.data import GROUP, Data
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.policies.populations.form import Described, Spread, Type
from mixed_company.policies.sharing import Sharing

__all__ = ["calibrated"]

TYPES = 3
"""So many types of lines at most, unless told otherwise."""
FEW = 5000
"""Up to so many decisions are explained in this process."""
MODEL = "conditional_cooperation"
LEAST, MOST = "always the least", "always the most"


def calibrated(
    data: Data,
    treatment: str | None = None,
    types: int = TYPES,
    source: str = "an export",
    *,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> Described:
    """The population that the people of a treatment are from, with its uncertainty.

    Of the game's first action. `source` says what `data` are. `workers` are processes that search,
    `scheduler` is the address of a Dask cluster that does; whoever does, the result is the same.
    Raises UnknownName for a treatment, ConfigError where nothing can be estimated.
    """
    amounts = MODEL in models(data.game_id)
    if types < 1:
        raise ConfigError(f"types = {types}: at least 1")
    decisions = _of_treatment(decided(data), _treatment(data, treatment))
    people = _People(decisions) if amounts else Choosing(*decisions)
    little = people.explained.sum() <= FEW
    with Sharing(workers, scheduler, progress).here_if(little) as sharing:
        kinds = people.types(types, sharing)
    return Described(
        game=data.game_id,
        sentence=f"Types fitted to the decisions of {people.count} people.",
        source=source,
        whole=amounts and bool((people.panel.action % 1 == 0).all()),
        types=tuple(sorted(kinds, key=lambda kind: -kind.share)),
        calibration={
            "treatment": _treatment(data, treatment),
            "people": people.count,
            "groups": people.groups,
            "decisions": int(people.explained.sum()),
            "log_likelihood": people.log_likelihood,
            "model": people.model,
        },
    )


def _treatment(data: Data, name: str | None) -> str:
    names = list(data.treatments)
    if name is None and len(names) > 1:
        raise ConfigError(f"treatment: there are {len(names)}: {', '.join(names)}; name one")
    if name is not None and name not in names:
        raise UnknownName(f"treatment {short(name)}: unknown{nearest(name, names)}")
    return names[0] if name is None else name


def _of_treatment(decisions: Decisions, treatment: str) -> tuple[pd.DataFrame, Panel]:
    rows = np.flatnonzero(decisions.keys["treatment"] == treatment)
    if decisions.panel is None or not len(rows):
        raise ConfigError(f"treatment {treatment!r}: has no decisions of people")
    return decisions.keys.iloc[rows], decisions.panel.take(rows)


class _People:
    """The people of a treatment: what they did, first and later.

    person, row_group     (D,) of each decision
    group                 (P,) of each person
    explained, first      (D,) flags: decisions that a line explains, and those before any other
    left                  (P,) flags: who is of no type as yet
    """

    model = MODEL

    def __init__(self, decisions: tuple[pd.DataFrame, Panel]) -> None:
        keys, self.panel = decisions
        self.person = keys.groupby(PERSON, sort=False).ngroup().to_numpy()
        group = keys.groupby(GROUP, sort=False).ngroup().to_numpy()
        self.count, self.groups = int(self.person.max()) + 1, int(group.max()) + 1
        self.row_group = group
        self.group = np.zeros(self.count, dtype=np.int64)
        self.group[self.person] = group
        why = find(MODEL, self.panel.faced[0].game.id).silent(self.panel)
        self.explained = why == ""
        self.first = (self.panel.why == FIRST) & (self.panel.high > self.panel.low)
        self.left = np.ones(self.count, dtype=np.bool_)
        self.log_likelihood = 0.0

    def types(self, most: int, sharing: Sharing) -> list[Type]:
        """All types, with so many lines at most."""
        return [*self.constant(), *self.on_lines(most, sharing)]

    def constant(self) -> list[Type]:
        """Who always did the least, and who always did the most."""
        panel = self.panel
        at_end = {LEAST: panel.action <= panel.low, MOST: panel.action >= panel.high}
        kinds = []
        for name, is_there in at_end.items():
            always = np.bincount(self.person, ~is_there, self.count) == 0
            always &= np.bincount(self.person, self.explained, self.count) > 0
            self.left &= ~always
            if always.any():
                share, error = mean_by_groups(always.astype(np.float64), self.group)
                end = float(self.panel.low.min() if name == LEAST else self.panel.high.max())
                kinds.append(self._type(name, share, error, _flat(end, name == MOST)))
        return kinds

    def on_lines(self, types: int, sharing: Sharing) -> list[Type]:
        """The types of all others."""
        rows = self.explained & self.left[self.person]
        if not rows.any():
            return []
        numbers, person = np.unique(self.person[rows], return_inverse=True)
        panel = replace(self.panel.take(np.flatnonzero(rows)), person=person)
        fit = mixture(panel, self.row_group[rows], types, sharing)
        self.log_likelihood = fit.log_likelihood
        part, error = mean_by_groups(self.left.astype(np.float64), self.group)
        return [
            self._type(
                f"line {number + 1}",
                part * line.share,
                float(np.hypot(part * line.share_error, error * line.share)),
                {
                    "first": self._first(numbers, fit.membership[:, number]),
                    "parameters": _of(line),
                    "correlation": line.correlations(("intercept", "slope", "noise")),
                },
            )
            for number, line in enumerate(fit.types)
        ]

    def _first(self, people: Array, weights: Array) -> Spread | float:
        """What people of a type begin with, of the range that they can choose from."""
        share = np.full(self.count, np.nan)
        share[self.person[self.first]] = self.panel.share[self.first]
        weights = np.where(np.isnan(share[people]), 0.0, weights)
        values = np.nan_to_num(share[people])
        if not weights.sum():
            raise ConfigError("first decisions: none is known of people of a type")
        mean = float(np.average(values, weights=weights))
        sd = float(np.sqrt(np.average((values - mean) ** 2, weights=weights)))
        effective = float(weights.sum() ** 2 / (weights**2).sum())
        if sd < 1e-9:
            return mean
        return Spread(
            mean=mean,
            sd=sd,
            mean_error=sd / effective**0.5,
            sd_error=sd / (2 * effective) ** 0.5,
        )

    def _type(self, name: str, share: float, error: float, rest: Mapping[str, Any]) -> Type:
        source = f"{share * self.count:.1f} of {self.count} people"
        share_error = None if np.isnan(error) else error
        return Type(
            name=name,
            policy="straight_line",
            share=share,
            share_error=share_error,
            source=source,
            **rest,
        )


def _flat(amount: float, most: bool) -> dict[str, Any]:
    return {"first": float(most), "parameters": {"intercept": amount}}


def _of(line: Line) -> dict[str, float | Spread]:
    """The numbers of a type as parameters of `straight_line`."""
    intercept, slope, noise, spread, steep = line.values.tolist()
    errors: Sequence[float | None] = [
        None if np.isnan(error) else error for error in line.errors.tolist()
    ]
    return {
        "intercept": Spread(mean=intercept, sd=spread, mean_error=errors[0], sd_error=errors[3]),
        "slope": Spread(mean=slope, sd=steep, mean_error=errors[1], sd_error=errors[4]),
        "noise": Spread(mean=noise, sd=0.0, mean_error=errors[2]),
    }
