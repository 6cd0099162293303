"""The regression of a measure on the variables of a space, and the test of a variable's effect.

Groups at the same point share the linear model's error there, so the point is the unit. The
regression is fitted to the points' means, each weighted by its number of groups. The coefficients
equal the least-squares coefficients over all groups. The standard errors are HC3 (MacKinnon and
White 1985, Journal of Econometrics 29(3)). Tests use the t distribution; its degrees of freedom are
the number of points minus the number of coefficients. With several groups at a point, HC3 of the
weighted means is exactly the jackknife estimate clustered by point, known as CR3 (Bell and
McCaffrey 2002, Survey Methodology 28(2); MacKinnon, Nielsen and Webb 2023, Journal of Econometrics
232(2)). So the same formula covers designs with one group at each point and designs with several.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd
from statsmodels.regression.linear_model import WLS

from mixed_company.analysis.rounding import alike
from mixed_company.analysis.space.columns import Column, columns, confounded, matrix
from mixed_company.analysis.statistics.result import NoTest, Result
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted
from mixed_company.experiment.space import Space

PER_COEFFICIENT = 2
"""Minimum number of points per coefficient, including the intercept."""
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Fit:
    """A regression over a space.

    means    the measure's mean at each point that has a group
    weights  number of groups at each point
    x        columns of the regression; the intercept comes first
    result   statsmodels' fit
    left_out sentences about groups without a value
    """

    space: Space
    measure: str
    points: tuple[str, ...]
    means: Array
    weights: Array
    x: Array
    interactions: bool
    result: Any
    left_out: tuple[str, ...] = ()

    @property
    def columns(self) -> list[Column]:
        """The columns without the intercept."""
        return columns(self.space, self.interactions)

    @property
    def groups(self) -> int:
        """Number of groups."""
        return int(self.weights.sum())

    @property
    def freedom(self) -> int:
        """Degrees of freedom: number of points minus number of coefficients."""
        return len(self.points) - int(self.x.shape[1])

    @cached_property
    def errors(self) -> Array:
        """The standard errors of all coefficients; the intercept comes first."""
        return np.asarray(self.result.bse)

    def of(self, variable: str) -> list[int]:
        """Return the positions of a variable's main columns; the intercept is at 0."""
        return [
            place
            for place, column in enumerate(self.columns, start=1)
            if column.variables == (variable,)
        ]

    def of_choices(self, variable: str) -> Array:
        """Return the means of a variable's choices minus the mean of the first choice (so 0 for the
        first choice)."""
        return np.array([0.0, *self.result.params[self.of(variable)]])

    def table(self, level: float = 0.95) -> pd.DataFrame:
        """Return one row per coefficient: `variable`, `change`, `effect`, `low`, `high`,
        `standard_error`, `t`, `df`, `p`. The last row is the intercept."""
        ends = self.result.conf_int(alpha=1 - level)
        named = [("intercept", ""), *((column.name, column.change) for column in self.columns)]
        table = pd.DataFrame(named, columns=["variable", "change"]).assign(
            effect=self.result.params,
            low=ends[:, 0],
            high=ends[:, 1],
            standard_error=self.errors,
            t=self.result.tvalues,
            df=self.freedom,
            p=self.result.pvalues,
        )
        return pd.concat([table.iloc[1:], table.iloc[:1]], ignore_index=True)


def fitted(units: Units, space: Space, interactions: bool = False) -> Fit:
    """Return the regression of a measure over a space.

    Raises NoTest if there are too few points, if a variable or the measure does not vary, or if a
    column is determined by the others.
    """
    frame = units.frame[units.frame["treatment"].isin(list(space.drawn))]
    cells = frame.groupby("treatment", observed=True)["value"]
    sizes, centres = cells.size(), cells.mean()
    points = [point for point in space.drawn if point in sizes.index]
    if alike(frame["value"].to_numpy()):
        raise NoTest(f"{units.measure}: the same in all {counted(len(frame), 'group')}")
    means, weights = centres[points].to_numpy(), sizes[points].to_numpy(dtype=float)
    fit = of_means(space, units.measure, points, means, weights, interactions)
    return replace(fit, left_out=units.left_out)


def of_means(
    space: Space,
    measure: str,
    points: Sequence[str],
    means: Array,
    weights: Array,
    interactions: bool = False,
) -> Fit:
    """Return the regression of the points' means, weighted by their numbers of groups. Raises
    NoTest in the same cases as `fitted`.
    """
    _check_points(space, points, measure, interactions)
    x = matrix(space, points, interactions)
    _check_columns(space, x, interactions)
    result = WLS(means, x, weights=weights).fit(cov_type="HC3", use_t=True)
    if np.abs(result.resid).max() <= _ROUNDING * np.abs(means).max():
        raise NoTest(
            f"{measure}: the variables explain the means of all points exactly, so nothing can be "
            "tested"
        )
    return Fit(space, measure, tuple(points), means, weights, x, interactions, result)


