"""Grids of cells: steps between cells, windows around cells, and one-hot arrays.

Cells are numbered row by row: cell = row * width + column. The outermost cells are walls, so that
no step leaves the grid, and cell 0, a corner, can represent everything beyond the edge.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import cast

import numpy as np

from mixed_company.engine.contract.space import Array


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
    """Return the old 8-bit integers, with the new ones where flagged.

    This is eight times as fast as `numpy.where`.
    """
    return np.asarray(old ^ ((old ^ new) & -where.view(np.int8)))
