"""A paper's texts about a space of designs: its variables and points, and the regressions over it.

A text about many points says what they have in common. If their numbers differ, it states a range.
Points that differ in other ways are identified by the values of the variables that distinguish
them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from mixed_company.analysis.paper.notation import interval, number, p_value, plain
from mixed_company.analysis.report.over_space import DESIGN, EFFECTS, HELD_OUT, INTERACTIONS
from mixed_company.analysis.space.columns import written
from mixed_company.analysis.space.predicting import FOLDS
from mixed_company.experiment.comparisons import abridged, counted, listed
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.space import Space, Variable

_NUMBER = re.compile(r"\d+(?:\.\d+)?")


# -- Methods ---------------------------------------------------------------------------------------


def drawn(space: Space, groups: int) -> str:
    """Return sentences about the points of a space and the design that placed them."""
    points = len(space.drawn)
    return (
        f"The experiment had {counted(points, 'treatment')}, which are points of a space of "
        f"designs with {counted(len(space.variables), 'variable')}; "
        f"{counted(groups, 'group')} {'was' if groups == 1 else 'were'} planned at each point. "
        f"{_placed(space, points)} No two points are the same."
    )


def _placed(space: Space, points: int) -> str:
    """Return a sentence that says how the design places the points."""
    if space.design == "sobol":
        return (
            "The points are a Sobol sequence, randomised by a digital shift with seed "
            f"{space.seed}."
        )
    if space.design == "random":
        return f"The points are independent draws with seed {space.seed}."
    if points == space.combinations:
        return "The points are a full grid: all combinations of the values."
    return (
        f"The points are {points} of the {space.combinations} combinations of the values, drawn "
        f"with seed {space.seed}."
    )


def variables(space: Space) -> str:
    """Return a list of the variables, with their values and the keys they set."""
    lines = [f"- {name}: {_values(name, part)}" for name, part in space.variables.items()]
    return "\n".join(
        [
            "Variables of the space, with their values and the keys of the configuration:\n",
            *lines,
            f"\n`tables/{DESIGN}.csv` has the values at every point.",
        ]
    )


def _values(name: str, variable: Variable) -> str:
    """Describe a variable's values."""
    if isinstance(variable.choices, dict):
        texts = [f"{choice} ({_keys(keys)})" for choice, keys in variable.choices.items()]
        return plain("; ".join(texts))
    keys = ", ".join(f"`{key}`" for key in variable.keys_of(name))
    if not variable.is_range:
        levels = map(variable.level, range(variable.count))
        return f"{plain(' / '.join(map(written, levels)))} ({keys})"
    step = float(variable.level(1)) - float(variable.level(0))
    ends = f"{written(variable.low)} to {written(variable.high)}"
    return f"{ends}, in steps of {written(step)} ({keys})"


def _keys(changes: Mapping[str, Any]) -> str:
    texts = [f"{key} {written(value)}" for key, value in changes.items()]
    return ", ".join(texts) or "no change"


REGRESSION = (
    "The test is that of a coefficient in a regression of the measure on all variables of the "
    "space, by least squares over groups. Ranges are scaled to length 1, so a coefficient is the "
    "change in the mean over the whole range. A choice has a coefficient for each of its values "
    "except the first: the difference from the first. Errors are HC3 with the point "
    "as the unit (MacKinnon and White 1985, Journal of Econometrics 29(3)), and *t* and *F* have "
    "(points minus coefficients) degrees of freedom. For predictions, the "
    f"points are divided into {FOLDS} folds (or one per point, if there are fewer points); each "
    f"fold is predicted by the regression over the other folds, and by their mean."
)


# -- many points -----------------------------------------------------------------------------------


def pattern(line: str) -> str:
    """Return a line without its numbers. Lines that are then equal have the same pattern and can be
    combined."""
    return _NUMBER.sub("#", line)


def combined(lines: Sequence[str]) -> str:
    """Merge lines with the same pattern; numbers that differ become ranges.

    >>> combined(["6 periods, at most 12 minutes", "9 periods, at most 12 minutes"])
    '6 to 9 periods, at most 12 minutes'
    """
    columns = zip(*map(_NUMBER.findall, lines), strict=True)
    ranges = iter([_range(column) for column in columns])
    return _NUMBER.sub(lambda _: next(ranges), lines[0])


