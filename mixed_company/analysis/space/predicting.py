"""Predictions for points that were held out when the regression was fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from mixed_company.analysis.space.columns import matrix
from mixed_company.analysis.space.fitting import Fit
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.chance import generator
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted

FOLDS = 10
"""Number of parts that the points are divided into. If there are fewer points, each part has one
point."""


@dataclass(frozen=True)
class Predicted:
    """Predictions for groups, each by a regression without the points in the group's fold.

    frame   one row per group: session, group, `treatment`, `fold`, `played`, `predicted`,
            `constant` (mean of the groups in the other folds) and `error` (played - predicted)
    """

    measure: str
    frame: pd.DataFrame

    @property
    def folds(self) -> int:
        """Number of folds."""
        return int(self.frame["fold"].nunique())

    @property
    def error(self) -> float:
        """The regression's root mean square error."""
        return _size(self.frame["played"] - self.frame["predicted"])

    @property
    def error_of_constant(self) -> float:
        """The root mean square error if the constant is the prediction."""
        return _size(self.frame["played"] - self.frame["constant"])

    @property
    def r2(self) -> float:
        """The share of the constant's squared errors that the regression removes; negative if it
        adds to them.
        """
        return 1 - (self.error / self.error_of_constant) ** 2


def predicted(units: Units, fit: Fit, seed: int) -> Predicted:
    """Return predictions for all groups at a regression's points.

    The points are divided into FOLDS folds, in an order drawn from the seed; all groups at a point
    stay together. Each fold is predicted by the regression fitted to the other folds. Raises NoTest
    if the other folds do not determine all coefficients.
    """
    frame = units.frame[units.frame["treatment"].isin(fit.points)].reset_index(drop=True)
    fold_of = dict(zip(fit.points, folds(len(fit.points), seed), strict=True))
    places = frame["treatment"].map({point: place for place, point in enumerate(fit.points)})
    parts = frame["treatment"].map(fold_of).to_numpy()
    x, y = matrix(fit.space, fit.points, fit.interactions)[places], frame["value"].to_numpy()
    fits, constants = np.empty(len(y)), np.empty(len(y))
    for part in range(max(fold_of.values()) + 1):
        out = parts == part
        if np.linalg.matrix_rank(x[~out]) < x.shape[1]:
            raise NoTest(
                f"{fit.measure}: no held-out prediction, because the points outside fold "
                f"{part + 1} of {counted(max(fold_of.values()) + 1, 'fold')} do not determine all "
                "coefficients; some choice has too few points"
            )
        coefficients = np.linalg.lstsq(x[~out], y[~out], rcond=None)[0]
        fits[out], constants[out] = x[out] @ coefficients, y[~out].mean()
    table = frame.rename(columns={"value": "played"}).assign(
        fold=parts + 1, predicted=fits, constant=constants, error=y - fits
    )
    order = [name for name in table if name not in ("played", *_PREDICTED)]
    return Predicted(fit.measure, table[[*order, "fold", "played", *_PREDICTED[1:]]])


_PREDICTED = ("fold", "predicted", "constant", "error")


def folds(points: int, seed: int) -> Sequence[int]:
    """Return the fold of every point, counted from 0. Folds differ in size by at most one point."""
    order = generator(seed, "folds of a space").permutation(points)
    return [int(place) % min(FOLDS, points) for place in order]


def _size(errors: pd.Series[float]) -> float:
    values: Array = errors.to_numpy()
    return float(np.sqrt((values**2).mean()))
