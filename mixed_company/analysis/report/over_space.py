"""The part of a report about a space: its tables, figures and first screen."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from mixed_company.analysis.data import Data
from mixed_company.analysis.kept import Group
from mixed_company.analysis.planned import over_space
from mixed_company.analysis.planned.over_space import analysed
from mixed_company.analysis.report import drawing, markup
from mixed_company.analysis.report.drawing import WIDTH
from mixed_company.analysis.report.markup import Html, paragraph
from mixed_company.analysis.report.parts import (
    Figure,
    Shown,
    Table,
    function_name,
    labelled,
    worded,
)
from mixed_company.experiment.comparisons import listed
from mixed_company.experiment.plan import Plan
from mixed_company.experiment.space import Space

EFFECTS, HELD_OUT = "space_effects", "space_held_out"
PREDICTED, DESIGN = "space_predicted", "space_design"
INTERACTIONS = "space_interactions"
"""Names of the tables."""

POOLED = "all points"
"""Name of the treatment that contains all groups of a space, except in the section on the plan."""

TESTS = (
    "One test per hypothesis, in the regression on all variables of the space, with the point as "
    "the unit. P corrected: by Holm's method, over the hypotheses in the family named in the "
    "correction. Result: whether the test is significant, and in the expected direction or "
    "opposite to the hypothesis."
)
_EFFECTS = (
    "Least squares over all groups. Change: from the lowest to the highest value of a range, or "
    "from the first choice to another. Low, high: interval from HC3 errors by point; P is not "
    "corrected for multiple tests."
)
_INTERACTIONS = (
    "Exploratory: one regression on all variables and all pairwise products. Effect: how much the "
    "effect of one variable changes over the range of the other. P is not corrected for the number "
    "of interactions."
)
_HELD_OUT = (
    "Every point is predicted by a regression over the points in other folds. Error: root mean "
    "square of the played minus the predicted value. Error of constant: the same error if the mean "
    "of the other groups is used as the prediction. R2: "
    "1 minus the squared ratio of the two."
)
_DESIGN = "The points of the space, with the numbers and means of the groups in the regression."


def pooled(data: Data) -> Data:
    """Return the data with all points of a space as one treatment (in every block), because
    comparing individual points says little.
    """
    permuted = None if data.permuted is None else data.permuted.of("block")
    data = replace(data, permuted=permuted)
    blocks = dict.fromkeys(data.config["block"].fillna(""))
    config = str(data.config["session_config"].iloc[0])
    return data.named(
        {
            f"{POOLED}, {block}" if block else POOLED: [
                *(config, *([f"block={block}"] if block else [])),
            ]
            for block in blocks
        }
    )


def meaning(space: Space) -> str:
    """Return the meaning of the treatment that contains all groups of a space."""
    return f"{len(space.drawn)} points of a space of {listed(space.variables)}"


def tables(
    games: Sequence[Data], plan: Plan, space: Space, without: Collection[Group]
) -> tuple[list[Table], list[str]]:
    """Return the tables of the regressions, and sentences that explain how to read them."""
    fits = analysed(games, plan, space, without)
    listed_tables = [
        Table(
            *(EFFECTS, "Effects of the variables", over_space.effects(fits, 1 - plan.alpha)),
            *(function_name(over_space.effects), _EFFECTS),
        ),
        Table(
            *(HELD_OUT, "Predictions of held-out points", over_space.held_out(fits)),
            *(function_name(over_space.held_out), _HELD_OUT),
        ),
        Table(
            *(PREDICTED, "Groups as predicted and as played", over_space.predictions(fits)),
            function_name(over_space.predictions),
        ),
        Table(
            *(DESIGN, "Points of the space", over_space.design(fits, space)),
            *(function_name(over_space.design), _DESIGN),
        ),
    ]
    if space.interactions:
        products = over_space.interactions(fits, space, 1 - plan.alpha)
        about = (function_name(over_space.interactions), _INTERACTIONS)
        listed_tables.insert(
            1, Table(INTERACTIONS, "Interactions of the variables", products, *about)
        )
    return listed_tables, list(over_space.sentences(fits, space))


def shown(tables: Mapping[str, Table]) -> Shown:
    """Return the table of effects on the first hypothesis's measure."""
    table = tables[EFFECTS]
    first = table.frame["measure"] == table.frame["measure"].iloc[:1].squeeze()
    rows = [int(row) for row in table.frame.index[first]]
    columns = ("variable", "effect", "low", "high", "p")
    title = "".join(f"Effects on {worded(name)}" for name in table.frame["measure"].iloc[:1])
    return Shown(table, rows, columns, title=title or table.title)


