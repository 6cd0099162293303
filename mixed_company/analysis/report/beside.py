"""Draw an export's means by period next to published means."""

from __future__ import annotations

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from mixed_company.analysis.published import Comparison
from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.parts import labelled


@drawing.on_paper
def beside(comparison: Comparison, measure: str, unit: str, width: float = WIDTH) -> str:
    """Return an SVG with a line for each treatment and a dotted line for each condition.

    A mean over several periods is drawn as a horizontal line across these periods.
    """
    sheet, (axes,) = drawing.canvas(width, 75)
    table = comparison.table[comparison.table["measure"] == measure]
    lines, names, conditions = [], [], dict[str, Any]()
    for number, (treatment, rows) in enumerate(table.groupby("treatment", sort=False)):
        look = {**drawing.style(number), "linestyle": "-"}
        lines += _line(axes, rows, "mean", look)
        names.append(str(treatment))
        for condition, published in rows.groupby("condition", sort=False):
            conditions.setdefault(str(condition), (published, look))
    for condition, (rows, look) in conditions.items():
        dotted = {**look, "linestyle": ":", "markerfacecolor": "white"}
        lines += _line(axes, rows, "published", dotted)
        names.append(f"published: {condition}")
    axes.set_title(drawing.broken(f"{comparison.study.title}, {comparison.sample}", 60))
    drawing.by_period(axes)
    axes.set_ylabel(drawing.broken(labelled(measure, unit), 32))
    drawing.keyed_above(sheet, lines, names)
    return drawing.rendered(sheet)[0]


def _line(axes: Axes, rows: pd.DataFrame, column: str, look: dict[str, Any]) -> list[Any]:
    """Draw the values of individual periods or, if there are none, the mean over periods."""
    single = rows[~rows["period"].str.contains("-")]
    if single.empty:
        first, last = map(int, rows["period"].iloc[0].split("-"))
        level = [rows[column].iloc[0]] * 2
        return list(axes.plot([first, last], level, **look))
    return list(axes.plot(single["period"].astype(int), single[column], **look))
