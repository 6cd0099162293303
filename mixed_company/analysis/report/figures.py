"""The figures of a whole export, and the specification curve of `analysis.multiverse`.

All are as wide as is asked for, in mm, and say measure and unit on an axis.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.ticker import MaxNLocator

from mixed_company.analysis.multiverse import CHOICES, Multiverse
from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.parts import Figure, function_name, labelled, shown, worded
from mixed_company.engine.contract.space import Array

__all__ = ["course", "curve", "dots", "lasting", "spread", "who"]

_STEPS = {"arrived": "arrived", "grouped": "sat in a group", "finished": "played to the end"}
_LETTERS = 0.27
"""Of a line of a name beside an axis, for each mm of width."""


@drawing.on_paper
def who(taking_part: pd.DataFrame, width: float = WIDTH) -> Figure:
    """Draw how many arrived, sat in a group and finished, a bar each, by treatment."""
    n = len(taking_part)
    canvas, axes = drawing.canvas(width, 12 + 20 * n, n, sharex=True)
    look: Any = {"height": 0.7, "edgecolor": drawing.INK, "linewidth": 0.8}
    sentences = []
    for place, row in zip(axes, taking_part.to_dict("records"), strict=True):
        numbers = [row[name] for name in _STEPS]
        bars = place.barh([0, 1, 2], numbers, color=["#ffffff", "#b9c2ce", "#4a5565"], **look)
        place.bar_label(bars, padding=3)
        place.set_yticks(range(3), list(_STEPS.values()))
        place.set_ylim(2.5, -0.5)
        place.set_title(drawing.broken(row["treatment"], int(width * _LETTERS)))
        place.grid(visible=False)
        place.set_xlim(0, max(1.0, taking_part["arrived"].max() * 1.15))
        counts = ", ".join(f"{row[name]} {words}" for name, words in _STEPS.items())
        sentences.append(f"{row['treatment']}: {counts}")
    axes[-1].set_xlabel("participants")
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    words = "; ".join(sentences) + "."
    return _figure(canvas, who, "who", "From arriving to the end", words, "who")


@drawing.on_paper
def course(
    name: str,
    series: pd.DataFrame,
    periods: pd.DataFrame,
    treatments: Sequence[str],
    width: float = WIDTH,
) -> Figure:
    """Draw a measure by period: the mean of each treatment, its interval, and every group thin.

    `series` are the rows of `courses.series` of this measure, `periods` the measures of periods.
    All `treatments` are named, so that each looks the same in every figure. Where groups were over
    already, the mean of those that still played is a thin line.
    """
    canvas, (place,) = drawing.canvas(width, 62)
    lines, drawn, sentences = [], [], []
    for number, treatment, mean in _parts(series, treatments):
        look = drawing.style(number)
        for _, group in periods[periods["treatment"] == treatment].groupby(["session", "group"]):
            place.plot(group["period"], group[name], color=look["color"], linewidth=0.4, alpha=0.4)
        _shade(place, mean["period"], mean["low"], mean["high"], look)
        every = max(1, len(mean) // 8)
        offset = number * every // max(1, len(treatments))
        whole = mean["mean"].where(mean["groups"] == mean["of"])
        place.plot(mean["period"], mean["mean"], **{**look, "linewidth": 0.9}, markevery=[])
        lines += place.plot(mean["period"], whole, markevery=(offset, every), **look)
        drawn.append(treatment)
        first, last = (shown(float(mean["mean"].iloc[end])) for end in (0, -1))
        sentences.append(f"{treatment}: from {first} to {last}{_survivors(mean)}")
    drawing.by_period(place)
    place.set_ylabel(drawing.broken(labelled(name, str(series["unit"].iloc[0])), 32))
    drawing.keyed_above(canvas, lines, drawn)
    thin = "Thin: each group. " if len(periods) else ""
    words = (
        f"Mean over groups, {'; '.join(sentences)}. {thin}Shaded: 95% interval of the "
        "mean, where there are two groups or more."
    )
    title = f"{worded(name).capitalize()} by period"
    return _figure(canvas, course, f"period_{name}", title, words, "series", "measures_periods")


def _survivors(mean: pd.DataFrame) -> str:
    """Return that the last means are of the groups that were not over yet; empty: of all."""
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
    """Draw a measure in every group as a circle, by treatment, with mean and interval.

    `means` are its rows of `measured.by_treatment`, `groups` the measures of groups, or of people,
    of which a group has the mean; `treatments` as in `course`.
    """
    by_group = groups.groupby(["treatment", "session", "group"], observed=True)[name].mean()
    values = by_group.reset_index()
    names = [drawing.broken(treatment, int(width * _LETTERS)) for treatment in treatments]
    lines = sum(1 + words.count("\n") for words in names)
    canvas, (place,) = drawing.canvas(width, 14 + 5 * len(names) + 4 * lines)
    for row in means.to_dict("records"):
        height = treatments.index(row["treatment"])
        of_groups = values.loc[values["treatment"] == row["treatment"], name].dropna().to_numpy()
        look: Any = {"markerfacecolor": "none", "markersize": 4, "markeredgewidth": 0.8}
        look["markeredgecolor"] = drawing.COLOURS[height % 7]
        place.plot(of_groups, height + _apart(of_groups), linestyle="", marker="o", **look)
        if not np.isnan(row["low"]):
            interval = [row["low"], row["high"]]
            place.plot(interval, [height, height], color=drawing.INK, linewidth=1.6)
        place.plot([row["mean"]], [height], marker="s", markersize=5, color=drawing.INK)
    label = labelled(name, str(means["unit"].iloc[0]))
    place.set_xlabel(drawing.broken(label, int(width * _LETTERS)))
    place.set_yticks(range(len(names)), names)  # the first above
    place.set_ylim(len(names) - 0.45, -0.55)
    place.xaxis.set_major_locator(MaxNLocator(4))
    circles = "Circles: groups. " if len(values) else ""
    words = f"{circles}Square and line: their mean, and its 95% interval."
    table = "measures_people" if means["level"].iloc[0] == "person" else "measures_groups"
    title = f"{worded(name).capitalize()} by treatment"
    return _figure(canvas, dots, f"groups_{name}", title, words, table, "measures_by_treatment")


@drawing.on_paper
def spread(
    name: str, unit: str, people: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """Draw a measure of all people: by treatment, the share of them that have so much or less."""
    canvas, (place,) = drawing.canvas(width, 58)
    lines, drawn, sentences = [], [], []
    for number, treatment, rows in _parts(people.dropna(subset=[name]), treatments):
        values = np.sort(rows[name].to_numpy())
        look = {**drawing.style(number), "markevery": max(1, len(values) // 8)}
        shares = np.arange(1, len(values) + 1) / len(values)
        lines += place.step(values, shares, where="post", **look)
        drawn.append(treatment)
        low, middle, high = map(shown, np.quantile(values, (0.25, 0.5, 0.75)).tolist())
        sentences.append(
            f"{treatment}: {len(values)} people, half of them from {low} to {high}, median {middle}"
        )
    place.set_xlabel(drawing.broken(labelled(name, unit), int(width * _LETTERS)))
    place.set_ylabel("share of people")
    drawing.keyed_above(canvas, lines, drawn)
    title = f"{worded(name).capitalize()} of people"
    words = f"Share of people who have so much or less; {'; '.join(sentences)}."
    return _figure(canvas, spread, f"people_{name}", title, words, "measures_people")


@drawing.on_paper
def lasting(
    survival: pd.DataFrame, seen: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """Draw the share of groups that lasted, by period (Kaplan-Meier), with its interval shaded.

    `survival` is that of `courses.survival`, `seen` that of `courses.seen`.
    """
    canvas, (place,) = drawing.canvas(width, 58)
    lines, drawn, sentences = [], [], []
    for number, treatment, groups in _parts(seen, treatments):
        ends = survival[survival["treatment"] == treatment]
        periods = np.array([0.0, *ends["duration"], groups["duration"].max()])
        share = np.array([1.0, *ends["share"], [1.0, *ends["share"]][-1]])
        look = drawing.style(number)
        low, high = (np.array([np.nan, *ends[end], np.nan]) for end in ("low", "high"))
        _shade(place, periods, low, high, look, step="post")
        lines += place.step(periods, share, where="post", **{**look, "marker": ""})
        drawn.append(treatment)
        sentences.append(f"{treatment}: at last {share[-1]:.0%} of {len(groups)}")
    place.set_ylabel("share of groups that lasted")
    place.set_ylim(-0.03, 1.05)
    drawing.by_period(place)
    drawing.keyed_above(canvas, lines, drawn)
    words = f"By Kaplan and Meier; {'; '.join(sentences)} groups. Shaded: 95% interval."
    title = "How long groups lasted"
    return _figure(canvas, lasting, "survival", title, words, "survival", "lasted")


def _figure(
    canvas: Canvas, function: Callable[..., Any], name: str, title: str, words: str, *tables: str
) -> Figure:
    svg, pdf = drawing.rendered(canvas)
    return Figure(name, title, words, function_name(function), tables, svg, pdf)


def _parts(
    frame: pd.DataFrame, treatments: Sequence[str]
) -> Iterator[tuple[int, str, pd.DataFrame]]:
    """Yield number, name and rows of every treatment that has rows."""
    for number, treatment in enumerate(treatments):
        rows = frame[frame["treatment"] == treatment]
        if len(rows):
            yield number, treatment, rows


def _shade(place: Axes, x: Any, low: Any, high: Any, look: dict[str, Any], **how: Any) -> None:
    """Shade an interval in the colour of its line."""
    place.fill_between(x, low, high, color=look["color"], alpha=0.16, linewidth=0, **how)


def _apart(values: Array) -> Array:
    """Return heights that keep dots of nearly the same value apart, the first free one of five."""
    heights = (0.0, 0.15, -0.15, 0.3, -0.3)
    near = 0.05 * float(np.ptp(values)) if len(values) else 0.0
    last = dict.fromkeys(heights, -np.inf)
    offsets = np.zeros(len(values))
    for dot in np.argsort(values, kind="stable"):
        free = [height for height in heights if values[dot] - last[height] > near]
        offsets[dot] = free[0] if free else min(heights, key=lambda height: last[height])
        last[offsets[dot]] = values[dot]
    return offsets


# -- a specification curve -------------------------------------------------------------------------


@drawing.on_paper
def curve(multiverse: Multiverse, width: float = WIDTH) -> tuple[str, bytes]:
    """Draw effects in order, filled where p is at most alpha, and a dot per choice; SVG and PDF."""
    table = multiverse.table
    options = [
        (choice, value)
        for choice in CHOICES
        if table[choice].nunique() > 1
        for value in table[choice].unique()
    ]
    n = len(options)
    canvas, (above, below) = drawing.canvas(
        width, 48 + 5 * n, 2, sharex=True, height_ratios=[40, 5 * n + 4]
    )
    places = np.arange(1, len(table) + 1)
    significant = (table["p"] <= multiverse.alpha).to_numpy()
    _choices(above, places, table["effect"].to_numpy(), significant)
    above.axhline(0, color=drawing.INK, linewidth=0.8)
    above.set_ylabel(f"difference in {worded(multiverse.measure)}")
    for row, (choice, value) in enumerate(options):
        chosen = (table[choice] == value).to_numpy()
        _choices(below, places[chosen], np.full(chosen.sum(), row), significant[chosen])
    below.set_yticks(range(n), [f"{choice}: {value}" for choice, value in options])
    below.set_ylim(n - 0.5, -0.5)
    below.set_xlabel("analyses, by effect")
    svg, pdf = drawing.rendered(canvas)
    return svg, pdf()


def _choices(axes: Axes, x: Array, y: Array, filled: Array) -> None:
    """Draw circles, filled where the test is significant."""
    colour = drawing.COLOURS[0]
    faces = [colour if significant else "#ffffff" for significant in filled]
    axes.scatter(x, y, s=14, c=faces, edgecolors=colour, linewidths=0.8, zorder=3)
