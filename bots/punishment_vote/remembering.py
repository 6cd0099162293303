"""A map of the grid, drawn from notes about the resources that a seat has seen.

Lookouts are cells that together give a view of the entire grid.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

_REACH = 15
_MOST = 100
"""Maximum number of remembered resources. `_REACH` is how far a map reaches in each direction.

Both are limited because a decision may take at most 2 ms, and notes are copied every turn.
"""


class Map(NamedTuple):
    """Codes of the cells around a seat, row by row; the edge cells are walls."""

    codes: list[int]
    width: int
    top: int
    left: int

    def cell(self, row: int, column: int) -> int | None:
        """Return the index of a cell on this map; None if it is outside."""
        down, across = row - self.top, column - self.left
        inside = 0 <= across < self.width and 0 <= down < len(self.codes) // self.width
        return down * self.width + across if inside else None

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and column of a cell on the grid."""
        return self.top + cell // self.width, self.left + cell % self.width


class Notebook:
    """Notes of a seat under one configuration: how to update them, and how to draw a map.

    `seen`: "row column" -> [code, turn]. `been`: the turn in which each lookout was last in view.
    """

    def __init__(self, core: VoteCore) -> None:
        self.sight = core.vision
        self.shape = (core.height, core.width)
        self.first_seat = FIRST_RESOURCE + len(core.resources)
        side = max(2 * self.sight + 1, 5)
        rows, columns = (_lookouts(length - 2, side) for length in self.shape)
        self.lookouts = [(row, column) for row in rows for column in columns]

    def frame(self, position: tuple[int, int], reach: int) -> tuple[int, int, int, int]:
        """Return the rows and columns of the grid within reach, as (first, end, first, end)."""
        (row, column), (height, width) = position, self.shape
        rows = max(row - reach, 0), min(row + reach + 1, height)
        return *rows, max(column - reach, 0), min(column + reach + 1, width)

    def visible(self, window: Array, position: tuple[int, int]) -> Array:
        """Return the part of a window that lies on the grid."""
        top, bottom, left, right = self.frame(position, self.sight)
        row, column = position[0] - self.sight, position[1] - self.sight
        return window[top - row : bottom - row, left - column : right - column]

    def noted(
        self,
        seen: Mapping[str, Any],
        visible: Array,
        position: tuple[int, int],
        turn: int,
        oldest: float,
    ) -> dict[str, list[int]]:
        """Return `seen` after replacing cells in view and dropping entries older than `oldest`."""
        top, bottom, left, right = self.frame(position, self.sight)
        kept = {}
        for key, (code, when) in seen.items():
            row, column = map(int, key.split())
            if when >= oldest and not (top <= row < bottom and left <= column < right):
                kept[key] = [code, when]
        where = np.nonzero((visible >= FIRST_RESOURCE) & (visible < self.first_seat))
        cells = zip(*(array.tolist() for array in (*where, visible[where])), strict=True)
        kept |= {f"{top + row} {left + column}": [code, turn] for row, column, code in cells}
        return dict(list(kept.items())[-_MOST:])

    def drawn(self, seen: Mapping[str, Any], visible: Array, position: tuple[int, int]) -> Map:
        """Return the map: each cell as now in view, else as remembered, else empty."""
        top, bottom, left, right = self.frame(position, _REACH)
        section = np.full((bottom - top, right - left), EMPTY)
        for key, (code, _) in seen.items():
            row, column = map(int, key.split())
            if top <= row < bottom and left <= column < right:
                section[row - top, column - left] = code
        row, after, column, beyond = self.frame(position, self.sight)
        section[row - top : after - top, column - left : beyond - left] = visible
        section[[0, -1]] = WALL
        section[:, [0, -1]] = WALL
        return Map(section.ravel().tolist(), right - left, top, left)

    def looked(self, been: list[int], position: tuple[int, int], turn: int) -> list[int]:
        """Return `been`, with this turn entered for the lookouts in view."""
        top, bottom, left, right = self.frame(position, self.sight)
        return [
            turn if top <= row < bottom and left <= column < right else when
            for (row, column), when in zip(self.lookouts, been, strict=True)
        ]

    def longest_unseen(
        self, been: list[int], position: tuple[int, int], turn: int
    ) -> tuple[int, int]:
        """Return the row and column of the lookout with the most turns out of view per step of
        distance.
        """

        def due(number: int) -> float:
            row, column = self.lookouts[number]
            return (turn - been[number]) / (abs(row - position[0]) + abs(column - position[1]) + 1)

        return self.lookouts[max(range(len(been)), key=due)]


def _lookouts(length: int, side: int) -> list[int]:
    """Divide a length into the fewest equal parts that each fit in a window; return their
    midpoints.
    """
    parts = ceil(length / side)
    return [1 + (2 * part + 1) * length // (2 * parts) for part in range(parts)]
