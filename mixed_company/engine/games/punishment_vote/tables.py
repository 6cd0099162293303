"""Lookup tables for the numbers of the punishment vote, and the grids of cells behind them.

A cell of a grid holds a code: 0 empty, 1 wall, then one per kind of resource, then one per seat. A
seat's collected resource is 0 (nothing) or 1 + kind.

Cells are numbered row by row: cell = row * width + column. The outermost cells are walls, so no
step leaves the grid, and cell 0, a corner, can represent everything beyond the edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.core import ACTIONS, VoteCore


@dataclass(frozen=True)
class Grid:
    """A grid of `height` x `width` cells, walls included."""

    height: int
    width: int

    @property
    def cells(self) -> int:
        return self.height * self.width

    @property
    def shape(self) -> tuple[int, int]:
        return (self.height, self.width)

    @property
    def steps(self) -> tuple[int, int, int, int]:
        """Changes in the cell number for a step up, down, left or right."""
        return (-self.width, self.width, -1, 1)

    @cached_property
    def row_of(self) -> Array:
        return np.repeat(np.arange(self.height), self.width)

    @cached_property
    def column_of(self) -> Array:
        return np.tile(np.arange(self.width), self.height)

    @cached_property
    def inside(self) -> Array:
        """Numbers of the cells that are not walls."""
        numbers = np.arange(self.cells).reshape(self.height, self.width)
        return numbers[1:-1, 1:-1].ravel()

    @cached_property
    def wall(self) -> Array:
        """Flags (height, width) of the walls."""
        flags = np.ones(self.cells, dtype=np.bool_)
        flags[self.inside] = False
        return flags.reshape(self.height, self.width)

    @lru_cache(maxsize=16)  # noqa: B019  grids are values, and equal ones share the table
    def windows(self, vision: int) -> Array:
        """Return the numbers of the cells around each cell, row by row: (cells, (2 vision + 1)^2).

        Cell 0, a wall, represents everything beyond the edge.
        """
        reach = np.arange(-vision, vision + 1)
        rows = np.arange(self.height)[:, None, None, None] + reach[:, None]
        columns = np.arange(self.width)[:, None, None] + reach
        on_it = (rows >= 0) & (rows < self.height) & (columns >= 0) & (columns < self.width)
        numbers = np.where(on_it, rows * self.width + columns, 0)
        windows = cast(Array, numbers.reshape(self.cells, reach.size**2))
        windows.flags.writeable = False
        return windows

    @lru_cache(maxsize=16)  # noqa: B019  as above
    def in_view(self, vision: int) -> Array:
        """Return flags for the cells in the window around each cell, shape (cells, cells)."""
        near = (
            np.abs(numbers[:, None] - numbers) <= vision
            for numbers in (self.row_of, self.column_of)
        )
        flags = np.logical_and(*near)
        flags.flags.writeable = False
        return cast(Array, flags)


def one_hot(codes: Array, kinds: int) -> Array:
    """Return codes 0 .. kinds - 1 as one-hot rows of length `kinds`, on a new last axis (int8)."""
    return _rows(kinds).take(codes, mode="clip").view(np.int8).reshape(*codes.shape, kinds)


@lru_cache(maxsize=16)
def _rows(kinds: int) -> Array:
    rows: Array = np.eye(kinds, dtype=np.int8).view(f"V{kinds}").ravel()
    return rows


def replaced(old: Array, new: Array | np.int8, where: Array) -> Array:
    """Return the old 8-bit integers, replaced by the new ones where flagged.

    This is eight times as fast as `numpy.where`.
    """
    return np.asarray(old ^ ((old ^ new) & -where.view(np.int8)))


EMPTY, WALL, FIRST_RESOURCE = 0, 1, 2


class Tables:
    """Lookup tables for one configuration."""

    def __init__(self, core: VoteCore) -> None:
        self.core = core
        self.grid = Grid(core.height, core.width)
        self.grids = 1 if core.worlds == "shared" else core.seats
        self.first_seat = FIRST_RESOURCE + len(core.resources)
        self.codes = self.first_seat + core.seats

    @property
    def names(self) -> list[str]:
        """Name of each code."""
        seats = [f"seat {seat}" for seat in range(self.core.seats)]
        return ["empty", "wall", *self.core.resources, *seats]

    @cached_property
    def step_of(self) -> Array:
        """Action -> change in the cell number."""
        names = ACTIONS[self.core.actions]
        steps = dict(zip(("up", "down", "left", "right"), self.grid.steps, strict=True))
        return np.array([steps.get(name.split("_")[0], 0) for name in names])

    @cached_property
    def vote_of(self) -> Array:
        """Action -> 1 (increase), -1 (decrease) or 0."""
        votes = {"increase": 1, "decrease": -1}
        return np.array([votes.get(name.split("_")[-1], 0) for name in ACTIONS[self.core.actions]])

    @cached_property
    def kind_of(self) -> Array:
        """Code of a cell -> 1 + kind of the resource there, else 0."""
        kinds = np.zeros(self.codes, dtype=np.int64)
        kinds[FIRST_RESOURCE : self.first_seat] = 1 + np.arange(len(self.core.resources))
        return kinds

    @cached_property
    def free(self) -> Array:
        """Code of a cell -> whether a seat can enter it."""
        return np.asarray((self.kind_of > 0) | (np.arange(self.codes) == EMPTY))

    @cached_property
    def value_of(self) -> Array:
        """Collected -> points for the collector."""
        return np.array([0.0, *(resource.value for resource in self.core.resources.values())])

    @cached_property
    def harm_of(self) -> Array:
        """Collected -> points that each other seat loses."""
        return np.array([0.0, *(resource.harm for resource in self.core.resources.values())])

    @property
    def most_harm(self) -> float:
        """Largest harm that the others can do to a seat in a turn.

        With sequential timing, it can be twice as much, because a seat pays two accounts in the
        last turn.
        """
        return float(self.harm_of.max()) * (self.core.seats - 1)

    @cached_property
    def penalty_of(self) -> Array:
        """Collected -> size of the punishment: the magnitude if it is taboo, else 0."""
        return np.array([0.0, *self.core.penalties])

    @cached_property
    def windows(self) -> Array:
        """Numbers (cells, side * side) of the cells around each cell; beyond the edge, a wall's
        number.
        """
        return self.grid.windows(self.core.vision)

    @cached_property
    def in_view(self) -> Array:
        """Flags (cells, cells) for the cells that a seat sees from each cell."""
        return self.grid.in_view(self.core.vision)

    @cached_property
    def cumulated(self) -> Array:
        """Cumulative probabilities (kinds,) of the kinds, from their weights; the last is 1."""
        weights = np.array(list((self.core.spawn_weights or {}).values()))
        total = np.cumsum(weights)
        return np.asarray(total / total[-1])

    @cached_property
    def spawn_ends(self) -> Array:
        """Upper bounds, by kind, of the 32-bit random numbers for which a cell gets that kind."""
        ends = self.core.spawn_probability * self.cumulated * 2.0**32
        return np.array([round(end) for end in ends], dtype=np.uint64)

    @cached_property
    def own_first(self) -> Array:
        """Seat numbers (n, n): row i is i, then the other seats by number."""
        seats = range(self.core.seats)
        return np.array([[i, *(j for j in seats if j != i)] for i in seats])
