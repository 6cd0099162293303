"""A group's tables and figure: who occupied its seats and what they decided, period by period."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch

from mixed_company.analysis import games
from mixed_company.analysis.data import GROUP, SEAT, Data
from mixed_company.analysis.games import POINTS, Quantity
from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.parts import Figure, from_one, function_name, shown
from mixed_company.engine.game import Game
from mixed_company.table.export import columns

MOST_GROUPS = 300
"""Maximum number of groups that get a section each. With more, the page would take many
megabytes."""
MEAN = "mean of seats"
MOST_LINES = 7
"""Maximum number of seats that are drawn as lines. More seats are drawn as a greyscale map."""


def occupancy(data: Data) -> pd.DataFrame:
    """Return the `seats` table with treatments and with periods counted from 1."""
    seats = data.seats.drop(columns=["treatment", "group_id"], errors="ignore")
    rows = seats.merge(data.groups[[*GROUP, "treatment"]], on=GROUP, how="left")
    return from_one(rows[["treatment", *seats.columns]])


def answers(data: Data) -> pd.DataFrame:
    """Return every answer that is a number or a choice, with the correct value and the points won.

    Periods count from 1. Texts are left out because they can identify their authors.
    """
    shown = [*GROUP, "seat", "when", "period", "question", "value", "truth", "error", "points"]
    if data.answers is None:
        return pd.DataFrame(columns=shown)
    chosen = data.answers.loc[data.answers["type"] != "text", shown]
    return from_one(chosen).sort_values([*GROUP, "seat"], kind="stable")


# -- quantities by period --------------------------------------------------------------------------


def quantities(data: Data) -> list[tuple[Quantity, pd.DataFrame]]:
    """Return the quantities to draw for one group, each as a frame with one row per period and one
    column per seat, or a single column for the group.

    Quantities that are always 0 are left out, such as contributions in a game without a pool.
    """
    found_quantities = []
    for quantity in games.find(data.game_id).quantities or _of_any_game(data):
        table = getattr(data, quantity.table)
        if quantity.table == "periods":
            wide = table.set_index("period")[[quantity.column]].astype(float)
        else:
            wide = _by_seat(table, quantity.column)
        if wide.fillna(0).to_numpy().any():
            found_quantities.append((quantity, wide.cumsum() if quantity.so_far else wide))
    return found_quantities


def _by_seat(decisions: pd.DataFrame, column: str) -> pd.DataFrame:
    """Return a column of decisions as a frame with one row per period and one column per seat. If a
    seat has several rows in a period, they are averaged."""
    keys = ["period", "seat"]
    if decisions[keys].isna().to_numpy().any() or decisions.duplicated(keys).any():
        wide = decisions.pivot_table(index="period", columns="seat", values=column, dropna=False)
        return wide.astype(float)
    (periods, row), (seats, place) = (
        np.unique(decisions[key], return_inverse=True) for key in keys
    )
    values = np.full((len(periods), len(seats)), np.nan)
    values[row, place] = decisions[column].astype(float) + 0.0  # never -0.0
    return pd.DataFrame(values, pd.Index(periods, name="period"), pd.Index(seats, name="seat"))


def _of_any_game(data: Data) -> list[Quantity]:
    """Return a quantity for each action of the game, and one for the points."""
    names = [f"used_{field.name}" for field in _game(data).declaration.actions]
    used = [name for name in names if name in data.decisions]
    return [*(Quantity("decisions", name, name.removeprefix("used_")) for name in used), POINTS]


def _game(data: Data) -> Game[Any]:
    """Return the game of the data's first group."""
    return data.game(*data.config[GROUP].iloc[0])


def drawn(data: Data) -> pd.DataFrame:
    """Return the series in the groups' figures, with a row per group, quantity, line and period.

    of       what the line shows: `group`, `seat 0` and so on, or `mean of seats`
    period   counted from 1
    """
    columns = ["treatment", *GROUP, "quantity", "of", "period", "value"]
    texts, lines = [], []
    drawn_data = _drawn_only(data)
    for treatment, session, group in data.groups[columns[:3]].itertuples(index=False):
        for quantity, wide in quantities(drawn_data.of_group(session, group)):
            for name, line in _lines(quantity, wide).items():
                texts.append((treatment, session, group, quantity.title, name))
                lines.append(line)
    if not lines:
        return pd.DataFrame(columns=columns)
    table = pd.DataFrame(texts, columns=columns[:5])
    table = table.loc[table.index.repeat([len(line) for line in lines])].reset_index(drop=True)
    periods = np.concatenate([line.index.to_numpy() + 1 for line in lines])
    return table.assign(period=periods, value=np.concatenate(lines))


def _drawn_only(data: Data) -> Data:
    """Return only the columns that are drawn, because selecting a group's rows with all columns is
    slow."""
    chosen = games.find(data.game_id).quantities or _of_any_game(data)
    of_table = {
        name: [quantity.column for quantity in chosen if quantity.table == name]
        for name in ("decisions", "periods")
    }
    frames: dict[str, Any] = {
        "decisions": data.decisions[[*SEAT, "period", *dict.fromkeys(of_table["decisions"])]],
        "periods": data.periods[[*GROUP, "period", *dict.fromkeys(of_table["periods"])]],
        **{name: getattr(data, name).iloc[:0] for name in ("seats", "events", "outcomes")},
        **dict.fromkeys(("pairs", "answers", "messages", "journal")),
    }
    return replace(data, **frames)


