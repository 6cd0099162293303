"""Compare models by how well they predict held-out groups.

A treatment's groups are divided into folds at random. Each model is fitted to all folds but one, as
if all people were alike, and predicts the decisions in the held-out fold. Every fold is held out
once. Extra parameters do not improve predictions by themselves, so there is no penalty for them.
For cross-validation by groups, see Stone (1974), Journal of the Royal Statistical Society B 36(2);
for the logarithmic score, Good (1952), Journal of the Royal Statistical Society B 14(1).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from mixed_company.analysis.behaviour.estimates import Unit, beside, joined, units
from mixed_company.analysis.behaviour.fitting import fit, mean_by_groups
from mixed_company.analysis.behaviour.model import Model
from mixed_company.analysis.behaviour.panel import GRID, Panel
from mixed_company.analysis.data import Data
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.policies.sharing import Sharing

FOLDS = 5
FEW = 20_000
"""Maximum number of decisions that are predicted in this process rather than in worker
processes."""
_TOO_FEW = "at least 2 groups must have decisions that all models can explain"

Scores = tuple[Array, str]
"""Log probabilities (D,) of held-out decisions, NaN if missing, and the reason why values are
missing."""


def predicted(
    data: Data,
    *,
    field: str | None = None,
    grid: int = GRID,
    folds: int = FOLDS,
    seed: int = 0,
    progress: bool = False,
    workers: int = 1,
    scheduler: str | None = None,
) -> pd.DataFrame:
    """Return the scores of all models on held-out groups, one row per treatment and model.

    All models assign probabilities to the same grid points, for decisions that they all explain.
    Columns: keys; `model`, `decisions`, `groups`; `score`, the mean log probability of a held-out
    decision, with `score_se` by groups; `gain`, the score minus the score of `uniform`, with
    `gain_se`; `best`, which flags the best of the models that explain all decisions; `to_best`, the
    score minus that of the best model on the same decisions, with its 95% t interval over groups
    (`to_best_low`, `to_best_high`); `reason`, why a value is missing.

    folds     number of folds, each held out once; if there are fewer groups than this, each fold is
              one group
    seed      seed for dividing the groups and for the search's starting points
    workers   number of processes; `scheduler` is the address of a Dask cluster to use instead.
              Neither changes the results

    Raises UnknownName for an unknown field, ConfigError if the game has no models or `folds` is
    below 2.
    """
    if folds < 2:
        raise ConfigError(f"folds = {folds}: should be at least 2")
    models, decisions, panel = beside(data, field, grid)
    contests = [
        _Contest(unit, models, folds, seed) for unit in units(decisions, panel, ["treatment"])
    ]
    work = [fold for contest in contests for fold in contest.folds]
    with Sharing(workers, scheduler, progress).here_if(len(decisions.keys) <= FEW) as sharing:
        scored = iter(sharing.gathered(_held_out, work, " fits"))
    return pd.DataFrame([row for contest in contests for row in contest.rows(scored)])


class _Contest:
    """A comparison of all models in one treatment. `folds` holds the fits that it needs."""

    def __init__(self, unit: Unit, models: Sequence[Model], folds: int, seed: int) -> None:
        silent = {model.name: unit.silent(model) for model in models}
        common = joined(silent.values(), unit.size) == ""
        self.unit, self.models = unit, models
        self.group = np.empty(0, np.int64)
        if unit.size:
            self.group = np.unique(unit.groups, return_inverse=True)[1]
        self.count = len(np.unique(self.group[common]))
        self.folds: list[_Fold] = []
        if unit.panel is not None and self.count >= 2:
            panel = unit.panel.bare()
            fold = _dealt(self.group, min(folds, self.count), seed)
            self.folds = [
                _Fold(model, panel, common & (silent[model.name] == ""), fold, held, seed)
                for model in models
                for held in np.unique(fold).tolist()
            ]

    def rows(self, scored: Iterator[Scores]) -> list[dict[str, Any]]:
        """Return one row per model; the scores of its folds are consumed in order."""
        if not self.folds:
            reason, empty = f"groups = {self.count}: {_TOO_FEW}", np.empty(0)
            return [_row(self.unit, model, empty, reason, empty, empty) for model in self.models]
        folds = len(self.folds) // len(self.models)
        scores = {model.name: _whole(list(islice(scored, folds))) for model in self.models}
        base, group = scores["uniform"][0], self.group
        rows = [_row(self.unit, model, *scores[model.name], base, group) for model in self.models]
        by_model = {name: model_scores for name, (model_scores, _) in scores.items()}
        return _ranked(rows, by_model, group)


@dataclass(frozen=True)
class _Fold:
    """A fit of one model to all folds but one. `fold` (D,) assigns decisions to folds, and `held`
    is the held-out fold."""

    model: Model
    panel: Panel
    explained: Array
    fold: Array
    held: int
    seed: int


def _held_out(fold: _Fold) -> Scores:
    """Return the scores of the held-out decisions."""
    scores = np.full(len(fold.panel), np.nan)
    rest, held_out = np.flatnonzero(fold.fold != fold.held), np.flatnonzero(fold.fold == fold.held)
    estimate = fit(fold.model, fold.panel.take(rest), fold.explained[rest], fold.seed)
    if np.isnan(estimate.values).any():
        return scores, f"fold {fold.held + 1}: {estimate.reason}"
    covered = held_out if fold.model.remembers else held_out[fold.explained[held_out]]
    chances = fold.model.log_likelihood(estimate.values, fold.panel.take(covered))
    scores[covered] = np.where(fold.explained[covered], chances, np.nan)
    return scores, ""


def _whole(folds: Sequence[Scores]) -> Scores:
    """Return the scores of all folds, and the first reason why scores are missing."""
    scores = np.fmax.reduce([model_scores for model_scores, _ in folds])
    return scores, next((reason for _, reason in folds if reason), "")


def _ranked(
    rows: list[dict[str, Any]], scores: Mapping[str, Array], group: Array
) -> list[dict[str, Any]]:
    """Mark the best of the models that explain all decisions, and add each model's distance from
    it.

    Rows without explained decisions are returned unchanged.
    """
    decisions = max(row["decisions"] for row in rows)
    if not decisions:  # for example if only a single period was played
        return rows
    best = max(row["score"] for row in rows if row["decisions"] == decisions)
    for row in rows:
        row["best"] = row["decisions"] == decisions and row["score"] == best
    ahead = next(scores[row["model"]] for row in rows if row["best"])
    others = [row for row in rows if not row["best"]]
    for row in others:
        row |= _to_best(scores[row["model"]] - ahead, group)
    return rows


def _to_best(differences: Array, group: Array) -> dict[str, float]:
    """Return the distance from the best model. `differences` (D,) in log probability can be NaN."""
    valid = ~np.isnan(differences)
    mean, error = mean_by_groups(differences[valid], group[valid])
    half = error * stats.t.isf(0.025, max(len(np.unique(group[valid])) - 1, 1))
    return {"to_best": mean, "to_best_low": mean - half, "to_best_high": mean + half}


def _dealt(group: Array, folds: int, seed: int) -> Array:
    """Return the fold of each decision, shape (D,); groups are assigned in random order."""
    order = generator(seed, "folds").permutation(int(group.max()) + 1)
    return np.asarray(np.argsort(order)[group] % folds)


def _row(
    unit: Unit, model: Model, scores: Array, reason: str, base: Array, group: Array
) -> dict[str, Any]:
    """Return a model's row. `base` holds the scores of `uniform`; NaN scores are missing."""
    valid = ~np.isnan(scores)
    scores, base, group = scores[valid], base[valid], group[valid]
    score, score_se = mean_by_groups(scores, group)
    gain, gain_se = mean_by_groups(scores - base, group)
    return {
        **unit.key,
        "model": model.name,
        "decisions": len(scores),
        "groups": len(np.unique(group)),
        "score": score,
        "score_se": score_se,
        "gain": gain,
        "gain_se": gain_se,
        "best": False,
        **dict.fromkeys(
            ("to_best", "to_best_low", "to_best_high"), np.nan
        ),  # the best model has none
        "reason": reason,
    }
