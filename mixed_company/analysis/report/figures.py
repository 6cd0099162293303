"""The figures of the whole export: measures by treatment and by period, people, who took part.

All are as wide as is asked for, in mm, and say measure and unit on an axis.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.parts import Figure, function_name, labelled, shown, worded
from mixed_company.engine.contract.space import Array

__all__ = ["course", "dots", "lasting", "spread", "who"]

_STEPS = {"arrived": "arrived", "grouped": "sat in a group", "finished": "played to the end"}
_LETTERS = 0.27
"""Of a line of a name beside an axis, for each mm of width."""


@drawing.on_paper
def who(taking_part: pd.DataFrame, width: float = WIDTH) -> Figure:
    """How many arrived, sat in a group and finished, a bar each, by treatment."""
    n = len(taking_part)
    canvas, axes = drawing.canvas(width, 12 + 20 * n, n, sharex=True)
    sentences = []
    for place, row in zip(axes, taking_part.to_dict("records"), strict=True):
        numbers = [row[name] for name in _STEPS]
        bars = place.barh(
            list(range(3)),
            numbers,
            height=0.7,
            color=["#ffffff", "#b9c2ce", "#4a5565"],
            edgecolor=drawing.INK,
            linewidth=0.8,
        )
        place.bar_label(bars, padding=3)
        place.set_yticks(range(3), list(_STEPS.values()))
        place.set_ylim(2.5, -0.5)
        place.set_title(drawing.broken(row["treatment"], int(width * _LETTERS)))
        place.grid(visible=False)
        place.set_xlim(0, max(1.0, taking_part["arrived"].max() * 1.15))
        sentences.append(
            f"{row['treatment']}: " + ", ".join(f"{row[k]} {v}" for k, v in _STEPS.items())
        )
    axes[-1].set_xlabel("participants")
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    svg, pdf = drawing.rendered(canvas)
    return Figure(
        "who",
        "From arriving to the end",
        "; ".join(sentences) + ".",
        function_name(who),
        ("who",),
        svg,
        pdf,
    )


@drawing.on_paper
def course(
    name: str,
    series: pd.DataFrame,
    periods: pd.DataFrame,
    treatments: Sequence[str],
    width: float = WIDTH,
) -> Figure:
    """A measure over the periods: the mean of each treatment, its interval, and every group thin.

    `series` are the rows of `measured.series` of this measure, `periods` the measures of periods;
    all `treatments` are named, so that each looks the same in every figure. Where groups were over
    already, the mean of those that still played is a thin line.
    """
    canvas, (place,) = drawing.canvas(width, 62)
    lines, courses = [], []
    drawn = [treatment for treatment in treatments if (series["treatment"] == treatment).any()]
    for treatment in drawn:
        number = treatments.index(treatment)
        look = drawing.style(number)
        for _, own in periods[periods["treatment"] == treatment].groupby(["session", "group"]):
            place.plot(own["period"], own[name], color=look["color"], linewidth=0.4, alpha=0.4)
        mean = series[series["treatment"] == treatment]
        at = mean["period"]
        place.fill_between(
            at, mean["low"], mean["high"], color=look["color"], alpha=0.16, linewidth=0
        )
        every = max(1, len(at) // 8)
        offset = number * every // max(1, len(treatments))
        whole = mean["mean"].where(mean["groups"] == mean["of"])
        place.plot(at, mean["mean"], **{**look, "linewidth": 0.9}, markevery=[])
        lines += place.plot(at, whole, markevery=(offset, every), **look)
        first, last = (shown(float(mean["mean"].iloc[end])) for end in (0, -1))
        courses.append(f"{treatment}: from {first} to {last}{_survivors(mean)}")
    place.set_xlabel("period")
    place.set_ylabel(drawing.broken(labelled(name, str(series["unit"].iloc[0])), 32))
    place.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    drawing.keyed_above(canvas, lines, drawn)
    svg, pdf = drawing.rendered(canvas)
    thin = "Thin: each group. " if len(periods) else ""
    words = (
        f"Mean over groups, {'; '.join(courses)}. {thin}Shaded: 95% interval of the "
        "mean, where there are two groups or more."
    )
    title = f"{worded(name).capitalize()} by period"
    tables = ("series", "measures_periods")
    return Figure(f"period_{name}", title, words, function_name(course), tables, svg, pdf)


def _survivors(mean: pd.DataFrame) -> str:
    """That the last means are of the groups that were not over yet."""
    fewer = mean[mean["groups"] < mean["of"]]
    if fewer.empty:
        return ""
    last = fewer.iloc[-1]
    return (
        f" (from period {fewer['period'].iloc[0]} on of those that still played alone, as a thin "
        f"line; at last {last['groups']} of {last['of']})"
    )


@drawing.on_paper
def dots(
    name: str,
    means: pd.DataFrame,
    groups: pd.DataFrame,
    treatments: Sequence[str],
    width: float = WIDTH,
) -> Figure:
    """A measure in every group as a dot, by treatment, with mean and interval.

    `means` are its rows of `measured.by_treatment`, `groups` the measures of groups, or of people,
    of which a group has the mean; `treatments` as in `course`.
    """
    by_group = groups.groupby(["treatment", "session", "group"], observed=True)[name].mean()
    values = by_group.reset_index()
    names = [drawing.broken(treatment, int(width * _LETTERS)) for treatment in treatments]
    lines = sum(1 + own.count("\n") for own in names)
    canvas, (place,) = drawing.canvas(width, 14 + 5 * len(names) + 4 * lines)
    for row in means.to_dict("records"):
        at = treatments.index(row["treatment"])
        own = values.loc[values["treatment"] == row["treatment"], name].dropna().to_numpy()
        _circles(place, own, at)
        if row["low"] == row["low"]:
            place.plot([row["low"], row["high"]], [at, at], color=drawing.INK, linewidth=1.6)
        place.plot([row["mean"]], [at], marker="s", markersize=5, color=drawing.INK)
    place.set_xlabel(
        drawing.broken(labelled(name, str(means["unit"].iloc[0])), int(width * _LETTERS))
    )
    _sided(place, names)
    svg, pdf = drawing.rendered(canvas)
    circles = "Circles: groups. " if len(values) else ""
    words = f"{circles}Square and line: their mean, and its 95% interval."
    of = "measures_people" if str(means["level"].iloc[0]) == "person" else "measures_groups"
    tables = (of, "measures_by_treatment")
    title = f"{worded(name).capitalize()} by treatment"
    return Figure(f"groups_{name}", title, words, function_name(dots), tables, svg, pdf)


@drawing.on_paper
def spread(
    name: str, unit: str, people: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """A measure of every person: by treatment, the share of people who have so much or less."""
    canvas, (place,) = drawing.canvas(width, 58)
    lines, drawn, sentences = [], [], []
    for number, treatment in enumerate(treatments):
        values = np.sort(people.loc[people["treatment"] == treatment, name].dropna().to_numpy())
        if not len(values):
            continue
        look = {**drawing.style(number), "markevery": max(1, len(values) // 8)}
        shares = np.arange(1, len(values) + 1) / len(values)
        lines += place.step(values, shares, where="post", **look)
        drawn.append(treatment)
        low, middle, high = (shown(float(np.quantile(values, at))) for at in (0.25, 0.5, 0.75))
        sentences.append(
            f"{treatment}: {len(values)} people, half of them from {low} to {high}, median {middle}"
        )
    place.set_xlabel(drawing.broken(labelled(name, unit), int(width * _LETTERS)))
    place.set_ylabel("share of people")
    drawing.keyed_above(canvas, lines, drawn)
    svg, pdf = drawing.rendered(canvas)
    title = f"{worded(name).capitalize()} of people"
    words = f"Share of people who have so much or less; {'; '.join(sentences)}."
    tables = ("measures_people",)
    return Figure(f"people_{name}", title, words, function_name(spread), tables, svg, pdf)


@drawing.on_paper
def lasting(
    survival: pd.DataFrame, seen: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """The share of groups that lasted, by period (Kaplan-Meier), with its interval shaded.

    `survival` is that of `surviving.survival`, `seen` that of `surviving.seen`.
    """
    canvas, (place,) = drawing.canvas(width, 58)
    lines, drawn, sentences = [], [], []
    for number, treatment in enumerate(treatments):
        own = survival[survival["treatment"] == treatment]
        durations = seen.loc[seen["treatment"] == treatment, "duration"]
        if durations.empty:
            continue
        at = np.array([0.0, *own["duration"], durations.max()])
        share = np.array([1.0, *own["share"], [1.0, *own["share"]][-1]])
        look = drawing.style(number)
        low, high = (np.array([np.nan, *own[end], np.nan]) for end in ("low", "high"))
        place.fill_between(at, low, high, step="post", color=look["color"], alpha=0.16, linewidth=0)
        lines += place.step(at, share, where="post", **{**look, "marker": ""})
        drawn.append(treatment)
        sentences.append(f"{treatment}: at last {share[-1]:.0%} of {len(durations)}")
    place.set_xlabel("period")
    place.set_ylabel("share of groups that lasted")
    place.set_ylim(-0.03, 1.05)
    place.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    drawing.keyed_above(canvas, lines, drawn)
    svg, pdf = drawing.rendered(canvas)
    words = f"By Kaplan and Meier; {'; '.join(sentences)} groups. Shaded: 95% interval."
    tables = ("survival", "lasted")
    title = "How long groups lasted"
    return Figure("survival", title, words, function_name(lasting), tables, svg, pdf)


def _circles(place: Axes, values: Array, at: int) -> None:
    place.plot(
        values,
        at + _apart(values),
        linestyle="",
        marker="o",
        markersize=4,
        markerfacecolor="none",
        markeredgecolor=drawing.COLOURS[at % 7],
        markeredgewidth=0.8,
    )


def _sided(place: Axes, names: Sequence[str]) -> None:
    """Treatments beside the axis, the first above."""
    place.set_yticks(range(len(names)), names)
    place.set_ylim(len(names) - 0.45, -0.55)
    place.xaxis.set_major_locator(MaxNLocator(4))


def _apart(values: Array) -> Array:
    """Heights that keep dots of nearly the same value apart, the first free one of five."""
    heights = (0.0, 0.15, -0.15, 0.3, -0.3)
    near = 0.05 * float(np.ptp(values)) if len(values) else 0.0
    last = dict.fromkeys(heights, -np.inf)
    offsets = np.zeros(len(values))
    for at in np.argsort(values, kind="stable"):
        free = [height for height in heights if values[at] - last[height] > near]
        offsets[at] = free[0] if free else min(heights, key=lambda height: last[height])
        last[offsets[at]] = values[at]
    return offsets
