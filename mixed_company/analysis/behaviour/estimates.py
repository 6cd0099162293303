"""Tables of one model's estimates, and of comparisons between models."""

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
    """Return the estimated parameters of a model, one row per person or treatment.

    Columns: keys; `model`, `field`; the number of explained `decisions`, `left_out` and
    `left_out_because`; per parameter its estimate, `_se` (standard error), `_low` and `_high` (95%
    interval); `log_likelihood`, `aic`, `bic`; `converged`; `at_bound`, the parameters that are at a
    bound; `reason`, why a value is missing.

    field   action field, by default the game's first one
    grid    number of grid points for amounts; None: exact amounts if the model explains amounts,
            else 11
    errors  `hessian`, or `group` to cluster by the unit of independence. None: `hessian` per
            person, `group` per treatment
    seed    seed of the search's random starting points

    Raises UnknownName for an unknown model or field, ConfigError if the game has no models or an
    argument is invalid.
    """
    keys = UNITS[_word("per", per, UNITS)]
    chosen = _word("errors", errors or ERRORS[per], ("hessian", "group"))
    instance = find(model, data.game_id, field)
    decisions = decided(data, field, grid or GRID)
    panel = decisions.panel
    if panel is not None:
        panel = replace(instance.prepared(panel), exact=instance.amounts and grid is None)
    rows = []
    for unit in units(decisions, panel, keys):
        reasons = unit.silent(instance)
        estimate = unit.fitted(instance, reasons == "", seed, chosen)
        rows.append({**unit.key, "model": model, "field": field_of(data.game_id, field)})
        rows[-1] |= unit.count(reasons) | _estimates(instance, estimate) | _quality(estimate)
        rows[-1]["reason"] = unit.reason(estimate, reasons)
    return pd.DataFrame(rows)


def compared(
    data: Data,
    per: Per = "person",
    *,
    field: str | None = None,
    grid: int = GRID,
    seed: int = 0,
) -> pd.DataFrame:
    """Compare how well all models fit the same decisions, with one row per unit and model.

    A unit is a person or a treatment. All models assign probabilities to the same grid points, so
    their likelihoods are comparable; `uniform` is the baseline. Only decisions that every model can
    explain are compared. A model that can explain no decision is ignored; its row gives the reason.

    Columns: keys; `model`, `parameters` (their number), `decisions`, `left_out`,
    `left_out_because`, `log_likelihood`, `aic`, `bic`, `converged`, `at_bound`; `delta_aic`, the
    difference from the smallest AIC of the unit; `best`, whether its AIC is the smallest; `reason`.
    Arguments and errors as in `fitted`.
    """
    keys = UNITS[_word("per", per, UNITS)]
    all_models, decisions, panel = beside(data, field, grid)
    rows: list[dict[str, Any]] = []
    for unit in units(decisions, panel, keys):
        rows += _compared(unit, all_models, seed)
    return pd.DataFrame(rows)


def beside(data: Data, field: str | None, grid: int) -> tuple[list[Model], Decisions, Panel | None]:
    """Return all models of an action field, the decisions, and a panel prepared for these
    models."""
    all_models = [find(name, data.game_id, field) for name in models(data.game_id, field)]
    decisions = decided(data, field, grid)
    panel = decisions.panel
    if panel is not None:
        for model in all_models:
            panel = model.prepared(panel)
    return all_models, decisions, panel


def _compared(unit: Unit, all_models: Sequence[Model], seed: int) -> list[dict[str, Any]]:
    """Return the rows of one unit."""
    silent = {model.name: unit.silent(model) for model in all_models}
    speak = [reasons == "" for reasons in silent.values() if (reasons == "").any()]
    shared_rows = np.logical_and.reduce(speak) if speak else np.zeros(unit.size, dtype=np.bool_)
    rows = []
    for model in all_models:
        reasons = silent[model.name]
        uncovered = unit.size > 0 and not (reasons == "").any()
        estimate = unit.fitted(model, shared_rows & (reasons == ""), seed, None)
        shared = np.where(shared_rows, "", joined(silent.values(), unit.size))
        entry = {**unit.key, "model": model.name, "parameters": len(model.parameters)}
        entry |= unit.count(reasons if uncovered else shared) | _quality(estimate)
        rows.append(entry | {"reason": unit.reason(estimate, reasons)})
    smallest = np.nanmin([np.inf, *(row["aic"] for row in rows)])
    for row in rows:
        row["delta_aic"] = row["aic"] - smallest if np.isfinite(smallest) else np.nan
        row["best"] = bool(row["delta_aic"] == 0)
        row["reason"] = row.pop("reason")
    return rows


def joined(reasons_by_model: Any, size: int) -> Array:
    """Return, for each decision, the first reason why it is not explained, shape (D,); empty if it
    is. Models that explain no decision are ignored."""
    joint = np.full(size, "", dtype=object)
    for reasons in reasons_by_model:
        if (reasons == "").any():
            joint = np.where(joint == "", reasons, joint)
    return joint


@dataclass(frozen=True)
class Unit:
    """A person or treatment, with the decisions to explain and those that are left out."""

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
            nan = np.full(len(model.parameters), np.nan)
            return Fit(nan, nan, nan, nan, 0, np.nan, converged=False, reason="no decisions")
        clusters = self.groups if errors == "group" else None
        return fit(model, self.panel, explained, seed, clusters)

    def reason(self, estimate: Fit, reasons: Array) -> str:
        """Return the reason why an estimate is missing. If no decision is explained, it is the most
        common reason for leaving decisions out."""
        if (reasons == "").any():
            return estimate.reason
        return str(Counter([*self.left_out, *reasons]).most_common(1)[0][0])

    def count(self, reasons: Array) -> dict[str, Any]:
        """Count the explained decisions and, by reason, those that were left out."""
        counts = Counter([*self.left_out, *reasons[reasons != ""]])
        return {
            "decisions": int((reasons == "").sum()),
            "left_out": sum(counts.values()),
            "left_out_because": "; ".join(f"{count} {reason}" for reason, count in counts.items()),
        }


def units(decisions: Decisions, panel: Panel | None, keys: list[str]) -> Iterator[Unit]:
    """Yield the people or treatments with these keys; treatments are in the order of the data."""
    inside, outside = _places(decisions.keys, keys), _places(decisions.left_out, keys)
    empty = np.empty(0, dtype=np.int64)
    places = {name: place for place, name in enumerate(decisions.order)}
    for key in sorted({*inside, *outside}, key=lambda key: (places.get(key[0], -1), key)):
        rows = inside.get(key, empty)
        left_out = decisions.left_out["why"].iloc[outside.get(key, empty)]
        names = decisions.keys.iloc[rows][GROUP].astype(str).agg("/".join, axis=1)
        part = panel.take(rows) if panel is not None and len(rows) else None
        yield Unit(dict(zip(keys, key, strict=True)), part, np.array(names), left_out)


def _places(rows: pd.DataFrame, keys: list[str]) -> dict[Any, Array]:
    """Return the positions of the rows with each key."""
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


def _word(key: str, value: str, allowed: Any) -> str:
    if value not in allowed:
        raise ConfigError(f"{key} = {short(value)}: unknown{nearest(value, allowed)}")
    return value
