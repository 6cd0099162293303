"""Draw the figures of a whole export, and the specification curve of `analysis.multiverse`.

Their width is an argument in mm, and axes are labelled with the measure and its unit.
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
from mixed_company.analysis.report.measured import PEOPLE_ONLY, by_person
from mixed_company.analysis.report.parts import Figure, function_name, labelled, shown, worded
from mixed_company.analysis.statistics.intervals import OF_MEAN
from mixed_company.engine.contract.space import Array
from mixed_company.experiment.comparisons import counted, quantity

_STEPS = {"arrived": "arrived", "grouped": "joined a group", "finished": "played to the end"}
MOST_DRAWN = 1000
"""Maximum number of groups that are drawn individually."""
_LETTERS = 0.27
"""Number of letters per line in a name next to an axis, per mm of the figure's width."""


@drawing.on_paper
def who(taking_part: pd.DataFrame, width: float = WIDTH) -> Figure:
    """Draw bars for the numbers of participants who arrived, were in a group and finished, by
    treatment."""
    n = len(taking_part)
    canvas, axes = drawing.canvas(width, 12 + 20 * n, n, sharex=True)
    look: Any = {"height": 0.7, "edgecolor": drawing.INK, "linewidth": 0.8}
    sentences = []
    for panel, row in zip(axes, taking_part.to_dict("records"), strict=True):
        numbers = [row[name] for name in _STEPS]
        bars = panel.barh([0, 1, 2], numbers, color=["#ffffff", "#b9c2ce", "#4a5565"], **look)
        panel.bar_label(bars, padding=3)
        panel.set_yticks(range(3), list(_STEPS.values()))
        panel.set_ylim(2.5, -0.5)
        panel.set_title(drawing.broken(row["treatment"], int(width * _LETTERS)))
        panel.grid(visible=False)
        panel.set_xlim(0, max(1.0, taking_part["arrived"].max() * 1.15))
        counts = ", ".join(f"{row[name]} {words}" for name, words in _STEPS.items())
        sentences.append(f"{row['treatment']}: {counts}")
    axes[-1].set_xlabel("participants")
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    words = "; ".join(sentences) + "."
    return _figure(canvas, who, "who", "Participation from arrival to the end", words, "who")


