"""Fits of one model, and models beside each other, as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import pandas as pd

from mixed_company.analysis.behaviour.decisions import PERSON, Decisions, decided
from mixed_company.analysis.behaviour.fitting import Fit, fit
from mixed_company.analysis.behaviour.model import Model, field_of, find, models
from mixed_company.analysis.behaviour.panel import GRID, Panel
from mixed_company.analysis.data import GROUP, Data
from mixed_company.engine.contract.errors import ConfigError, nearest, short
from mixed_company.engine.contract.space import Array

__all__ = ["Errors", "Per", "compared", "fitted"]

Per = Literal["person", "treatment"]
Errors = Literal["hessian", "group"]
UNITS = {"person": ["treatment", *PERSON], "treatment": ["treatment"]}
ERRORS: dict[str, Errors] = {"person": "hessian", "treatment": "group"}


def fitted(
    data: Data,
    model: str,
    per: Per = "person",
    *,
    field: str | None = None,
    grid: int | None = None,
    errors: Errors | None = None,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per person or treatment: the parameters of a model with which it is likeliest.

    Keys; `model`, `field`; `decisions` that are explained, `left_out` and `left_out_because`; per
    parameter its estimate, `_se` (standard error), `_low` and `_high` (95 % interval);
    `log_likelihood`, `aic`, `bic`; `converged`; `at_bound`, the parameters at a bound; `reason`,
    why something is missing.

    field   the action field, by default the game's first one
    grid    points an amount is brought on; empty: 11, or, for a model of amounts, none: the amounts
            as they are
    errors  `hessian`, or `group`: by groups, as the unit of independence. Empty: `hessian` per
            person, `group` per treatment
    seed    of the starts of the search

    Raises UnknownName for a model or field, ConfigError for a game without models or another word.
    """
    keys = UNITS[_word("per", per, UNITS)]
    chosen = _word("errors", errors or ERRORS[per], ("hessian", "group"))
    known = find(model, data.game_id, field)
    decisions = decided(data, field, grid or GRID)
    panel = decisions.panel
    if panel is not None:
        panel = replace(known.prepared(panel), exact=known.amounts and grid is None)
    rows = []
    for unit in units(decisions, panel, keys):
        why = unit.silent(known)
        estimate = unit.fitted(known, why == "", seed, chosen)
        rows.append({**unit.key, "model": model, "field": field_of(data.game_id, field)})
        rows[-1] |= unit.count(why) | _estimates(known, estimate) | _quality(estimate)
        rows[-1]["reason"] = unit.reason(estimate, why)
    return pd.DataFrame(rows)


def compared(
    data: Data,
    per: Per = "person",
    *,
    field: str | None = None,
    grid: int = GRID,
    seed: int = 0,
) -> pd.DataFrame:
    """One row per person or treatment and model: how well each explains the same decisions.

    All models give chances of the same actions of the grid, so that their likelihoods can be
    compared; `uniform` is what a model has to beat. Explained are the decisions about which all
    models say something; a model that says nothing about any of them is left aside, with the
    reason.

    Keys; `model`, `parameters` (their number), `decisions`, `left_out`, `left_out_because`,
    `log_likelihood`, `aic`, `bic`, `converged`, `at_bound`; `delta_aic` to the smallest AIC of the
    person or treatment, `best`: it is that; `reason`. Arguments and errors as in `fitted`.
    """
    keys = UNITS[_word("per", per, UNITS)]
    known, decisions, panel = beside(data, field, grid)
    rows: list[dict[str, Any]] = []
    for unit in units(decisions, panel, keys):
        rows += _compared(unit, known, seed)
    return pd.DataFrame(rows)


def beside(data: Data, field: str | None, grid: int) -> tuple[list[Model], Decisions, Panel | None]:
    """Return all models of an action field, the decisions, and these prepared for all of them."""
    every = [find(name, data.game_id, field) for name in models(data.game_id, field)]
    decisions = decided(data, field, grid)
    panel = decisions.panel
    if panel is not None:
        for model in every:
            panel = model.prepared(panel)
    return every, decisions, panel


