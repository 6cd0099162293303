"""Calibrate a population from an export: its types, their shares, and the uncertainty of both.

For amounts, people who always choose the smallest possible action form one constant type, and those
who always choose the largest form another. Everyone else belongs to one of the types in
`analysis.behaviour.lines`. Initial actions come from first decisions, weighted by the probability
that each person has the type. A line is named after two points: its action if all others choose the
smallest action, and its action if they choose the largest, both as shares of the range of actions
and limited to that range. The line is conditional if it rises by STEEP or more from the first point
to the second, and contrary if it falls by that much. Otherwise it is low, middle or high if its
mean is in the lowest, middle or highest third. With `moving`, people may change type between
periods, including to and from the constant types (`analysis.behaviour.moving`).

For choices (a mine, a step), the types come from `analysis.behaviour.choosers`, restricted to
models that a policy in a seat can follow (`policies.populations.fitted`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from mixed_company.analysis.behaviour.choosers import Choosing, finite
from mixed_company.analysis.behaviour.decisions import FIRST, PERSON, Decisions, decided
from mixed_company.analysis.behaviour.fitting import mean_by_groups
from mixed_company.analysis.behaviour.lines import Line, mixture
from mixed_company.analysis.behaviour.model import find, models
from mixed_company.analysis.behaviour.moving import Mover, moving_mixture
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.analysis.data import GROUP, Data
from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.policies.populations.form import Described, Move, Spread, Type
from mixed_company.policies.sharing import Sharing

TYPES = 3
"""Default maximum number of line types."""
FEW = 5000
"""Maximum number of explained decisions that are fitted in this process rather than in worker
processes."""
PEOPLE = 8
"""Minimum number of people. With fewer, the standard error of a share of one half exceeds 0.18."""
STEEP = 0.3
"""Minimum change over the whole line, as a share of the range of actions, for the line to count as
depending on what others do."""
MODEL = "conditional_cooperation"
LEAST, MOST = "always the least", "always the most"
LEAST_NOW, MOST_NOW = "the least", "the most"
"""Constant types, which people can change to and from."""


def calibrated(
    data: Data,
    treatment: str | None = None,
    types: int = TYPES,
    source: str = "an export",
    *,
    moving: bool = False,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> Described:
    """Estimate the population of a treatment's people from the first action field of the game.

    `source` describes `data`. With `moving`, types may change (`behaviour.moving`). `workers` is
    the number of search processes; `scheduler` is the address of a Dask cluster to use instead.
    Neither changes the result. Raises UnknownName for an unknown treatment, ConfigError if nothing
    can be estimated.
    """
    amounts = MODEL in models(data.game_id)
    if types < 1:
        raise ConfigError(f"types = {types}: should be at least 1")
    if moving and not amounts:
        raise ConfigError(
            f"moving: not possible in {data.game_id}, whose first action is not an amount"
        )
    decisions = _of_treatment(decided(data), _treatment(data, treatment))
    people = _People(decisions) if amounts else Choosing(*decisions)
    if people.count < PEOPLE:
        raise ConfigError(
            f"people = {people.count}: should be at least {PEOPLE} to estimate the shares of types"
        )
    small = people.explained.sum() <= FEW
    with Sharing(workers, scheduler, progress).here_if(small) as sharing:
        if moving and isinstance(people, _People):
            kinds = people.moving(types, sharing)
        else:
            kinds = people.types(types, sharing)
    noun = "simulated people" if data.rehearsed else "people"
    kinds = [kind.model_copy(update={"source": f"{kind.source} {noun}"}) for kind in kinds]
    return Described(
        game=data.game_id,
        sentence=f"Types fitted to the decisions of {people.count} {noun}.",
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
            **(people.compared if isinstance(people, _People) else {}),
        },
    )


def _treatment(data: Data, name: str | None) -> str:
    names = list(data.treatments)
    if not names:
        raise ConfigError("the export has no groups, so it has no decisions by people")
    if name is None and len(names) > 1:
        raise ConfigError(f"treatment: choose one of the {len(names)}: {', '.join(names)}")
    if name is not None and name not in names:
        raise UnknownName(f"treatment {short(name)}: unknown{nearest(name, names)}")
    return names[0] if name is None else name


def _of_treatment(decisions: Decisions, treatment: str) -> tuple[pd.DataFrame, Panel]:
    rows = np.flatnonzero(decisions.keys["treatment"] == treatment)
    if decisions.panel is None or not len(rows):
        raise ConfigError(f"treatment {treatment!r}: no decisions by people")
    return decisions.keys.iloc[rows], decisions.panel.take(rows)


class _People:
    """The people in a treatment, with their first and later decisions.

    person, row_group     (D,) person and group of each decision
    group                 (P,) group of each person
    explained, first      (D,) flags of decisions that a line explains, and of first decisions
    left                  (P,) flags of people who have no type yet
    """

    model = MODEL

    def __init__(self, decisions: tuple[pd.DataFrame, Panel]) -> None:
        keys, self.panel = decisions
        self.period = keys["period"].to_numpy(dtype=np.int64)
        self.person = keys.groupby(PERSON, sort=False).ngroup().to_numpy()
        group = keys.groupby(GROUP, sort=False).ngroup().to_numpy()
        self.count, self.groups = int(self.person.max()) + 1, int(group.max()) + 1
        self.row_group = group
        self.group = np.zeros(self.count, dtype=np.int64)
        self.group[self.person] = group
        reasons = find(MODEL, self.panel.faced[0].game.id).silent(self.panel)
        self.explained = reasons == ""
        self.first = (self.panel.why == FIRST) & (self.panel.high > self.panel.low)
        self.left = np.ones(self.count, dtype=np.bool_)
        self.log_likelihood = 0.0
        self.compared: dict[str, float] = {}

    def moving(self, max_types: int, sharing: Sharing) -> list[Type]:
        """Return the types of people who may change type, with at most `max_types` lines."""
        rows = np.flatnonzero(self.explained | self.first)
        numbers, person = np.unique(self.person[rows], return_inverse=True)
        opened = np.full(self.count, np.iinfo(np.int64).max)
        np.minimum.at(opened, self.person, self.period)
        fit = moving_mixture(
            replace(self.panel.take(rows), person=person),
            (self.period - opened[self.person])[rows],
            self.row_group[rows],
            max_types,
            sharing,
        )
        self.log_likelihood = fit.kinds.log_likelihood
        self.compared = {"bic_moving": fit.bic, "bic_staying": fit.bic_staying}
        lines = {kind.number: kind.values[2:] for kind in fit.kinds.types if kind.end is None}
        names = dict(zip(lines, self._names(lines.values()), strict=True))
        ends = {kind.number: kind.end for kind in fit.kinds.types if kind.end is not None}
        names |= {number: (LEAST_NOW, MOST_NOW)[end] for number, end in ends.items()}
        return [self._mover(kind, names, len(numbers)) for kind in fit.kinds.types]

    def _mover(self, kind: Mover, names: Mapping[int, str], people: int) -> Type:
        """Return a type with its moves; `names` has the name of each type by its number."""
        moves = tuple(
            Move(to=names[number], rate=rate, rate_error=finite(error))
            for number, (rate, error) in sorted(kind.moves.items())
        )
        rest = _flat(
            float(self.panel.high.max() if kind.end else self.panel.low.min()), bool(kind.end)
        )
        if kind.end is None:
            mean, sd, *_ = kind.values.tolist()
            errors = [finite(error) for error in kind.errors.tolist()]
            rest = {
                "first": Spread(mean=mean, sd=sd, mean_error=errors[0], sd_error=errors[1]),
                "parameters": _spreads([*kind.values[2:], 0.0], [*errors[2:], None]),
                "correlation": kind.correlations(("intercept", "slope", "noise")),
            }
        return self._type(
            names[kind.number], kind.share, kind.share_error, {**rest, "moves": moves}
        )

    def types(self, max_types: int, sharing: Sharing) -> list[Type]:
        """Return all types, with at most `max_types` lines."""
        return [*self.constant(), *self.on_lines(max_types, sharing)]

    def constant(self) -> list[Type]:
        """Return the types that always choose the smallest or the largest action."""
        panel = self.panel
        at_end = {LEAST: panel.action <= panel.low, MOST: panel.action >= panel.high}
        kinds = []
        for name, flags in at_end.items():
            always = np.bincount(self.person, ~flags, self.count) == 0
            always &= np.bincount(self.person, self.explained, self.count) > 0
            self.left &= ~always
            if always.any():
                share, error = mean_by_groups(always.astype(np.float64), self.group)
                end = float(self.panel.low.min() if name == LEAST else self.panel.high.max())
                kinds.append(self._type(name, share, error, _flat(end, name == MOST)))
        return kinds

    def on_lines(self, types: int, sharing: Sharing) -> list[Type]:
        """Return the types of everyone else; they follow lines."""
        rows = self.explained & self.left[self.person]
        if not rows.any():
            return []
        numbers, person = np.unique(self.person[rows], return_inverse=True)
        panel = replace(self.panel.take(np.flatnonzero(rows)), person=person)
        fit = mixture(panel, self.row_group[rows], types, sharing)
        self.log_likelihood = fit.log_likelihood
        part, error = mean_by_groups(self.left.astype(np.float64), self.group)
        names = self._names(line.values for line in fit.types)
        return [
            self._type(
                names[number],
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

    def _names(self, lines: Iterable[Array]) -> list[str]:
        """Return names that describe what the lines do. The first two values of a line are its
        intercept and slope. A repeated name gets a number."""
        low, high = float(self.panel.low.min()), float(self.panel.high.max())
        names: list[str] = []
        for intercept, slope, *_ in lines:
            ends = np.clip((intercept + slope * np.array([low, high]) - low) / (high - low), 0, 1)
            rise = ends[1] - ends[0]
            third = ("low", "middle", "high")[int(np.searchsorted([1 / 3, 2 / 3], ends.mean()))]
            kind = third if abs(rise) < STEEP else "conditional" if rise > 0 else "contrary"
            names.append(f"{kind} {self.panel.field}")
        return [
            f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
            for place, name in enumerate(names)
        ]

    def _first(self, people: Array, weights: Array) -> Spread | float:
        """Return a type's initial actions, as shares of the range of possible actions."""
        share = np.full(self.count, np.nan)
        share[self.person[self.first]] = self.panel.share[self.first]
        weights = np.where(np.isnan(share[people]), 0.0, weights)
        values = np.nan_to_num(share[people])
        if not weights.sum():
            raise ConfigError("first decisions: missing for all people of one type")
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
        source = f"{share * self.count:.1f} of {self.count}"
        return Type(
            name=name,
            policy="straight_line",
            share=share,
            share_error=finite(error),
            source=source,
            **rest,
        )


def _flat(amount: float, largest: bool) -> dict[str, Any]:
    return {"first": float(largest), "parameters": {"intercept": amount}}


def _of(line: Line) -> dict[str, float | Spread]:
    """Return a type's estimates as parameters of the `straight_line` policy."""
    return _spreads(line.values.tolist(), [finite(error) for error in line.errors.tolist()])


def _spreads(values: Sequence[float], errors: Sequence[float | None]) -> dict[str, float | Spread]:
    """Return the parameters for this intercept, slope and noise, and the spreads of the first
    two."""
    intercept, slope, noise, spread, steep = values
    return {
        "intercept": Spread(mean=intercept, sd=spread, mean_error=errors[0], sd_error=errors[3]),
        "slope": Spread(mean=slope, sd=steep, mean_error=errors[1], sd_error=errors[4]),
        "noise": Spread(mean=noise, sd=0.0, mean_error=errors[2]),
    }
