"""The test of a hypothesis about a variable of a space."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from mixed_company.analysis.space.columns import confounded
from mixed_company.analysis.space.fitting import Fit
from mixed_company.analysis.statistics.result import Result, counted

TEST = "least squares over the space, HC3 errors by point"
MOST_NAMED = 5
"""Maximum number of points without a value that are listed."""


def decided(fit: Fit, variable: str, level: float) -> Result:
    """Return the test of a variable's effect, controlling for all other variables of the space.

    A range or a variable with two choices has a t test of its column. For three or more choices, an
    F test asks whether all effects are zero; its effect is the largest difference between two
    choices' means, without an interval.
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
