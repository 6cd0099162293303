"""The cells around seats, reconstructed from their observations, and the gains from steps.

Policies and models of people use this module to read observations for K seats at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.core import ACTIONS, MOVES, VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

BLOCKED = -np.inf


class Around(NamedTuple):
    """Cells around K seats, (K, C), row by row and framed by walls.

    `here` is the number of the middle cell, where the seat is; `sight` is the number of cells in
    view in each direction.
    """

    codes: Array
    width: int
    here: int
    sight: int

    def ahead(self, moves: Array, steps: int = 1) -> Array:
        """Return the cells this many steps up, down, left or right (0 .. 3)."""
        return np.asarray(self.here + steps * np.array((-self.width, self.width, -1, 1))[moves])

    def at(self, cells: Array) -> Array:
        """Return the codes (K, ...) at these cells (K, ...); each seat has a row."""
        rows = np.arange(len(self.codes)).reshape(-1, *[1] * (cells.ndim - 1))
        return np.asarray(self.codes[rows, cells])

    def of(self, rows: Array) -> Around:
        """Return the cells around some of the seats."""
        return self._replace(codes=self.codes[rows])

    @property
    def far(self) -> Array:
        """Distances (C, C) between cells in steps, disregarding obstacles."""
        down, across = np.divmod(np.arange(self.codes.shape[1]), self.width)
        steps: Array = np.abs(down[:, None] - down) + np.abs(across[:, None] - across)
        return steps


def own_window(seen: Mapping[str, Array]) -> Array:
    """Return the codes (K, side, side) of the cells around each seat."""
    window = seen["window"]
    window = window[:, 0] if window.ndim == 5 else window
    if window.dtype != np.int8:
        return np.asarray(window.argmax(-1).astype(np.int8))
    codes = np.zeros(window.shape[:-1], dtype=np.int8)
    for code in range(1, window.shape[-1]):  # at most one is set; faster than argmax
        codes += np.int8(code) * window[..., code]
    return codes


def place(seen: Mapping[str, Array]) -> Array:
    """Return the rows and columns (K, 2) of the seats; both NaN if either is not shown."""
    row, column = seen["row"], seen["column"]
    both = np.empty((len(row), 2))
    both[:, 0], both[:, 1] = row, column
    both[np.isnan(row) | np.isnan(column)] = np.nan
    return both


def seen_around(seen: Mapping[str, Array], rules: VoteCore) -> Around:
    """Return the cells in the window of each seat.

    Without vision these are the four neighbours: walls if the seat's position implies them, else
    empty.
    """
    if rules.vision > 0:
        window = own_window(seen)
        count, width = len(window), window.shape[1] + 2
        framed = np.full((count, width, width), WALL, dtype=np.int8)
        framed[:, 1:-1, 1:-1] = window
        return Around(framed.reshape(count, -1), width, width * width // 2, rules.vision)
    row, column = place(seen).T
    codes = np.full((len(row), 9), EMPTY, dtype=np.int8)
    ends = (row <= 1, row >= rules.height - 2, column <= 1, column >= rules.width - 2)
    for cell, end in zip((1, 7, 3, 5), ends, strict=True):
        codes[:, cell] = np.where(end, WALL, EMPTY)
    return Around(codes, 3, 4, 1)


def gained(codes: Array, worths: Array) -> Array:
    """Return the gains (K, m) for entering cells, given their codes and each kind's worth (K,
    kinds).

    Cells that no seat can enter are `BLOCKED`.
    """
    count, kinds = worths.shape
    codes_count = max(FIRST_RESOURCE + kinds, int(codes.max(initial=0))) + 1
    by_code = np.full((count, codes_count), BLOCKED)
    by_code[:, EMPTY] = 0.0
    by_code[:, FIRST_RESOURCE : FIRST_RESOURCE + kinds] = worths
    return np.asarray(by_code.ravel()[codes_count * np.arange(count)[:, None] + codes])


def gains(around: Around, worths: Array, idle: Array | None = None) -> Array:
    """Return the gain from entering each cell (K, C), at most 0 where flagged as `idle`."""
    gain = gained(around.codes, worths)
    return gain if idle is None else np.where(idle, np.minimum(gain, 0.0), gain)


def left_to_others(around: Around, kinds: int) -> Array:
    """Flag the cells (K, C) that another seat in view is nearer to, ignoring obstacles."""
    seats = around.codes >= FIRST_RESOURCE + kinds
    seats[:, around.here] = False
    rows, cells = np.nonzero(seats)
    far = around.far
    others = np.full(around.codes.shape, far.max() + 1)
    np.minimum.at(others, rows, far[cells])
    return np.asarray(others < far[around.here])


def votes(rules: VoteCore) -> Array:
    """Flag the actions (A,) that include a vote."""
    return np.array([name.endswith("crease") for name in ACTIONS[rules.actions]])


def points_per_step(seen: Mapping[str, Array], rules: VoteCore) -> Array:
    """Return, for each action, the most points per step (K, A) that a cell in view can earn.

    The value of a cell k steps beyond the first step, ignoring obstacles, is its points less the
    expected punishment, divided by k + 1. If the first step itself causes a loss, its value is that
    loss. Blocked steps, votes and noop have the value 0.
    """
    around = seen_around(seen, rules)
    level = np.where(np.isnan(seen["level"]), rules.initial_level, seen["level"])
    values = np.array([resource.value for resource in rules.resources.values()])
    gain = gains(around, values - level[:, None] * np.array(rules.penalties))
    steps = [_of_step(gain, around.far, int(around.ahead(np.array(move)))) for move in range(4)]
    names = ACTIONS[rules.actions]
    worth = np.zeros((len(level), len(names)))
    for number, name in enumerate(names):
        way = name.split("_")[0]
        if way in MOVES:
            worth[:, number] = steps[MOVES.index(way)]
    return worth


def _of_step(gain: Array, far: Array, cell: int) -> Array:
    """Return the worth (K,) of a step onto this cell, given the cells' gains (K, C)."""
    best = (gain / (far[cell] + 1)).max(axis=1)
    direct = gain[:, cell]
    return np.where(np.isinf(direct), 0.0, np.where(direct < 0, direct, np.maximum(best, 0.0)))
