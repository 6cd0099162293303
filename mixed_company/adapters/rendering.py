"""Pictures of a play's current state for the render modes, as text and as pixels.

They show the whole state, most of which seats cannot see. For a play that people can watch, use
`mixed replay --html`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from gymnasium.error import DependencyNotInstalled

from mixed_company.engine.contract.errors import ConfigError, nearest, short
from mixed_company.engine.contract.space import Array
from mixed_company.engine.play.episode import Episode

MODES = ("ansi", "rgb_array")
_SIZE = (9.6, 4.8)  # inches, of 100 pixels


def check_mode(mode: str | None) -> str | None:
    """Return a render mode. Raises ConfigError if it is unknown."""
    if mode is not None and mode not in MODES:
        raise ConfigError(f"render_mode = {short(mode)}: unknown{nearest(mode, MODES)}")
    return mode


def rendered(mode: str | None, play: Episode, points: Sequence[Array]) -> Any:
    """Return a picture of the current state; None if there is no mode.

    `points` lists the points of all seats in each period so far, (n,).
    """
    if mode is None:
        return None
    total = np.sum(points, axis=0) if len(points) else np.zeros(play.game.seats)
    written = text(play, total)
    return written if mode == "ansi" else _pixels(written, points, play.game.seats)


def text(play: Episode, total: Array) -> str:
    """Return the state as text: individual values, a table of seats with their points, and maps."""
    game = play.game
    over = f", over: {play.reason}" if play.done else ""
    lines = [f"{game.id}, period {play.period} of {game.horizon}{over}"]
    columns = [("points", total)]
    later: list[str] = []
    for field in game.declaration.state[2:]:  # after `period` and `reason`
        value = np.asarray(play.state[field.name])
        if not field.shape:
            lines.append(f"{field.name} {_number(value)} {field.unit}".rstrip())
        elif field.shape == (game.seats,) and not field.common:
            columns.append((field.name, value))
        elif not field.bulk:
            later += [f"{field.name}:", *_rows(value)]
        elif field.kind == "whole" and field.low == 0 and field.high < 10:
            later += [f"{field.name}:", *_map(value)]
    return "\n".join([*lines, *_table(columns), *later]) + "\n"


def _number(value: Any) -> str:
    return f"{float(value):.4g}"


def _table(columns: Sequence[tuple[str, Array]]) -> Iterator[str]:
    """Yield the rows of a table that has one row per seat."""
    yield "  ".join(["seat", *(name for name, _ in columns)])
    for seat in range(len(columns[0][1])):
        cells = (_number(values[seat]).rjust(len(name)) for name, values in columns)
        yield "  ".join([f"{seat:4}", *cells])


def _rows(values: Array) -> Iterator[str]:
    """Yield the rows of an array with one or two axes."""
    for row in np.reshape(values, (-1, values.shape[-1])):
        yield "  " + " ".join(_number(value).rjust(6) for value in row)


def _map(values: Array) -> Iterator[str]:
    """Yield the rows of maps, side by side, with one digit per cell."""
    for row in np.moveaxis(values, 0, 1):
        yield "  ".join("".join(map(str, cells)) for cells in row.tolist())


def _pixels(written: str, points: Sequence[Array], seats: int) -> Array:
    """Return an 8-bit image (height, width, 3) of the text next to a chart of the points so far."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        needed = "rgb_array needs matplotlib, from the `analysis` extra"
        raise DependencyNotInstalled(needed) from None
    figure = Figure(_SIZE, dpi=100)
    figure.text(0.01, 0.98, written, family="monospace", size=7, va="top")
    chart = figure.add_axes((0.64, 0.12, 0.34, 0.84))
    sums = np.cumsum([np.zeros(seats), *points], axis=0)
    for seat in range(seats):
        chart.plot(sums[:, seat], label=f"seat {seat}")
    chart.set(xlabel="period", ylabel="points so far")
    chart.legend(loc="upper left")
    canvas: Any = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()