def first_screen(
    tables: Mapping[str, Table], drawn: Mapping[str, Figure]
) -> tuple[list[Html], list[Html]]:
    """Return the two columns of the first screen. The first has the figure of effects and a
    sentence for each hypothesis. The second has the coefficients, the sentence about predictions,
    and the figure of predictions.
    """
    units = tables[EFFECTS].frame.groupby("measure")["unit"].first()
    left = _first(EFFECTS, drawn)
    for row in tables["hypotheses"].frame.to_dict("records"):
        unit = str(units.get(over_space.label_of(row), ""))
        left.append(paragraph(over_space.in_short(row, unit)))
    right = [markup.table(shown(tables))] if len(tables[EFFECTS].frame) else []
    predicted = tables[HELD_OUT].frame.to_dict("records")[:1]
    right += [paragraph(over_space.predicts(row)) for row in predicted]
    return left, right + _first(PREDICTED, drawn)


def _first(kind: str, drawn: Mapping[str, Figure]) -> list[Html]:
    """Return the first figure of a kind, if there is one."""
    return [markup.drawing(figure) for name, figure in drawn.items() if name.startswith(kind)][:1]


def figures(frames: Mapping[str, pd.DataFrame], width: float = WIDTH) -> Iterator[Figure]:
    """Yield, for each measure, the figure of effects and the figure of predictions. `frames` has
    the report's tables by name."""
    hypotheses = frames["hypotheses"]
    subjects = pd.Series([over_space.label_of(row) for row in hypotheses.to_dict("records")])
    for number, (measure, rows) in enumerate(frames[EFFECTS].groupby("measure", sort=False)):
        tested = set(hypotheses.loc[subjects.to_numpy() == measure, "variable"])
        yield effects(number, rows, tested, width)
    unit = frames[EFFECTS].groupby("measure")["unit"].first()
    for number, (measure, rows) in enumerate(frames[PREDICTED].groupby("measure", sort=False)):
        yield scatter(number, rows, str(unit[measure]), width)


@drawing.on_paper
def effects(
    number: int, rows: pd.DataFrame, tested: Collection[str], width: float = WIDTH
) -> Figure:
    """Draw the effect of every variable on a measure, with its interval and a line at zero.

    Squares are filled for the variables in `tested`, which have a hypothesis about this measure.
    """
    rows = rows[rows["variable"] != "intercept"]
    canvas, (panel,) = drawing.canvas(width, 18 + 9 * len(rows))
    panel.axvline(0, color=drawing.INK, linewidth=0.8, linestyle="--")
    for height, row in enumerate(rows.to_dict("records")):
        panel.plot([row["low"], row["high"]], [height] * 2, color=drawing.INK, linewidth=1.6)
        inside = drawing.INK if row["variable"] in tested else "#ffffff"
        look: Any = {"markerfacecolor": inside, "markeredgecolor": drawing.INK}
        panel.plot([row["effect"]], [height], marker="s", markersize=5, **look)
    names = [f"{row.variable}\n{row.change}" for row in rows.itertuples()]
    panel.set_yticks(range(len(rows)), names)
    panel.set_ylim(len(rows) - 0.5, -0.5)
    measure, unit = str(rows["measure"].iloc[0]), str(rows["unit"].iloc[0])
    panel.set_xlabel(drawing.broken(f"change in {labelled(measure, unit)}", int(width * 0.27)))
    words = (
        "Squares and lines: effects and their intervals; filled: a hypothesis tests this effect; "
        "dashed: no effect."
    )
    title = f"Effects on {worded(measure)}"
    svg, pdf = drawing.rendered(canvas)
    return Figure(f"{EFFECTS}_{number}", title, words, function_name(effects), (EFFECTS,), svg, pdf)


@drawing.on_paper
def scatter(number: int, rows: pd.DataFrame, unit: str, width: float = WIDTH) -> Figure:
    """Draw every group's actual value against the value predicted with its point held out."""
    canvas, (panel,) = drawing.canvas(width, 70)
    values = rows[["predicted", "played"]].to_numpy()
    ends = [float(values.min()), float(values.max())]
    panel.plot(ends, ends, color=drawing.INK, linewidth=0.8, linestyle="--")
    look: Any = {"markerfacecolor": "none", "markeredgecolor": drawing.COLOURS[0], "markersize": 4}
    panel.plot(rows["predicted"], rows["played"], linestyle="", marker="o", **look)
    measure = str(rows["measure"].iloc[0])
    panel.set_xlabel(f"predicted, held out ({unit})" if unit else "predicted, held out")
    panel.set_ylabel(drawing.broken(f"played: {labelled(measure, unit)}", 32))
    words = "Circles: groups. A group on the dashed line did exactly what was predicted."
    title = f"Predicted and played {worded(measure)}"
    svg, pdf = drawing.rendered(canvas)
    return Figure(
        f"{PREDICTED}_{number}", title, words, function_name(scatter), (PREDICTED,), svg, pdf
    )
