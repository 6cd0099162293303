"""One group: who sat where and what happened, period by period, as tables and as one figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from mixed_company.analysis import games
from mixed_company.analysis.data import Data
from mixed_company.analysis.games import POINTS, Quantity
from mixed_company.analysis.report import drawing
from mixed_company.analysis.report.parts import Figure, from_one, function_name, shown
from mixed_company.engine.contract.space import Array
from mixed_company.table.export import columns

__all__ = ["drawn", "figure", "occupancy", "quantities"]

MEAN = "mean of seats"
MOST_LINES = 7
"""More seats than these are drawn as a map of greys: lines would not be told apart."""


def occupancy(data: Data) -> pd.DataFrame:
    """One row per occupancy of a seat: the `seats` table, with the treatment of the group, and
    periods as people saw them."""
    treatment = data.groups[["session", "group", "treatment"]]
    seats = data.seats.drop(columns=["treatment", "group_id"], errors="ignore")
    rows = seats.merge(treatment, on=["session", "group"], how="left")
    return from_one(rows[["treatment", *seats.columns]])


def quantities(data: Data, session: str, group: int) -> Iterator[tuple[Quantity, pd.DataFrame]]:
    """What is drawn of a group: per quantity a frame of periods by seats, or by one column.

    What is 0 throughout, such as a contribution where there is no pool, is left out.
    """
    chosen = games.find(data.game_id).quantities or _of_any_game(data, session, group)
    for quantity in chosen:
        table = getattr(data, quantity.table)
        own = table[(table["session"] == session) & (table["group"] == group)]
        if quantity.table == "periods":
            wide = own.set_index("period")[[quantity.column]].astype(float)
        else:
            wide = _by_seat(own, quantity.column)
        if wide.fillna(0).to_numpy().any():
            yield quantity, wide.cumsum() if quantity.so_far else wide


def _by_seat(own: pd.DataFrame, column: str) -> pd.DataFrame:
    """A column of decisions as periods by seats; the mean where rows are there twice."""
    keys = ["period", "seat"]
    if own[keys].isna().to_numpy().any() or own.duplicated(keys).any():
        wide = own.pivot_table(index="period", columns="seat", values=column, dropna=False)
        return wide.astype(float)
    return own.set_index(keys)[column].astype(float).unstack("seat") + 0.0  # never -0.0


def _of_any_game(data: Data, session: str, group: int) -> list[Quantity]:
    """What was done in every action that is one number, and the points."""
    fields = data.game(session, group).declaration.actions
    there = [field.name for field in fields if f"used_{field.name}" in data.decisions]
    return [*(Quantity("decisions", f"used_{name}", name) for name in there), POINTS]


def drawn(data: Data) -> pd.DataFrame:
    """What the figures of the groups draw, one row per group, quantity, period and line.

    of       the line: `group`, `seat 0` and so on, or `mean of seats`
    period   as people saw it, from 1 on
    """
    texts: list[tuple[str, str, int, str, str]] = []
    periods, values = [], []
    for own in data.groups.to_dict("records"):
        treatment, session, group = own["treatment"], own["session"], own["group"]
        for quantity, wide in quantities(data.of_group(session, group), session, group):
            for of, line in _lines(quantity, wide).items():
                texts.append((treatment, session, group, quantity.title, of))
                periods.append(line.index.to_numpy() + 1)
                values.append(line.to_numpy())
    names = ["treatment", "session", "group", "quantity", "of"]
    lengths = [len(line) for line in values]
    table = pd.DataFrame(texts, columns=names)
    table = table.loc[table.index.repeat(lengths)].reset_index(drop=True)
    return table.assign(period=_joined(periods), value=_joined(values))


def _joined(parts: list[Array]) -> Array:
    return np.concatenate(parts) if parts else np.array([])


def _lines(quantity: Quantity, wide: pd.DataFrame) -> dict[str, pd.Series[Any]]:
    if quantity.table == "periods":
        return {"group": wide.iloc[:, 0]}
    seats = {f"seat {seat}": wide[seat] for seat in wide.columns}
    return {**seats, MEAN: wide.mean(axis=1)}


@drawing.on_paper
def figure(data: Data, session: str, group: int, name: str) -> Figure:
    """The figure of a group: its main quantities by period, and who sat where, below."""
    series = list(quantities(data, session, group))
    seats = data.seats[(data.seats["session"] == session) & (data.seats["group"] == group)]
    n = int(seats["seat"].max()) + 1 if len(seats) else 1
    canvas, axes = drawing.stacked([*(1.1 for _ in series), 0.1 + 0.18 * n])
    for place, (quantity, wide) in zip(axes[:-1], series, strict=True):
        _one(place, quantity, wide, _unit(data, session, group, quantity))
    _seated(axes[-1], seats, n)
    axes[-1].set_xlabel("period")
    axes[-1].xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    by_seat = any(
        0 < wide.shape[1] <= MOST_LINES for quantity, wide in series if quantity.table != "periods"
    )
    if by_seat:
        lines = [axes[-1].plot([], [], **drawing.style(seat))[0] for seat in range(n)]
        names = [f"seat {seat}" for seat in range(n)]
        drawing.keyed(canvas, lines, names, loc="upper center", ncols=min(n, 7))
    svg, pdf = drawing.rendered(canvas)
    printed = pdf()  # now: what it is made from is megabytes, and there are many groups
    title = f"Session {session}, group {group}, period by period"
    words = _in_words(series, seats)
    tables = ("group_series", "occupancy")
    return Figure(name, title, words, function_name(figure), tables, svg, lambda: printed)


def _one(axes: Axes, quantity: Quantity, wide: pd.DataFrame, unit: str) -> None:
    axes.set_title(quantity.title)
    axes.set_ylabel(unit)
    periods = wide.index.to_numpy() + 1
    marked: Any = {"markevery": max(1, len(periods) // 12)}
    if quantity.table == "periods":
        axes.plot(periods, wide.iloc[:, 0], color=drawing.INK, marker="o", **marked)
    elif wide.shape[1] > MOST_LINES:
        _map(axes, wide)
        return
    else:
        for number, seat in enumerate(wide.columns):
            axes.plot(periods, wide[seat], **drawing.style(number), **marked)
    if len(periods) > 1:
        axes.set_xlim(0.5, periods[-1] + 0.5)
    low, high = float(np.nanmin(wide.to_numpy())), float(np.nanmax(wide.to_numpy()))
    if low >= 0:
        axes.set_ylim(-0.04 * high, 1.08 * high)


def _map(axes: Axes, wide: pd.DataFrame) -> None:
    periods = wide.index.to_numpy() + 1
    extent = (periods[0] - 0.5, periods[-1] + 0.5, wide.shape[1] - 0.5, -0.5)
    values = np.ma.masked_invalid(wide.to_numpy().T)
    image = axes.imshow(values, aspect="auto", cmap="Greys", extent=extent, interpolation="none")
    axes.set_ylabel("seat")
    axes.grid(visible=False)
    axes.figure.colorbar(image, cax=axes.inset_axes((1.01, 0, 0.015, 1)))


_LOOK: Mapping[str, Mapping[str, Any]] = {
    "person": {"facecolor": "#ffffff", "hatch": ""},
    "policy": {"facecolor": "#b9c2ce", "hatch": "////"},
    "nobody": {"facecolor": "#ffffff", "hatch": "...."},
}


def _seated(axes: Axes, seats: pd.DataFrame, n: int) -> None:
    """Who sat where: a bar per occupancy."""
    axes.set_title("who sat where")
    for row in seats.to_dict("records"):
        length = row["until_period"] - row["since_period"] + 1
        if length > 0:
            axes.barh(
                row["seat"],
                length,
                left=row["since_period"] + 0.5,
                height=0.8,
                edgecolor=drawing.INK,
                linewidth=0.6,
                **_LOOK.get(row["occupant"], {}),
            )
    axes.set_yticks(range(n))
    axes.set_ylim(n - 0.4, -0.6)
    axes.set_ylabel("seat")
    axes.grid(visible=False)
    there = [kind for kind in _LOOK if kind in set(seats["occupant"])]
    patches = [Patch(edgecolor=drawing.INK, linewidth=0.6, **_LOOK[kind]) for kind in there]
    drawing.keyed(
        axes, patches, there, loc="lower right", bbox_to_anchor=(1, 1), ncols=3, borderaxespad=0
    )


def _unit(data: Data, session: str, group: int, quantity: Quantity) -> str:
    declared = columns(quantity.table, data.game(session, group))
    return next((column.unit for column in declared if column.name == quantity.column), "")


def _in_words(drawn: list[tuple[Quantity, pd.DataFrame]], seats: pd.DataFrame) -> str:
    """The figure in words."""
    sentences = []
    for quantity, wide in drawn:
        of, values = list(_lines(quantity, wide).items())[-1]
        first, last = (shown(float(values.iloc[at])) for at in (0, -1))
        mean = f", {of}" if of == MEAN else ""
        sentences.append(f"{quantity.title}{mean}: from {first} to {last}")
    kinds = seats.groupby("occupant")["seat"].nunique().to_dict()
    sentences.append("seats by occupant: " + ", ".join(f"{kind} {kinds[kind]}" for kind in kinds))
    return "; ".join(sentences) + "."
