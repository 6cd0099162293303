"""One turn on the grids: positions, moves, windows and events.

The cells of all grids in all plays are numbered consecutively, so a few array operations move one
seat in every play. Only the seats need a loop, because each of them sees the moves of earlier
seats.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import ROUNDING, over_seats
from mixed_company.engine.contract.declaration import EventKind
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.punishment_vote.tables import EMPTY, Tables


def cell_of(tables: Tables, state: Arrays) -> Array:
    """Return the number of each seat's cell on its grid, batch + (n,)."""
    return np.asarray(state["row"] * tables.core.width + state["column"])


@lru_cache(maxsize=8)
def _first_cells(cells: int, grids: int, seats: int, batch: tuple[int, ...]) -> Array:
    plays = int(np.prod(batch, dtype=np.int64))
    grid = np.arange(seats) if grids > 1 else np.zeros(seats, dtype=np.int64)
    first: Array = (np.arange(plays)[:, None] * grids + grid) * cells
    first.flags.writeable = False
    return first.reshape(*batch, seats)


def first_cells(tables: Tables, batch: tuple[int, ...]) -> Array:
    """Return the number of the first cell of each seat's grid, counted over all plays, batch +
    (n,).
    """
    return _first_cells(tables.grid.cells, tables.grids, tables.core.seats, batch)


def around(tables: Tables, state: Arrays) -> Array:
    """Return the codes of the cells in each seat's window, batch + (n, side * side)."""
    cells = tables.windows[cell_of(tables, state)]
    cells += first_cells(tables, np.shape(state["level"]))[..., None]
    return state["grid"].reshape(-1).take(cells)


class Turn:
    """Grids during a turn. `grid` is changed in place; the other arguments are not."""

    def __init__(self, tables: Tables, grid: Array, state: Arrays, action: Array) -> None:
        self.tables = tables
        self.shape = np.shape(action)
        self.grid = grid
        self.first = first_cells(tables, self.shape[:-1])
        self.place = (cell_of(tables, state) + self.first).reshape(-1)
        self.step = tables.step_of[action].reshape(-1)
        self.taken = np.zeros(self.place.shape, dtype=np.int64)
        self.went = np.zeros(self.place.shape, dtype=np.bool_)
        self.play = np.arange(self.place.size // tables.core.seats) * tables.core.seats
        self.vote = tables.vote_of[action]
        self.level = state["level"]
        self.account = state["harm"]
        self.punished = np.zeros(self.shape)
        self.harm_paid = np.zeros(self.shape)

    def move(self, seat: Array) -> None:
        """Move one seat per play by its action, if possible; `seat` has the batch shape."""
        cells, tables = self.grid.reshape(-1), self.tables
        number = seat.reshape(-1)
        rows = self.play + number
        here = self.place[rows]
        target = here + self.step[rows]
        code = cells[target]
        free = tables.free[code]
        end = np.where(free, target, here)
        cells[here] = EMPTY
        cells[end] = tables.first_seat + number
        self.place[rows] = end
        self.taken[rows] = tables.kind_of[code]
        self.went[rows] = free

    @property
    def collected(self) -> Array:
        return self.taken.reshape(self.shape)

    def state(self) -> dict[str, Array]:
        """Return the next state. Call this after all seats have acted and all fields are set."""
        cell = self.place.reshape(self.shape) - self.first
        return {
            "grid": self.grid,
            "row": self.tables.grid.row_of[cell],
            "column": self.tables.grid.column_of[cell],
            "level": self.level,
            "harm": self.account,
            "punished": self.punished,
            "harm_paid": self.harm_paid,
            "collected": self.collected,
            "moved": self.went.reshape(self.shape),
            "vote": self.vote,
            "increases": over_seats(self.vote > 0).astype(np.float64),
            "decreases": over_seats(self.vote < 0).astype(np.float64),
        }


EVENT_KINDS: Mapping[str, EventKind] = {
    "conflict": EventKind(
        "a `seat` got the cell at `row`, `column` that `others` also tried to enter"
    ),
    "penalty": EventKind("a `seat` lost `points` to a punishment"),
    "vote": EventKind("the votes moved the punishment level from `from` to `to`", True),
}

Event = dict[str, Any]


def events(tables: Tables, before: Arrays, used: Arrays, after: Arrays) -> list[Event]:
    """Return the events of one turn in one play (`EVENT_KINDS`)."""
    happenings = [*_conflicts(tables, before, used, after)]
    for seat, points in enumerate(after["punished"].tolist()):
        if points > ROUNDING:
            happenings.append({"event": "penalty", "seat": seat, "points": points})
    if after["vote"].any() and abs(after["level"] - before["level"]) > ROUNDING:
        level = {"from": float(before["level"]), "to": float(after["level"])}
        happenings.append({"event": "vote", **level})
    return happenings


def _conflicts(tables: Tables, before: Arrays, used: Arrays, after: Arrays) -> Iterator[Event]:
    """Yield an event for each cell that several seats tried to enter and one did enter."""
    if tables.grids > 1:
        return  # each seat has its own grid
    steps = tables.step_of[used["action"]]
    wanted = cell_of(tables, before) + steps
    moved = after["moved"]
    for seat in np.flatnonzero(moved).tolist():
        others = np.flatnonzero((wanted == wanted[seat]) & (steps != 0) & ~moved)
        if others.size:
            row, column = divmod(int(wanted[seat]), tables.core.width)
            place = {"row": row, "column": column}
            yield {"event": "conflict", "seat": seat, "others": others.tolist(), **place}