def needed(space: Space, interactions: bool = False) -> int:
    """Return the number of points that the regression needs: PER_COEFFICIENT per coefficient."""
    return PER_COEFFICIENT * (1 + len(columns(space, interactions)))


def _check_points(space: Space, points: Sequence[str], measure: str, interactions: bool) -> None:
    """Raise NoTest if there are too few points."""
    least, number = needed(space, interactions), len(points)
    if number < least:
        with_products = " with interactions" if interactions else ""
        verb = "has" if number == 1 else "have"
        raise NoTest(
            f"{measure}: {counted(number, 'point')} {verb} a value, but the regression"
            f"{with_products} has {least // PER_COEFFICIENT} coefficients and needs {least} "
            f"points, {PER_COEFFICIENT} for each"
        )


def _check_columns(space: Space, x: Array, interactions: bool) -> None:
    """Raise NoTest if the data do not determine every column's coefficient and its error."""
    listed = columns(space, interactions)
    for column, values in zip(listed, x[:, 1:].T, strict=True):
        if alike(values):
            raise NoTest(
                f"{column.name} ({column.change}): the same at all points with a value, so it "
                "has no effect to estimate"
            )
    rank = np.linalg.matrix_rank(x)
    if rank < x.shape[1]:
        tied = [
            column.name
            for place, column in enumerate(listed, start=1)
            if np.linalg.matrix_rank(np.delete(x, place, axis=1)) == rank
        ]
        raise NoTest(
            f"{', '.join(tied)}: at the points with a value, these determine each other, so their "
            f"effects cannot be told apart"
        )
    q = np.linalg.qr(x)[0]
    alone = np.flatnonzero((q**2).sum(axis=1) > 1 - _ROUNDING)
    if len(alone):
        point = int(alone[0])
        without = np.delete(x, point, axis=0)[:, 1:].T
        names = [
            column.name for column, values in zip(listed, without, strict=True) if alike(values)
        ]
        raise NoTest(
            f"{', '.join(names) or 'a coefficient'}: determined by only one point, so its "
            "error cannot be estimated"
        )


# -- the test of a hypothesis about a variable ---------------------------------------------------


TEST = "least squares over the space, HC3 errors by point"
MOST_NAMED = 5
"""Maximum number of points without a value that are listed."""


def decided(fit: Fit, variable: str, level: float) -> Result:
    """Return the test of a variable's effect, controlling for all other variables of the space.

    For a range or a variable with two choices, this is a t test of its column. For three or more
    choices, it is an F test of whether all effects are zero; its effect is the largest difference
    between two choices' means, without an interval.
    """
    places = fit.of(variable)
    symbol, statistic, p = statistic_of(fit, variable)
    effect, low, high = float(np.ptp(fit.of_choices(variable))), np.nan, np.nan
    name = f"largest difference between choices of {variable}"
    if len(places) == 1:
        effect = float(fit.result.params[places[0]])
        low, high = fit.result.conf_int(alpha=1 - level)[places[0]]
        name = f"change in the mean over {variable} {fit.columns[places[0] - 1].change}"
    return Result(
        test=TEST,
        measure=fit.measure,
        symbol=symbol,
        statistic=statistic,
        p=p,
        effect_name=name,
        effect=effect,
        low=float(low),
        high=float(high),
        level=level,
        n={"points": len(fit.points), "groups": fit.groups},
        unit="group",
        df=float(fit.freedom),
        left_out=fit.left_out,
        notes=tuple(notes(fit, variable)),
    )


def statistic_of(fit: Fit, variable: str) -> tuple[str, float, float]:
    """Return the symbol and the value of a variable's test statistic, and its p value."""
    places = fit.of(variable)
    if len(places) == 1:
        return "t", float(fit.result.tvalues[places[0]]), float(fit.result.pvalues[places[0]])
    test = fit.result.f_test(np.eye(len(fit.result.params))[places])
    return "F", float(np.ravel(test.fvalue)[0]), float(test.pvalue)


def notes(fit: Fit, variable: str) -> Iterator[str]:
    """Yield caveats about a variable's effect: variables that are confounded with it, and groups
    without a value.
    """
    for first, second, r in confounded(fit.space, fit.points):
        if variable in first.variables + second.variables:
            yield (
                f"{first.name} and {second.name} are confounded (r = {r:.2f} over the points), so "
                "their effects can hardly be told apart"
            )
    absent = [point for point in fit.space.drawn if point not in fit.points]
    if absent:
        more = f" and {len(absent) - MOST_NAMED} more" if len(absent) > MOST_NAMED else ""
        verb = "has" if len(absent) == 1 else "have"
        yield (
            f"{counted(len(absent), 'point')} of {len(fit.space.drawn)} {verb} no value: "
            f"{', '.join(absent[:MOST_NAMED])}{more}"
        )
