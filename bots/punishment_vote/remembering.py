"""A map of a grid drawn from notes: what was seen, where, and when; and where to look again."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

__all__ = ["Map", "Notebook"]

_REACH = 15
_MOST = 100
"""A map reaches so far, beyond any window, and so many things are remembered: a decision has two
thousandths of a second, and notes are copied every turn."""


class Map(NamedTuple):
    """Codes of the cells around a seat, row by row; at its edge are walls."""

    codes: list[int]
    width: int
    top: int
    left: int

    def cell(self, row: int, column: int) -> int | None:
        """The number of a cell on this map; None if it lies beyond."""
        down, across = row - self.top, column - self.left
        inside = 0 <= across < self.width and 0 <= down < len(self.codes) // self.width
        return down * self.width + across if inside else None

    def place(self, cell: int) -> tuple[int, int]:
        """The row and the column of a cell on the grid."""
        return self.top + cell // self.width, self.left + cell % self.width


class Notebook:
    """How to keep and read such notes under one configuration.

    `seen`: "row column" -> [code, turn]. `been`: turn in which each lookout was last in view; the
    lookouts lie so that from them all of the grid can be seen.
    """

    def __init__(self, core: VoteCore) -> None:
        self.sight = core.vision
        self.shape = (core.height, core.width)
        self.first_seat = FIRST_RESOURCE + len(core.resources)
        side = max(2 * self.sight + 1, 5)
        rows, columns = (_lookouts(length - 2, side) for length in self.shape)
        self.lookouts = [(row, column) for row in rows for column in columns]

    def frame(self, at: tuple[int, int], reach: int) -> tuple[int, int, int, int]:
        """First and after-last row and column of the grid within reach."""
        (row, column), (height, width) = at, self.shape
        rows = max(row - reach, 0), min(row + reach + 1, height)
        return *rows, max(column - reach, 0), min(column + reach + 1, width)

    def visible(self, window: Array, at: tuple[int, int]) -> Array:
        """The part of a window that lies on the grid."""
        top, bottom, left, right = self.frame(at, self.sight)
        row, column = at[0] - self.sight, at[1] - self.sight
        return window[top - row : bottom - row, left - column : right - column]

    def noted(
        self, seen: Mapping[str, Any], visible: Array, at: tuple[int, int], turn: int, oldest: float
    ) -> dict[str, list[int]]:
        """What is remembered after a look: the new in place of the old, nothing before `oldest`."""
        top, bottom, left, right = self.frame(at, self.sight)
        kept = {}
        for key, (code, when) in seen.items():
            row, column = map(int, key.split())
            if when >= oldest and not (top <= row < bottom and left <= column < right):
                kept[key] = [code, when]
        where = np.nonzero((visible >= FIRST_RESOURCE) & (visible < self.first_seat))
        cells = zip(*(array.tolist() for array in (*where, visible[where])), strict=True)
        kept |= {f"{top + row} {left + column}": [code, turn] for row, column, code in cells}
        return dict(list(kept.items())[-_MOST:])

    def drawn(self, seen: Mapping[str, Any], visible: Array, at: tuple[int, int]) -> Map:
        """What is in view, else what is remembered, else empty."""
        top, bottom, left, right = self.frame(at, _REACH)
        section = np.full((bottom - top, right - left), EMPTY)
        for key, (code, _) in seen.items():
            row, column = map(int, key.split())
            if top <= row < bottom and left <= column < right:
                section[row - top, column - left] = code
        row, after, column, beyond = self.frame(at, self.sight)
        section[row - top : after - top, column - left : beyond - left] = visible
        section[[0, -1]] = WALL
        section[:, [0, -1]] = WALL
        return Map(section.ravel().tolist(), right - left, top, left)

    def looked(self, been: list[int], at: tuple[int, int], turn: int) -> list[int]:
        """When each lookout was last in view, after a look."""
        top, bottom, left, right = self.frame(at, self.sight)
        return [
            turn if top <= row < bottom and left <= column < right else when
            for (row, column), when in zip(self.lookouts, been, strict=True)
        ]

    def longest_unseen(self, been: list[int], at: tuple[int, int], turn: int) -> tuple[int, int]:
        """The lookout with the most turns since it was in view per step to go."""

        def due(number: int) -> float:
            row, column = self.lookouts[number]
            return (turn - been[number]) / (abs(row - at[0]) + abs(column - at[1]) + 1)

        return self.lookouts[max(range(len(been)), key=due)]


def _lookouts(length: int, side: int) -> list[int]:
    """Middles of so few equal parts of a length that none is longer than a window's side."""
    parts = ceil(length / side)
    return [1 + (2 * part + 1) * length // (2 * parts) for part in range(parts)]
