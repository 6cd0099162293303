"""Tables of the regressions over a space, one regression for every measure in a plan's
hypotheses."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from mixed_company.analysis import measures
from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group
from mixed_company.analysis.planned.tested import of_block, units_of
from mixed_company.analysis.space.columns import columns, confounded, written
from mixed_company.analysis.space.fitting import Fit, fitted
from mixed_company.analysis.space.predicting import Predicted, predicted
from mixed_company.analysis.statistics.result import NoTest, p_text, percentage
from mixed_company.analysis.statistics.units import Units
from mixed_company.engine.contract.errors import UnknownName
from mixed_company.experiment.comparisons import quantity
from mixed_company.experiment.hypothesis import Hypothesis
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.space import Space

EFFECTS = (
    *("measure", "unit", "variable", "change"),
    *("effect", "standard_error", "low", "high", "t", "df", "p"),
)
_HELD_OUT = (
    *("measure", "unit", "points", "groups", "folds", "r2", "error", "error_of_constant", "notes"),
)


@dataclass(frozen=True)
class Analysed:
    """The regression of one measure.

    label      the measure, with its seats and, in a plan with blocks, its block
    units      its values; None if there are none
    fit        the regression; None if it cannot be fitted
    held_out   the regression's predictions for held-out points; None if there are none
    reason     why there is no regression or no prediction
    """

    label: str
    unit: str
    units: Units | None
    fit: Fit | None
    held_out: Predicted | None
    reason: str = ""


def analysed(
    games: Sequence[Data], plan: Plan, space: Space, without: Collection[Group] = ()
) -> list[Analysed]:
    """Return the regression of every measure in the plan's hypotheses, in their order. The
    arguments are the same as for `planned.tested.tested`."""
    by_measure: dict[str, Hypothesis] = {}
    for hypothesis in plan.hypotheses.values():
        by_measure.setdefault(_label(hypothesis), hypothesis)
    return [
        _analysed(label, games, plan, space, hypothesis, without)
        for label, hypothesis in by_measure.items()
    ]


def _analysed(
    label: str,
    games: Sequence[Data],
    plan: Plan,
    space: Space,
    hypothesis: Hypothesis,
    without: Collection[Group],
) -> Analysed:
    data = of_block(games, hypothesis)
    described = measures.described(data.game_id)
    level = {"group": "group", "people": "person"}[hypothesis.of]
    of_level = described[described["level"] == level].set_index("measure")["unit"]
    unit, units, fit = str(of_level.get(hypothesis.measure, "")), None, None
    try:
        units = units_of(data, plan, hypothesis, without)
        fit = fitted(units, space)
        return Analysed(label, unit, units, fit, predicted(units, fit, space.seed))
    except (NoTest, UnknownName) as refusal:
        return Analysed(label, unit, units, fit, None, str(refusal))


def _label(hypothesis: Hypothesis) -> str:
    where = f", block {hypothesis.block}" if hypothesis.block else ""
    return f"{quantity(hypothesis.measure, hypothesis.of)}{where}"


def label_of(row: Mapping[Any, Any]) -> str:
    """Return the label of a hypothesis's measure. A hypothesis is a row of the `hypotheses`
    table."""
    where = f", block {row['block']}" if row.get("block") else ""
    return f"{row['measure']} of {row['of']}{where}"


def effects(listed: Sequence[Analysed], level: float = 0.95) -> pd.DataFrame:
    """Return one row per measure and coefficient; p is not corrected."""
    tables = [of.fit.table(level).assign(measure=of.label, unit=of.unit) for of in listed if of.fit]
    if not tables:
        return pd.DataFrame(columns=list(EFFECTS))
    return pd.concat(tables, ignore_index=True)[list(EFFECTS)]


def interactions(listed: Sequence[Analysed], space: Space, level: float = 0.95) -> pd.DataFrame:
    """Return one row per measure and interaction of two variables, from a regression with all
    interactions; p is not corrected. If a measure has no such regression, its only row has the
    reason.
    """
    tables = []
    for of in listed:
        if of.units is None:
            continue
        about = {"measure": of.label, "unit": of.unit}
        try:
            table = fitted(of.units, space, interactions=True).table(level)
            products = len(columns(space, interactions=True)) - len(columns(space))
            tables.append(table.iloc[-1 - products : -1].assign(**about, notes=""))
        except NoTest as refusal:
            tables.append(pd.DataFrame([{**about, "notes": str(refusal)}]))
    order = [*EFFECTS, "notes"]
    return (
        pd.concat(tables, ignore_index=True).reindex(columns=order)
        if tables
        else (pd.DataFrame(columns=order))
    )


def held_out(listed: Sequence[Analysed]) -> pd.DataFrame:
    """Return one row per measure: its numbers of groups, points and folds, and the quality of its
    predictions.

    r2                 1 - (error / error_of_constant)^2
    error              root mean square error of the regression's predictions at held-out points
    error_of_constant  the same if the mean of the other groups is the prediction
    """
    rows = []
    for of in listed:
        row: dict[str, Any] = {"measure": of.label, "unit": of.unit, "notes": of.reason}
        if of.fit:
            row |= {"points": len(of.fit.points), "groups": of.fit.groups}
        if of.held_out:
            row |= {key: getattr(of.held_out, key) for key in _HELD_OUT[4:8]}
        rows.append(row)
    return pd.DataFrame(rows).reindex(columns=list(_HELD_OUT))


def predictions(listed: Sequence[Analysed]) -> pd.DataFrame:
    """Return one row per measure and group: the value that was played, the value predicted with its
    point held out, and the error.
    """
    tables = [of.held_out.frame.assign(measure=of.label) for of in listed if of.held_out]
    order = ["measure", "session", "group", "treatment", "fold"]
    order += ["played", "predicted", "constant", "error"]
    return pd.concat(tables, ignore_index=True)[order] if tables else pd.DataFrame(columns=order)


def design(listed: Sequence[Analysed], space: Space) -> pd.DataFrame:
    """Return one row per point: its treatment, the value of each variable and, for each measure,
    the number of groups and their mean.
    """
    frame = pd.DataFrame(
        {"treatment": point, **{name: written(value) for name, value in values.items()}}
        for point, values in space.drawn.items()
    )
    for of in listed:
        if of.fit:
            groups = dict(zip(of.fit.points, of.fit.weights.astype(int).tolist(), strict=True))
            means = dict(zip(of.fit.points, of.fit.means.tolist(), strict=True))
            frame[f"groups {of.label}"] = frame["treatment"].map(groups).fillna(0).astype(int)
            frame[f"mean {of.label}"] = frame["treatment"].map(means)
    return frame


def sentences(listed: Sequence[Analysed], space: Space) -> Iterator[str]:
    """Yield sentences that explain how to read the regressions: which variables are confounded, and
    how well they predict held-out points."""
    if any(of.fit for of in listed):
        yield READING
        yield intercept(space)
    for of in listed:
        for first, second, r in confounded(space, of.fit.points) if of.fit else ():
            yield (
                f"{of.label}: {first.name} and {second.name} are confounded over the points that "
                f"were played (r = {r:.2f}), so their effects can hardly be told apart."
            )
    yield from map(predicts, held_out(listed).to_dict("records"))


READING = (
    "Effects are from one regression on all variables of the space. Each effect is the change in "
    "the mean over the variable's whole range, or from its first choice to the choice named, with "
    "all other variables held fixed. The regression is linear and additive. Effects that are "
    "curved, "
    "or that depend on other variables, are averaged over the points."
)


def intercept(space: Space) -> str:
    """Return a sentence about the design that the intercept stands for."""
    places = [
        f"{name} {_middle(variable.low, variable.high)}"
        if variable.is_range
        else f"{name} {written(variable.level(0))}"
        for name, variable in space.variables.items()
    ]
    return (
        f"The intercept is the fitted mean at {', '.join(places)}, with every range at its middle "
        "and every choice at its first value, even if no group played this design."
    )


def _middle(low: float | None, high: float | None) -> str:
    assert low is not None  # noqa: S101  a range has two ends
    assert high is not None  # noqa: S101
    return written((low + high) / 2)


def predicts(row: Mapping[Hashable, Any]) -> str:
    """Return a sentence about a measure's predictions, which are a row of the `held_out` table."""
    if pd.isna(row["r2"]):
        fitted_at_least = "" if pd.isna(row["points"]) else "no held-out predictions: "
        return f"{row['measure']}: {fitted_at_least}{row['notes']}."
    unit = f" {row['unit']}" if row["unit"] else ""
    better = row["error"] < row["error_of_constant"]
    judged = "" if better else ", so the variables predict no better than the mean alone"
    return (
        f"{row['measure']}, predicted at held-out points ({row['folds']:.0f} folds of "
        f"{row['points']:.0f} points): the error is {row['error']:.3g}{unit} (root mean square), "
        f"against {row['error_of_constant']:.3g} for the mean of the other groups. Held-out R2 is "
        f"{row['r2']:.2f}{judged}."
    )


def in_short(row: Mapping[Any, Any], unit: str = "") -> str:
    """Return a sentence about a hypothesis's result, which is a row of the `hypotheses` table."""
    if pd.isna(row["p"]):
        return f"{row['hypothesis']}: {row['notes']}."
    of_measure = f" {unit}" if unit else ""
    ends = ""
    if not pd.isna(row["low"]):
        confidence = percentage(row["confidence"])
        ends = f", {confidence}% interval {row['low']:.4g} to {row['high']:.4g}"
    return (
        f"{row['hypothesis']} ({row['status']}): {row['effect_name']}, for {label_of(row)}: "
        f"{row['effect']:.4g}{of_measure}{ends}; "
        f"{p_text(row['p_corrected'])} ({row['correction']})."
        f"{f' The result is {result}.' if (result := row['result']) else ''}"
    )