def _range(numbers: Collection[str]) -> str:
    low, high = min(numbers, key=float), max(numbers, key=float)
    return low if float(low) == float(high) else f"{low} to {high}"


def points_of(space: Space, names: Collection[str]) -> str:
    """Return a phrase that identifies these points, by the values that distinguish them from all
    others or, if no values do, by their number and their names."""
    taken = {
        name: list(dict.fromkeys(space.drawn[point][name] for point in names))
        for name in space.variables
    }
    kept = {
        name: values
        for name, values in taken.items()
        if len(values) == 1 or not space.variables[name].is_range
    }
    if _with(space, kept) != set(names):
        return f"{len(names)} of {len(space.drawn)} points: {abridged([*names])}"
    for name in sorted(kept, key=lambda key: not space.variables[key].is_range):  # ranges first
        others = {key: values for key, values in kept.items() if key != name}
        if _with(space, others) == set(names):
            kept = others
    texts = [f"{name} {' or '.join(map(written, values))}" for name, values in kept.items()]
    return f"points with {listed(texts)}" if texts else "all points"


def _with(space: Space, values: Mapping[str, Collection[Any]]) -> set[str]:
    """Return the points where these variables have one of these values."""
    return {
        point
        for point, drawn_values in space.drawn.items()
        if all(drawn_values[name] in allowed for name, allowed in values.items())
    }


def spread(space: Space, values: Mapping[str, str]) -> str:
    """Return a rule's values at all points: as a range if all are numbers; otherwise each value
    with its points."""
    by_value: dict[str, list[str]] = {}
    for point, value in values.items():
        by_value.setdefault(value, []).append(point)
    if all(_NUMBER.fullmatch(value.removeprefix("-")) for value in by_value):
        low, high = min(by_value, key=float), max(by_value, key=float)
        return f"{low} to {high}, by point"
    return "; ".join(
        f"{plain(value)} ({points_of(space, points)})" for value, points in by_value.items()
    )


# -- Results ---------------------------------------------------------------------------------------


def paragraphs(
    frames: Mapping[str, pd.DataFrame], plan: Plan, reading: Sequence[str]
) -> Iterator[str]:
    """Yield the part of the Results about the regressions over a space.

    frames   tables of the report, by name
    reading  the report's sentences about how to read the regressions
             (`planned.over_space.sentences`)
    """
    yield "## Effects of the variables"
    samples = {row["measure"]: row for row in frames[HELD_OUT].to_dict("records")}
    for place, (measure, rows) in enumerate(frames[EFFECTS].groupby("measure", sort=False)):
        row = samples[measure]
        unit = f" ({row['unit']})" if row["unit"] else ""
        sample = f"{counted(int(row['points']), 'point')}, {counted(int(row['groups']), 'group')}"
        heading = f"Effects on {measure}{unit}, {sample} (`figures/{EFFECTS}_{place}.pdf`):"
        lines = [_effect(effect, plan.alpha) for effect in rows.to_dict("records")]
        yield "\n".join([f"{heading}\n", *lines])
    yield " ".join([_UNCORRECTED, *map(plain, reading)])
    if INTERACTIONS in frames:
        yield (
            f"The interactions of two variables are exploratory (`tables/{INTERACTIONS}.csv`): "
            "they come from a second regression, with the products of all pairs of variables."
        )


_UNCORRECTED = (
    "P values in these lists are not corrected for the number of variables, and variables without "
    "a hypothesis are exploratory."
)


def _effect(row: Mapping[Hashable, Any], alpha: float) -> str:
    """Return a line about a coefficient, in journal notation."""
    subject = f"{row['variable']} ({row['change']})" if row["change"] else str(row["variable"])
    parts = [
        f"*b* = {number(row['effect'])}",
        f"*SE* = {number(row['standard_error'])}",
        interval(row["low"], row["high"], 1 - alpha),
        f"*t*({number(row['df'])}) = {number(row['t'])}",
        p_value(row["p"], alpha),
    ]
    return f"- {plain(subject)}: {', '.join(parts)}"