@drawing.on_paper
def course(
    name: str,
    series: pd.DataFrame,
    periods: pd.DataFrame,
    treatments: Sequence[str],
    width: float = WIDTH,
) -> Figure:
    """Draw a measure by period: each treatment's mean, its interval, and a thin line per group.

    `series` has the rows of `courses.series` for this measure, and `periods` is the table named by
    `groups_by_period`. `treatments` lists all treatments, so that each has the same style in every
    figure. After some groups have finished, the mean over the others is a thin line.
    """
    canvas, (panel,) = drawing.canvas(width, 62)
    lines, shown_treatments, sentences = [], [], []
    thin = 0 < len(periods.drop_duplicates(["session", "group"])) <= MOST_DRAWN
    keys = ["treatment", "session", "group", "period"]
    of_units = periods.groupby(keys, observed=True)[name].mean().reset_index()
    for number, treatment, mean in _parts(series, treatments):
        look = drawing.style(number)
        of_groups = of_units[of_units["treatment"] == treatment].groupby(["session", "group"])
        for _, group in of_groups if thin else ():
            panel.plot(group["period"], group[name], color=look["color"], linewidth=0.4, alpha=0.4)
        _shade(panel, mean["period"], mean["low"], mean["high"], look)
        step = max(1, len(mean) // 8)
        offset = number * step // max(1, len(treatments))
        whole = mean["mean"].where(mean["groups"] == mean["of"])
        panel.plot(mean["period"], mean["mean"], **{**look, "linewidth": 0.9}, markevery=[])
        lines += panel.plot(mean["period"], whole, markevery=(offset, step), **look)
        shown_treatments.append(treatment)
        sentences.append(f"{treatment}: {_ends(mean)}")
    drawing.by_period(panel)
    seats = str(series["seats"].iloc[0])
    label = drawing.broken(labelled(name, str(series["unit"].iloc[0])), 32)
    panel.set_ylabel(f"{label}\n{seats}" if seats else label)
    drawing.keyed_above(canvas, lines, shown_treatments)
    lines_drawn = "Thin lines: groups. " if thin else ""
    words = (
        f"Mean over groups. {'. '.join(sentences)}. {lines_drawn}Shaded: 95% interval of the mean, "
        f"for two or more groups. {OF_MEAN}"
    )
    title = f"{worded(name).capitalize()} by period" + (f": {seats}" if seats else "")
    tables = ("series", groups_by_period(series))
    return _figure(canvas, course, f"period_{name}", title, words, *tables)


def groups_by_period(series: pd.DataFrame) -> str:
    """Return the name of the table with the individual groups' values behind the means in
    `series`."""
    return "periods_of_people" if PEOPLE_ONLY in set(series["seats"]) else "measures_periods"


def _ends(mean: pd.DataFrame) -> str:
    """Describe the first and last mean over all groups, the number of groups, and how many of them
    continued after that."""
    whole = mean[mean["groups"] == mean["of"]]
    first, last = whole.iloc[0], whole.iloc[-1]
    text = f"{shown(float(first['mean']))} in period {first['period']}"
    if last["period"] > first["period"]:
        text += f" and {shown(float(last['mean']))} in period {last['period']}"
    text += f", over {counted(int(first['of']), 'group')}"
    later = mean[mean["period"] > last["period"]]
    if later.empty:
        return text
    return (
        f"{text}; from period {later['period'].iloc[0]} on (thin line) only over those that were "
        f"still playing, {later['groups'].iloc[-1]} of {first['of']} at the end, so a change there "
        f"can be due to the groups that ended"
    )


@drawing.on_paper
def dots(
    name: str,
    means: pd.DataFrame,
    groups: pd.DataFrame,
    treatments: Sequence[str],
    width: float = WIDTH,
) -> Figure:
    """Draw a measure of every group as a circle, by treatment, with the mean and its interval.

    `means` has the measure's rows from `measured.by_treatment`. `groups` has the measures of
    groups, or of people, averaged by group. `treatments` is as in `course`.
    """
    by_group = groups.groupby(["treatment", "session", "group"], observed=True)[name].mean()
    values = by_group.reset_index()
    circles = 0 < len(values) <= MOST_DRAWN
    names = [drawing.broken(treatment, int(width * _LETTERS)) for treatment in treatments]
    lines = sum(1 + words.count("\n") for words in names)
    canvas, (panel,) = drawing.canvas(width, 14 + 5 * len(names) + 4 * lines)
    for row in means.to_dict("records"):
        height = treatments.index(row["treatment"])
        of_groups = values.loc[values["treatment"] == row["treatment"], name].dropna().to_numpy()
        look: Any = {"markerfacecolor": "none", "markersize": 4, "markeredgewidth": 0.8}
        look["markeredgecolor"] = drawing.COLOURS[height % 7]
        if circles:
            panel.plot(of_groups, height + _apart(of_groups), linestyle="", marker="o", **look)
        if not np.isnan(row["low"]):
            interval = [row["low"], row["high"]]
            panel.plot(interval, [height, height], color=drawing.INK, linewidth=1.6)
        panel.plot([row["mean"]], [height], marker="s", markersize=5, color=drawing.INK)
    level = str(means["level"].iloc[0])
    named = quantity(name, level)
    label = labelled(named, str(means["unit"].iloc[0]))
    panel.set_xlabel(drawing.broken(label, int(width * _LETTERS)))
    panel.set_yticks(range(len(names)), names)  # the first treatment at the top
    panel.set_ylim(len(names) - 0.45, -0.55)
    panel.xaxis.set_major_locator(MaxNLocator(4))
    words = (
        f"{'Circles: groups. ' if circles else ''}Square and line: group mean and its 95% interval."
    )
    table = "measures_people" if level == "person" else "measures_groups"
    title = f"{worded(named).capitalize()} by treatment"
    return _figure(canvas, dots, f"groups_{name}", title, words, table, "measures_by_treatment")


@drawing.on_paper
def spread(
    name: str, unit: str, people: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """Draw the empirical distribution of a measure of people, by treatment. If a person played a
    treatment several times, the values are summed over all plays."""
    rows_of = by_person(people)[name]
    sums = rows_of.sum().where(rows_of.count() == rows_of.size())
    canvas, (panel,) = drawing.canvas(width, 58)
    lines, shown_treatments, sentences = [], [], []
    for number, treatment, rows in _parts(sums.dropna().reset_index(), treatments):
        values = np.sort(rows[name].to_numpy())
        look = {**drawing.style(number), "markevery": max(1, len(values) // 8)}
        shares = np.arange(1, len(values) + 1) / len(values)
        lines += panel.step(values, shares, where="post", **look)
        shown_treatments.append(treatment)
        low, middle, high = map(shown, np.quantile(values, (0.25, 0.5, 0.75)).tolist())
        sentences.append(
            f"{treatment}: {counted(len(values), 'person')}, "
            f"median {middle}, quartiles {low} and {high}"
        )
    panel.set_xlabel(drawing.broken(labelled(name, unit), int(width * _LETTERS)))
    panel.set_ylabel("share of people")
    drawing.keyed_above(canvas, lines, shown_treatments)
    title = f"{worded(name).capitalize()} of people"
    several = "Values are sums over a person's plays. " if len(sums) < len(people) else ""
    words = f"{several}Share of people with at most this value; {'; '.join(sentences)}."
    return _figure(canvas, spread, f"people_{name}", title, words, "measures_people")


@drawing.on_paper
def lasting(
    survival: pd.DataFrame, seen: pd.DataFrame, treatments: Sequence[str], width: float = WIDTH
) -> Figure:
    """Draw the share of groups that survived, by period (Kaplan-Meier), with its interval shaded.

    `survival` and `seen` are the results of the functions with these names in `courses`.
    """
    canvas, (panel,) = drawing.canvas(width, 58)
    lines, shown_treatments, sentences = [], [], []
    for number, treatment, groups in _parts(seen, treatments):
        ends = survival[survival["treatment"] == treatment]
        periods = np.array([0.0, *ends["duration"], groups["duration"].max()])
        share = np.array([1.0, *ends["share"], [1.0, *ends["share"]][-1]])
        look = drawing.style(number)
        low, high = (np.array([np.nan, *ends[end], np.nan]) for end in ("low", "high"))
        _shade(panel, periods, low, high, look, step="post")
        lines += panel.step(periods, share, where="post", **{**look, "marker": ""})
        shown_treatments.append(treatment)
        sentences.append(
            f"{treatment}: {share[-1]:.0%} of {counted(len(groups), 'group')} at the end"
        )
    panel.set_ylabel("share of groups that lasted")
    panel.set_ylim(-0.03, 1.05)
    drawing.by_period(panel)
    drawing.keyed_above(canvas, lines, shown_treatments)
    shaded = " Shaded: 95% interval." if survival["low"].notna().any() else ""
    words = f"Kaplan-Meier estimates; {'; '.join(sentences)}.{shaded}"
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
    """Yield the number, the name and the rows of every treatment that has rows."""
    for number, treatment in enumerate(treatments):
        rows = frame[frame["treatment"] == treatment]
        if len(rows):
            yield number, treatment, rows


def _shade(panel: Axes, x: Any, low: Any, high: Any, look: dict[str, Any], **options: Any) -> None:
    """Shade an interval in its line's colour."""
    panel.fill_between(x, low, high, color=look["color"], alpha=0.16, linewidth=0, **options)


def _apart(values: Array) -> Array:
    """Return vertical offsets that separate dots with nearly equal values.

    Each dot takes the first of five offsets that is free or, if none is, the offset that was used
    longest ago.
    """
    heights = (0.0, 0.15, -0.15, 0.3, -0.3)
    distance = 0.05 * float(np.ptp(values)) if len(values) else 0.0
    last = dict.fromkeys(heights, -np.inf)
    offsets = np.zeros(len(values))
    for dot in np.argsort(values, kind="stable"):
        free = [height for height in heights if values[dot] - last[height] > distance]
        offsets[dot] = free[0] if free else min(heights, key=lambda height: last[height])
        last[offsets[dot]] = values[dot]
    return offsets


# -- a specification curve -------------------------------------------------------------------------


@drawing.on_paper
def curve(multiverse: Multiverse, width: float = WIDTH) -> tuple[str, bytes]:
    """Draw a specification curve and return it as SVG and PDF.

    Effects are in ascending order, with filled circles if p is at most alpha. Dots below show the
    choices.
    """
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
    below.set_xlabel("analyses, in order of effect")
    svg, pdf = drawing.rendered(canvas)
    return svg, pdf()


def _choices(axes: Axes, x: Array, y: Array, filled: Array) -> None:
    """Draw circles, which are filled if the test is significant."""
    colour = drawing.COLOURS[0]
    faces = [colour if significant else "#ffffff" for significant in filled]
    axes.scatter(x, y, s=14, c=faces, edgecolors=colour, linewidths=0.8, zorder=3)
