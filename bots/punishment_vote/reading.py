"""How the policies of the punishment vote read their screens, K at once, and how they answer."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import ACTIONS, MOVES, VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL
from mixed_company.policies.policy import Seats

__all__ = [
    "BLOCKED",
    "Around",
    "action_numbers",
    "gained",
    "gains",
    "harms",
    "known",
    "left_to_others",
]
__all__ += ["own_window", "place", "seen_around"]

BLOCKED = -np.inf


class Around(NamedTuple):
    """Cells around K seats, (K, C), row by row and framed by walls.

    `here` is the seats' own cell; `sight` so many steps in each direction are within the frame.
    """

    codes: Array
    width: int
    here: int
    sight: int

    def ahead(self, moves: Array, steps: int = 1) -> Array:
        """The cells so many steps up, down, left or right (0 .. 3)."""
        return np.asarray(self.here + steps * np.array((-self.width, self.width, -1, 1))[moves])

    def at(self, cells: Array) -> Array:
        """(K, ...) the codes of cells (K, ...) of each."""
        rows = np.arange(len(self.codes)).reshape(-1, *[1] * (cells.ndim - 1))
        return np.asarray(self.codes[rows, cells])

    def of(self, rows: Array) -> Around:
        """The same around some of the seats."""
        return self._replace(codes=self.codes[rows])

    @property
    def far(self) -> Array:
        """(C, C) steps from cell to cell, if nothing is in the way."""
        down, across = np.divmod(np.arange(self.codes.shape[1]), self.width)
        steps: Array = np.abs(down[:, None] - down) + np.abs(across[:, None] - across)
        return steps


def own_window(seats: Seats) -> Array:
    """(K, side, side) codes of the cells around each seat."""
    window = seats.seen["window"]
    own = window[:, 0] if window.ndim == 5 else window
    if own.dtype != np.int8:
        return np.asarray(own.argmax(-1).astype(np.int8))
    codes = np.zeros(own.shape[:-1], dtype=np.int8)
    for code in range(1, own.shape[-1]):  # one at most is set: quicker than to look for it
        codes += np.int8(code) * own[..., code]
    return codes


def known(seats: Seats, name: str, instead: Array | float) -> Array:
    """(K,) a number on the screen, or something else where it is not shown."""
    value = seats.seen[name]
    return np.where(np.isnan(value), instead, value)


def place(seats: Seats) -> Array:
    """(K, 2) the seats' own rows and columns; both NaN if one of them is not shown."""
    both = np.stack([seats.seen["row"], seats.seen["column"]], axis=1).astype(np.float64)
    both[np.isnan(both).any(axis=1)] = np.nan
    return both


def seen_around(seats: Seats, rules: VoteCore) -> Around:
    """The window. Without sight the four neighbours, walls where its place tells, else empty."""
    if rules.vision > 0:
        window = own_window(seats)
        width = window.shape[1] + 2
        framed = np.full((seats.count, width, width), WALL, dtype=np.int8)
        framed[:, 1:-1, 1:-1] = window
        return Around(framed.reshape(seats.count, -1), width, width * width // 2, rules.vision)
    codes = np.full((seats.count, 9), EMPTY, dtype=np.int8)
    row, column = place(seats).T
    ends = (row <= 1, row >= rules.height - 2, column <= 1, column >= rules.width - 2)
    for cell, end in zip((1, 7, 3, 5), ends, strict=True):
        codes[:, cell] = np.where(end, WALL, EMPTY)
    return Around(codes, 3, 4, 1)


def harms(rules: VoteCore) -> list[float]:
    """Kind -> points that all other seats lose together."""
    return [(rules.seats - 1) * resource.harm for resource in rules.resources.values()]


def gained(codes: Array, worths: Array) -> Array:
    """(K, m) what cells are worth to whoever goes there, from their codes and worths (K, kinds).

    `BLOCKED` where nobody can go.
    """
    count, kinds = worths.shape
    most = max(FIRST_RESOURCE + kinds, int(codes.max(initial=0))) + 1
    by_code = np.full((count, most), BLOCKED)
    by_code[:, EMPTY] = 0.0
    by_code[:, FIRST_RESOURCE : FIRST_RESOURCE + kinds] = worths
    return np.asarray(by_code.ravel()[most * np.arange(count)[:, None] + codes])


def gains(around: Around, worths: Array, idle: Array | None = None) -> Array:
    """(K, C) the same of all cells. Nothing is gained on those that are flagged as `idle`."""
    gain = gained(around.codes, worths)
    return gain if idle is None else np.where(idle, np.minimum(gain, 0.0), gain)


def left_to_others(around: Around, kinds: int) -> Array:
    """(K, C) flags: the cells to which another seat in view is nearer, as the crow walks."""
    seats = around.codes >= FIRST_RESOURCE + kinds
    seats[:, around.here] = False
    rows, cells = np.nonzero(seats)
    far = around.far
    others = np.full(around.codes.shape, far.max() + 1)
    np.minimum.at(others, rows, far[cells])
    return np.asarray(others < far[around.here])


def action_numbers(rules: VoteCore, moves: Array, votes: Array) -> dict[str, Array]:
    """The actions for moves (0 .. 3, -1: none) and votes (1, -1 or 0), both (K,).

    `simple`: a vote goes before a move. `composite`: there is no vote without a move.
    """
    return {"action": _numbers(rules.actions)[moves, votes]}


@cache
def _numbers(actions: str) -> Array:
    """(5, 3) the number of an action by its move and its vote, the last of each being -1."""
    names = ACTIONS[actions]
    numbers = [
        [float(names.index(_name(actions, move, vote))) for vote in (0, 1, -1)]
        for move in (0, 1, 2, 3, -1)
    ]
    return np.array(numbers)


def _name(actions: str, move: int, vote: int) -> str:
    way = "noop" if move < 0 else MOVES[move]
    if actions == "simple":
        return {1: "vote_increase", -1: "vote_decrease", 0: way}[vote]
    voted = {1: "increase", -1: "decrease", 0: "no_vote"}[vote]
    return "noop" if move < 0 else f"{way}_{voted}"