def _compared(unit: Unit, known: Sequence[Model], seed: int) -> list[dict[str, Any]]:
    """The rows of one unit."""
    silent = {model.name: unit.silent(model) for model in known}
    speak = [why == "" for why in silent.values() if (why == "").any()]
    both = np.logical_and.reduce(speak) if speak else np.zeros(unit.size, dtype=np.bool_)
    rows = []
    for model in known:
        why = silent[model.name]
        nothing = unit.size > 0 and not (why == "").any()
        estimate = unit.fitted(model, both & (why == ""), seed, None)
        shared = np.where(both, "", joined(silent.values(), unit.size))
        entry = {**unit.key, "model": model.name, "parameters": len(model.parameters)}
        entry |= unit.count(why if nothing else shared) | _quality(estimate)
        rows.append(entry | {"reason": unit.reason(estimate, why)})
    smallest = np.nanmin([np.inf, *(row["aic"] for row in rows)])
    for row in rows:
        row["delta_aic"] = row["aic"] - smallest if np.isfinite(smallest) else np.nan
        row["best"] = bool(row["delta_aic"] == 0)
        row["reason"] = row.pop("reason")
    return rows


def joined(whys: Any, size: int) -> Array:
    """(D,) the first reason any model has that says something about other decisions."""
    reasons = np.full(size, "", dtype=object)
    for why in whys:
        if (why == "").any():
            reasons = np.where(reasons == "", why, reasons)
    return reasons


@dataclass(frozen=True)
class Unit:
    """A person or a treatment: its decisions, and those left out of all models."""

    key: dict[str, Any]
    panel: Panel | None
    groups: Array
    left_out: pd.Series[Any]

    @property
    def size(self) -> int:
        return 0 if self.panel is None else len(self.panel)

    def silent(self, model: Model) -> Array:
        return np.empty(0, dtype=object) if self.panel is None else model.silent(self.panel)

    def fitted(self, model: Model, explained: Array, seed: int, errors: str | None) -> Fit:
        if self.panel is None or not explained.any():
            none = np.full(len(model.parameters), np.nan)
            return Fit(none, none, none, none, 0, np.nan, converged=False, reason="no decisions")
        clusters = self.groups if errors == "group" else None
        return fit(model, self.panel, explained, seed, clusters)

    def reason(self, estimate: Fit, why: Array) -> str:
        """Why something is missing; where nothing is explained, why most decisions are left out."""
        if (why == "").any():
            return estimate.reason
        return str(Counter([*self.left_out, *why]).most_common(1)[0][0])

    def count(self, why: Array) -> dict[str, Any]:
        """How many decisions are explained, and how many are not because of what."""
        counts = Counter([*self.left_out, *why[why != ""]])
        return {
            "decisions": int((why == "").sum()),
            "left_out": sum(counts.values()),
            "left_out_because": "; ".join(f"{count} {reason}" for reason, count in counts.items()),
        }


def units(decisions: Decisions, panel: Panel | None, keys: list[str]) -> Iterator[Unit]:
    """The people or treatments by these keys, treatments in the order of the data."""
    inside, outside = _places(decisions.keys, keys), _places(decisions.left_out, keys)
    nothing = np.empty(0, dtype=np.int64)
    places = {name: place for place, name in enumerate(decisions.order)}
    for key in sorted({*inside, *outside}, key=lambda key: (places.get(key[0], -1), key)):
        rows = inside.get(key, nothing)
        left_out = decisions.left_out["why"].iloc[outside.get(key, nothing)]
        names = decisions.keys.iloc[rows][GROUP].astype(str).agg("/".join, axis=1)
        part = panel.take(rows) if panel is not None and len(rows) else None
        yield Unit(dict(zip(keys, key, strict=True)), part, np.array(names), left_out)


def _places(rows: pd.DataFrame, keys: list[str]) -> dict[Any, Array]:
    """The places of the rows of each key."""
    grouped = rows.reset_index(drop=True).groupby(keys, sort=False)
    return {key: part.index.to_numpy() for key, part in grouped}


def _estimates(model: Model, estimate: Fit) -> dict[str, float]:
    columns = {}
    for place, parameter in enumerate(model.parameters):
        columns[parameter.name] = float(estimate.values[place])
        columns[f"{parameter.name}_se"] = float(estimate.errors[place])
        columns[f"{parameter.name}_low"] = float(estimate.low[place])
        columns[f"{parameter.name}_high"] = float(estimate.high[place])
    return columns


def _quality(estimate: Fit) -> dict[str, Any]:
    return {
        "log_likelihood": estimate.log_likelihood,
        "aic": estimate.aic,
        "bic": estimate.bic,
        "converged": estimate.converged,
        "at_bound": ", ".join(estimate.at_bound),
    }


def _word(key: str, value: str, known: Any) -> str:
    if value not in known:
        raise ConfigError(f"{key} = {short(value)}: unknown{nearest(value, known)}")
    return value
