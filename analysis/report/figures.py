"""The figures of the whole export: who took part, measures by period and by treatment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from analysis.report import drawing
from analysis.report.parts import Figure, Table, function_name, shown
from engine.contract.space import Array

__all__ = ["course", "dots", "who"]

_STEPS = {"arrived": "arrived", "grouped": "sat in a group", "finished": "played to the end"}


@drawing.on_paper
def who(taking_part: pd.DataFrame) -> Figure:
    """How many arrived, sat in a group and finished, a bar each, by treatment."""
    n = len(taking_part)
    canvas, axes = drawing.canvas(n, figsize=(6.8, 0.4 + 1.0 * n), sharex=True)
    sentences = []
    for place, row in zip(axes[:, 0], taking_part.to_dict("records"), strict=True):
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
        place.set_title(row["treatment"])
        place.grid(visible=False)
        place.set_xlim(0, max(1.0, taking_part["arrived"].max() * 1.08))
        sentences.append(
            f"{row['treatment']}: " + ", ".join(f"{row[k]} {v}" for k, v in _STEPS.items())
        )
    axes[-1, 0].set_xlabel("participants")
    axes[-1, 0].xaxis.set_major_locator(MaxNLocator(integer=True))
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
    name: str, series: pd.DataFrame, periods: pd.DataFrame, treatments: Sequence[str]
) -> Figure:
    """A measure over the periods: the mean of each treatment, its interval, and every group thin.

    `series` are the rows of `measured.series` of this measure, `periods` the measures of periods;
    all `treatments` are named, so that each looks the same in every figure.
    """
    canvas, axes = drawing.canvas(1, figsize=(6.8, 3.2))
    place = axes[0, 0]
    lines, courses = [], []
    drawn = [treatment for treatment in treatments if (series["treatment"] == treatment).any()]
    for treatment in drawn:
        number = treatments.index(treatment)
        look = drawing.style(number)
        for _, own in periods[periods["treatment"] == treatment].groupby(["session", "group"]):
            place.plot(own["period"] + 1, own[name], color=look["color"], linewidth=0.5, alpha=0.45)
        mean = series[series["treatment"] == treatment]
        at = mean["period"] + 1
        place.fill_between(
            at, mean["low"], mean["high"], color=look["color"], alpha=0.16, linewidth=0
        )
        every = max(1, len(at) // 12)
        offset = number * every // max(1, len(treatments))
        look["linewidth"] = 2.2
        lines += place.plot(at, mean["mean"], markevery=(offset, every), markersize=5.5, **look)
        first, last = (shown(float(mean["mean"].iloc[end])) for end in (0, -1))
        courses.append(f"{treatment}: from {first} to {last}")
    place.set_xlabel("period, as people saw it")
    place.set_ylabel(str(series["unit"].iloc[0]))
    place.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    where = {"loc": "outside upper left", "ncols": min(len(drawn), 3), "handlelength": 4}
    drawing.keyed(canvas, lines, drawn, **where)
    svg, pdf = drawing.rendered(canvas)
    words = (
        f"Mean over the groups that played the period, {'; '.join(courses)}. Thin: each group. "
        "Shaded: 95% interval of the mean, where there are two groups or more."
    )
    title = f"{name.replace('_', ' ')} by period"
    tables = ("series", "measures_periods")
    return Figure(f"period_{name}", title, words, function_name(course), tables, svg, pdf)


@drawing.on_paper
def dots(means: pd.DataFrame, measures: Table, treatments: Sequence[str]) -> Figure:
    """Every group as a dot, by measure and treatment, with mean and interval.

    `means` are rows of `measured.by_treatment`, `measures` the table of the measures of groups, or
    of people, of which a group has the mean; `treatments` as in `course`.
    """
    names = list(dict.fromkeys(means["measure"]))
    frame = measures.frame
    if "person" in frame:
        frame = frame[frame["person"].astype(bool)]
    groups = frame.groupby(["treatment", "session", "group"], observed=True)[names].mean()
    groups = groups.reset_index()
    rows = -(-len(names) // 2)
    canvas, axes = drawing.canvas(
        rows, 2, figsize=(6.8, 0.3 + rows * (0.6 + 0.34 * len(treatments))), sharey=True
    )
    for place in axes.flat[len(names) :]:
        place.set_visible(False)
    for place, name in zip(axes.flat, names, strict=False):
        _dotted(place, means[means["measure"] == name], groups, name, treatments)
    svg, pdf = drawing.rendered(canvas)
    words = (
        f"{len(names)} measures, by treatment; each circle is a group, the square the mean over "
        "groups, the line its 95% interval. The numbers stand in the table above."
    )
    tables = (measures.name, "measures_by_treatment")
    return Figure("groups", "Groups by treatment", words, function_name(dots), tables, svg, pdf)


def _dotted(
    place: Axes, means: pd.DataFrame, groups: pd.DataFrame, name: str, treatments: Sequence[str]
) -> None:
    for row in means.to_dict("records"):
        at = treatments.index(row["treatment"])
        values = groups.loc[groups["treatment"] == row["treatment"], name].dropna().to_numpy()
        place.plot(
            values,
            at + _apart(values),
            linestyle="",
            marker="o",
            markersize=4.5,
            markerfacecolor="none",
            markeredgecolor=drawing.COLOURS[at % 7],
            markeredgewidth=0.9,
        )
        if row["low"] == row["low"]:
            place.plot([row["low"], row["high"]], [at, at], color=drawing.INK, linewidth=1.6)
        place.plot([row["mean"]], [at], marker="s", markersize=5, color=drawing.INK)
    place.set_title(f"{name.replace('_', ' ')} ({means['unit'].iloc[0]})", fontsize=9)
    place.set_yticks(range(len(treatments)), [drawing.short(treatment) for treatment in treatments])
    place.set_ylim(len(treatments) - 0.45, -0.55)
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