def _lines(quantity: Quantity, wide: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    if quantity.table == "periods":
        return {"group": wide.iloc[:, 0]}
    seats = {f"seat {seat}": wide[seat] for seat in wide.columns}
    return {**seats, MEAN: wide.mean(axis=1)}


# -- the figure ------------------------------------------------------------------------------------


@drawing.on_paper
def figure(data: Data, name: str) -> Figure:
    """Draw a group's main quantities by period and, below them, who occupied its seats."""
    series, seats = quantities(data), data.seats
    session, group = data.config[GROUP].iloc[0]
    n = int(seats["seat"].max()) + 1 if len(seats) else 1
    canvas, axes = drawing.stacked([*(1.1 for _ in series), 0.1 + 0.18 * n])
    for panel, (quantity, wide) in zip(axes[:-1], series, strict=True):
        panel.set_title(quantity.title)
        declared = columns(quantity.table, _game(data))
        units = [column.unit for column in declared if column.name == quantity.column]
        panel.set_ylabel(units[0] if units else "")
        _draw_quantity(panel, quantity, wide)
    _draw_seats(axes[-1], seats, n)
    drawing.by_period(axes[-1])
    if any(0 < wide.shape[1] <= MOST_LINES for shown, wide in series if shown.table != "periods"):
        lines = [axes[-1].plot([], [], **drawing.style(seat))[0] for seat in range(n)]
        names = [f"seat {seat}" for seat in range(n)]
        drawing.keyed(canvas, lines, names, loc="upper center", ncols=min(n, 7))
    svg, pdf = drawing.rendered(canvas)
    printed = pdf()  # rendered now, because each unrendered figure takes megabytes
    title = f"Session {session}, group {group}, period by period"
    words = _in_words(series, seats)
    tables = ("group_series", "occupancy")
    return Figure(name, title, words, function_name(figure), tables, svg, lambda: printed)


def _draw_quantity(axes: Axes, quantity: Quantity, wide: pd.DataFrame) -> None:
    """Draw one line for the group, one line per seat, or, if there are many seats, a greyscale
    map."""
    periods = wide.index.to_numpy() + 1
    marked: Any = {"markevery": max(1, len(periods) // 12)}
    if quantity.table == "periods":
        axes.plot(periods, wide.iloc[:, 0], color=drawing.INK, marker="o", **marked)
    elif wide.shape[1] > MOST_LINES:
        extent = (periods[0] - 0.5, periods[-1] + 0.5, wide.shape[1] - 0.5, -0.5)
        values = np.ma.masked_invalid(wide.to_numpy().T)
        look: Any = {"aspect": "auto", "cmap": "Greys", "interpolation": "none"}
        image = axes.imshow(values, extent=extent, **look)
        axes.set_ylabel("seat")
        axes.grid(visible=False)
        axes.figure.colorbar(image, cax=axes.inset_axes((1.01, 0, 0.015, 1)))
        return
    else:
        for number, seat in enumerate(wide.columns):
            axes.plot(periods, wide[seat], **drawing.style(number), **marked)
    if len(periods) > 1:
        axes.set_xlim(0.5, periods[-1] + 0.5)
    low, high = float(np.nanmin(wide.to_numpy())), float(np.nanmax(wide.to_numpy()))
    if low >= 0:
        axes.set_ylim(-0.04 * high, 1.08 * high)


_LOOK: Mapping[str, Mapping[str, Any]] = {
    "person": {"facecolor": "#ffffff", "hatch": ""},
    "policy": {"facecolor": "#b9c2ce", "hatch": "////"},
    "nobody": {"facecolor": "#ffffff", "hatch": "...."},
}


def _draw_seats(axes: Axes, seats: pd.DataFrame, n: int) -> None:
    """Draw who occupied the seats, with one bar for each time that an occupant held a seat."""
    ink: Any = {"edgecolor": drawing.INK, "linewidth": 0.6}
    axes.set_title("occupants of seats")
    for row in seats.to_dict("records"):
        length, look = row["until_period"] - row["since_period"] + 1, _LOOK.get(row["occupant"], {})
        if length > 0:
            first = row["since_period"] + 0.5
            axes.barh(row["seat"], length, left=first, height=0.8, **ink, **look)
    axes.set_yticks(range(n))
    axes.set_ylim(n - 0.4, -0.6)
    axes.set_ylabel("seat")
    axes.grid(visible=False)
    kinds = [kind for kind in _LOOK if kind in set(seats["occupant"])]
    patches = [Patch(**ink, **_LOOK[kind]) for kind in kinds]
    position: Any = {"loc": "lower right", "bbox_to_anchor": (1, 1), "borderaxespad": 0}
    drawing.keyed(axes, patches, kinds, **position, ncols=3)


def _in_words(series: Sequence[tuple[Quantity, pd.DataFrame]], seats: pd.DataFrame) -> str:
    """Describe the figure in words."""
    sentences = []
    for quantity, wide in series:
        name, values = list(_lines(quantity, wide).items())[-1]
        first, last = (shown(float(values.iloc[end])) for end in (0, -1))
        mean = f", {name}" if name == MEAN else ""
        sentences.append(f"{quantity.title}{mean}: from {first} to {last}")
    kinds = seats.groupby("occupant")["seat"].nunique().to_dict()
    sentences.append("seats by occupant: " + ", ".join(f"{kind} {kinds[kind]}" for kind in kinds))
    return "; ".join(sentences) + "."
