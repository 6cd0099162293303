"""Which model predicts people best to whom it was not fitted: a contest on held-out groups.

The groups of a treatment are dealt into folds. Each model is fitted to all folds but one, people
taken to be alike, and gives chances of what people of the held-out fold did; every fold is held out
once. More parameters do not help by themselves here, so nothing has to be subtracted for them.
Cross-validation by groups: Stone (1974), Journal of the Royal Statistical Society B 36(2); the
logarithmic score: Good (1952), Journal of the Royal Statistical Society B 14(1).
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

__all__ = ["predicted"]

FOLDS = 5
FEW = 20_000
"""So few decisions are predicted in this process."""
_TOO_FEW = "at least 2 with decisions that all models explain"

Scores = tuple[Array, str]
"""(D,) log chances of decisions that were held out, NaN where there is none, and why that is."""


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
    """One row per treatment and model: how likely it found what held-out groups did.

    All models give chances of the same points of the grid, for the decisions about which all of
    them say something. Keys; `model`, `decisions`, `groups`; `score`, the mean log chance of a
    decision that was held out, `score_se`, by groups; `gain`, what it is above that of `uniform`,
    with `gain_se`; `best` of those that say something about all of them; `to_best`, the score less
    that of the best on the same decisions, with its 95 % interval by t over groups (`to_best_low`,
    `to_best_high`); `reason`, why something is missing.

    folds     parts that are held out in turn; with fewer groups, one group each
    seed      of the dealing and of the starts of the search
    workers   processes that make the fits, or `scheduler`, the address of a Dask cluster; whoever
              makes them, they are the same

    Raises UnknownName for a field, ConfigError for a game without models or fewer than 2 folds.
    """
    if folds < 2:
        raise ConfigError(f"folds = {folds}: at least 2")
    known, decisions, panel = beside(data, field, grid)
    contests = [
        _Contest(unit, known, folds, seed) for unit in units(decisions, panel, ["treatment"])
    ]
    work = [fold for contest in contests for fold in contest.folds]
    with Sharing(workers, scheduler, progress).here_if(len(decisions.keys) <= FEW) as sharing:
        scored = iter(sharing.gathered(_held_out, work, " fits"))
    return pd.DataFrame([row for contest in contests for row in contest.rows(scored)])


class _Contest:
    """All models on the people of a treatment; `folds` are the fits that it takes."""

    def __init__(self, unit: Unit, known: Sequence[Model], folds: int, seed: int) -> None:
        silent = {model.name: unit.silent(model) for model in known}
        open_to = joined(silent.values(), unit.size) == ""
        self.unit, self.known = unit, known
        self.group = np.empty(0, np.int64)
        if unit.size:
            self.group = np.unique(unit.groups, return_inverse=True)[1]
        self.count = len(np.unique(self.group[open_to]))
        self.folds: list[_Fold] = []
        if unit.panel is not None and self.count >= 2:
            panel = unit.panel.bare()
            fold = _dealt(self.group, min(folds, self.count), seed)
            self.folds = [
                _Fold(model, panel, open_to & (silent[model.name] == ""), fold, held, seed)
                for model in known
                for held in np.unique(fold).tolist()
            ]

    def rows(self, scored: Iterator[Scores]) -> list[dict[str, Any]]:
        """One row per model, of what its folds came to, in their order."""
        if not self.folds:
            why, none = f"groups = {self.count}: {_TOO_FEW}", np.empty(0)
            return [_row(self.unit, model, none, why, none, none) for model in self.known]
        folds = len(self.folds) // len(self.known)
        scores = {model.name: _whole(list(islice(scored, folds))) for model in self.known}
        base, group = scores["uniform"][0], self.group
        rows = [_row(self.unit, model, *scores[model.name], base, group) for model in self.known]
        return _ranked(rows, {name: own for name, (own, _) in scores.items()}, group)


@dataclass(frozen=True)
class _Fold:
    """A model that is fitted to all folds but one: (D,) the `fold` of each decision, and which one
    is `held` out."""

    model: Model
    panel: Panel
    explained: Array
    fold: Array
    held: int
    seed: int


def _held_out(fold: _Fold) -> Scores:
    """The scores of what is held out."""
    scores = np.full(len(fold.panel), np.nan)
    rest, out = np.flatnonzero(fold.fold != fold.held), np.flatnonzero(fold.fold == fold.held)
    estimate = fit(fold.model, fold.panel.take(rest), fold.explained[rest], fold.seed)
    if np.isnan(estimate.values).any():
        return scores, f"fold {fold.held + 1}: {estimate.reason}"
    seen = out if fold.model.remembers else out[fold.explained[out]]
    chances = fold.model.log_likelihood(estimate.values, fold.panel.take(seen))
    scores[seen] = np.where(fold.explained[seen], chances, np.nan)
    return scores, ""


def _whole(folds: Sequence[Scores]) -> Scores:
    """The scores of all folds, and the first reason why there are none."""
    scores = np.fmax.reduce([own for own, _ in folds])
    return scores, next((why for _, why in folds if why), "")


def _ranked(
    rows: list[dict[str, Any]], scores: Mapping[str, Array], group: Array
) -> list[dict[str, Any]]:
    """The rows with the best of those that say something about all decisions, and how far the
    others are from it; as they are where no model says anything."""
    decisions = max(row["decisions"] for row in rows)
    if not decisions:  # of a single period, say
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
    """How far a model is from the best; `differences` (D,) of log chances, NaN: none."""
    kept = ~np.isnan(differences)
    mean, error = mean_by_groups(differences[kept], group[kept])
    half = error * stats.t.isf(0.025, max(len(np.unique(group[kept])) - 1, 1))
    return {"to_best": mean, "to_best_low": mean - half, "to_best_high": mean + half}


def _dealt(group: Array, folds: int, seed: int) -> Array:
    """(D,) the fold of each decision; groups are dealt in an order that is drawn."""
    order = generator(seed, "folds").permutation(int(group.max()) + 1)
    return np.asarray(np.argsort(order)[group] % folds)


def _row(
    unit: Unit, model: Model, scores: Array, why: str, base: Array, group: Array
) -> dict[str, Any]:
    """The row of a model; `base` are the scores of `uniform`, and scores that are NaN are none."""
    kept = ~np.isnan(scores)
    scores, base, group = scores[kept], base[kept], group[kept]
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
        **dict.fromkeys(("to_best", "to_best_low", "to_best_high"), np.nan),  # of the best none
        "reason": why,
    }
