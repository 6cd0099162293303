"""The regression over a space, compared with the calculation below.

By hand, with two variables and six points: mpcr 0.3, 0.5, 0.7 without talk, and the same with talk.

    x (mpcr, scaled)   -1/2   0   1/2   -1/2    0   1/2
    d (talk free)         0   0     0      1    1     1
    y (measure)           4   5     9      7   11    12

x has the mean 0 within each choice, so the effects separate. Means: 6 without talk and 10 with it,
so the effect of talk is 4. Sum of x y = -2 + 4.5 - 3.5 + 6 = 5 and sum of x^2 = 1, so the change
over mpcr is 5. The intercept, at mpcr 0.5 without talk, is 6.
Residuals: 0.5, -1, 0.5 and -0.5, 1, -0.5. Leverages: 1/3 + x^2, so 7/12 at the ends and 1/3 in the
middle. HC3 divides residuals by 1 - leverage: 1.2, -1.5, 1.2 and -1.2, 1.5, -1.2.
Variance of the slope: sum of x^2 u^2 = 4 * 1/4 * 1.44 = 1.44. So t = 5 / 1.2 with 6 - 3 = 3
degrees of freedom. Variance of the effect of talk: sum of u^2 / 9 = (4 * 1.44 + 2 * 2.25) / 9
= 1.14. u is also each point's prediction error when only this point is held out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from mixed_company.analysis.space.columns import columns, confounded, matrix
from mixed_company.analysis.space.fitting import Fit, decided, fitted, needed
from mixed_company.analysis.space.predicting import folds, predicted
from mixed_company.analysis.statistics import Units, units
from mixed_company.analysis.statistics.result import NoTest
from mixed_company.experiment.space import Space

SIX = Space.model_validate(
    {
        "design": "grid",
        "variables": {
            "talk": {"choices": ["none", "free"]},
            "mpcr": {"low": 0.3, "high": 0.7, "step": 0.2},
        },
    }
)
VALUES = [4.0, 5.0, 9.0, 7.0, 11.0, 12.0]
PREDICTION_ERRORS = [1.2, -1.5, 1.2, -1.2, 1.5, -1.2]


def of(space: Space, values: Sequence[float], points: Sequence[str] = ()) -> Units:
    """Return groups with these values, one at each point, or one at each listed point."""
    names = list(points or space.drawn)
    about: dict[str, Any] = {"session": "s", "group": range(1, len(names) + 1)}
    return units(pd.DataFrame({**about, "treatment": names, "kept": values}), "kept")


def fit(values: Sequence[float] = VALUES) -> Fit:
    return fitted(of(SIX, values), SIX)


def test_the_example_by_hand() -> None:
    table = fit().table().set_index("variable")
    assert table.index.tolist() == ["talk", "mpcr", "intercept"]
    assert table["change"].tolist() == ["none to free", "0.3 to 0.7", ""]
    assert table["effect"].to_numpy() == pytest.approx([4, 5, 6])
    assert table.loc["mpcr", "standard_error"] == pytest.approx(1.2)
    assert table.loc["talk", "standard_error"] == pytest.approx(1.14**0.5)
    assert set(table["df"]) == {3}
    assert table.loc["mpcr", "p"] == pytest.approx(2 * stats.t.sf(5 / 1.2, 3))
    wide = stats.t.ppf(0.975, 3) * 1.2
    assert table.loc["mpcr", ["low", "high"]].tolist() == pytest.approx([5 - wide, 5 + wide])


def test_a_hypothesis_has_the_test_of_its_variable() -> None:
    result = decided(fit(), "mpcr", 0.9)
    assert (result.symbol, result.df, result.n) == ("t", 3.0, {"points": 6, "groups": 6})
    assert result.statistic == pytest.approx(5 / 1.2)
    assert result.effect_name == "change in the mean over mpcr 0.3 to 0.7"
    assert result.high - result.effect == pytest.approx(stats.t.ppf(0.95, 3) * 1.2)
    assert not result.notes


def test_held_out_errors_are_those_by_hand() -> None:
    """With six points, each one is a fold. A constant predicts the mean of the other five, (48 - y)
    / 5.
    """
    listed = predicted(of(SIX, VALUES), fit(), seed=3)
    assert listed.folds == 6
    assert listed.frame["error"].to_numpy() == pytest.approx(PREDICTION_ERRORS)
    assert listed.frame["constant"].to_numpy() == pytest.approx([(48 - y) / 5 for y in VALUES])
    squares = sum(error**2 for error in PREDICTION_ERRORS)
    of_constant = sum((y - (48 - y) / 5) ** 2 for y in VALUES)
    assert listed.r2 == pytest.approx(1 - squares / of_constant)


def test_groups_of_a_point_are_never_on_both_sides() -> None:
    points = [point for point in SIX.drawn for _ in range(3)]
    groups = of(SIX, np.arange(18.0) % 7, points)
    listed = predicted(groups, fitted(groups, SIX), seed=1).frame
    assert (listed.groupby("treatment")["fold"].nunique() == 1).all()
    assert len(set(folds(100, 1))) == 10
    assert folds(100, 1) == folds(100, 1) != folds(100, 2)


def test_several_groups_of_a_point_are_one_cluster() -> None:
    """By the definition of CR3, the residuals of each point are multiplied by the inverse of I - H
    of its groups (Bell and McCaffrey 2002). The coefficients come from all groups."""
    names = list(SIX.drawn)
    points = [
        name for name, count in zip(names, [3, 2, 1, 2, 4, 1], strict=True) for _ in range(count)
    ]
    y = np.random.default_rng(1).normal(size=len(points))
    result = fitted(of(SIX, y, points), SIX)
    x = matrix(SIX, points)
    inverse = np.linalg.inv(x.T @ x)
    b = inverse @ x.T @ y
    middle = np.zeros((3, 3))
    for name in names:
        rows = [place for place, point in enumerate(points) if point == name]
        hat = x[rows] @ inverse @ x[rows].T
        score = x[rows].T @ np.linalg.solve(np.eye(len(rows)) - hat, (y - x @ b)[rows])
        middle += np.outer(score, score)
    assert result.result.params == pytest.approx(b)
    assert result.errors == pytest.approx(np.sqrt(np.diag(inverse @ middle @ inverse)))
    assert result.groups == 13


THREE = Space.model_validate(
    {
        "points": 24,
        "seed": 2,
        "variables": {"mpcr": {"low": 0.3, "high": 0.7}, "rule": {"choices": ["a", "b", "c"]}},
    }
)


def test_several_choices_have_one_joint_test() -> None:
    x = matrix(THREE, list(THREE.drawn))
    rng = np.random.default_rng(4)
    values = x @ [1.0, 0.0, 3.0, -2.0] + rng.normal(size=24)
    result = fitted(of(THREE, values), THREE)
    assert [column.name for column in columns(THREE)] == ["mpcr", "rule b", "rule c"]
    joint = decided(result, "rule", 0.95)
    assert joint.symbol == "F"
    assert joint.p < 1e-6
    b, c = result.result.params[2:]
    assert joint.effect == pytest.approx(b - c)  # the largest difference: 0, b > 0, c < 0
    assert np.isnan(joint.low)
    wald = np.array([b, c]) @ np.linalg.solve(result.result.cov_params()[2:, 2:], [b, c]) / 2
    assert joint.statistic == pytest.approx(wald)
    assert joint.p == pytest.approx(stats.f.sf(wald, 2, 20))


def test_interactions_are_differences_of_effects() -> None:
    """y = 2 x1 where the rule is a, and 5 x1 where it is b, so the interaction of mpcr and b is
    3."""
    points = list(THREE.drawn)
    scaled = matrix(THREE, points)[:, 1]
    is_b = np.array([THREE.drawn[point]["rule"] == "b" for point in points])
    values = np.where(is_b, 5.0, 2.0) * scaled + 1e-3 * np.cos(np.arange(24.0))
    table = fitted(of(THREE, values), THREE, interactions=True).table().set_index("variable")
    assert table.loc["mpcr x rule b", "effect"] == pytest.approx(3, abs=0.01)
    assert table.loc["mpcr x rule c", "effect"] == pytest.approx(0, abs=0.01)
    assert needed(THREE, interactions=True) == 12 > needed(THREE) == 8


TIED = Space.model_validate(
    {
        "points": 16,
        "seed": 1,
        "variables": {"mpcr": {"low": 0.3, "high": 0.7}, "talk": {"choices": [False, True]}},
    }
)


def test_data_that_determine_no_effect_are_refused() -> None:
    first = list(SIX.drawn)[:5]
    with pytest.raises(
        NoTest, match=r"5 points have a value, .* 3 coefficients and needs 6 points"
    ):
        fitted(of(SIX, VALUES[:5], first), SIX)
    with pytest.raises(NoTest, match="kept: the same in all 6 groups"):
        fit([2.0] * 6)
    with pytest.raises(NoTest, match="the variables explain the means of all points exactly"):
        fit([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    silent = [point for point, value in TIED.drawn.items() if not value["talk"]]
    with pytest.raises(NoTest, match=r"talk \(false to true\): the same at all points"):
        fitted(of(TIED, np.arange(len(silent)) ** 2.0, silent), TIED)
    talking = [point for point in TIED.drawn if point not in silent][:1]
    almost = [*silent, *talking]
    with pytest.raises(NoTest, match="talk: determined by only one point"):
        fitted(of(TIED, np.arange(len(almost)) ** 2.0, almost), TIED)


def test_confounded_variables_are_named() -> None:
    """Only low returns are played without talk, and only high ones with it."""
    points = [
        point
        for point, value in TIED.drawn.items()
        if (float(value["mpcr"]) > 0.5) == value["talk"]
    ]
    ((first, second, r),) = confounded(TIED, points)
    assert (first.name, second.name) == ("mpcr", "talk")
    assert r > 0.5
    assert not confounded(TIED, list(TIED.drawn))
    result = decided(fitted(of(TIED, np.arange(len(points)) ** 2.0, points), TIED), "talk", 0.95)
    assert f"mpcr and talk are confounded (r = {r:.2f} over the points)" in result.notes[0]
    assert f"{16 - len(points)} points of 16 have no value" in result.notes[1]
