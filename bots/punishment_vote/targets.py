"""Search for the cell with the highest gain per step, on one map or in many windows at once.

A cell's gain is the number of points for entering it. A seat can cross a cell with a gain below 0
and take that loss; it cannot cross a `BLOCKED` cell. The path to a cell is the shortest of those
with the smallest total loss, so it crosses a loss only if there is no way around it. The loss is
subtracted from the gain.

Sets of cells in K windows at once are (words, K) 64-bit numbers with one bit per cell.

A bit shift moves all cells of a set by one step. The cells inside the frame are numbered row by
row. Each row ends with a frame cell, so no step leads from the end of one row to the next.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import BLOCKED, Around, gains
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

_BITS = 64


class Numbering:
    """Bit numbers of the cells of a framed window with `width` cells per row."""

    def __init__(self, width: int) -> None:
        self.width, self.stride = width, width - 1
        self.bits = (width - 2) * self.stride
        self.words = -(-self.bits // _BITS)

    def inner(self, cells: Array, beyond: int = 0) -> Array:
        """Return cell values (K, C) in bit order, (K, 64 * words), padded with `beyond`."""
        side = self.width - 2
        framed = cells.reshape(-1, self.width, self.width)
        inner = np.full((len(framed), _BITS * self.words), beyond, dtype=cells.dtype)
        inner[:, : self.bits].reshape(-1, side, self.stride)[:, :, :side] = framed[:, 1:-1, 1:-1]
        return inner

    def packed(self, inner: Array) -> Array:
        """Return the set (words, K) of the flagged cells."""
        packed = np.packbits(inner.reshape(-1), bitorder="little").view("<u8")
        return np.ascontiguousarray(packed.reshape(-1, self.words).T)

    def cell(self, bits: Array) -> Array:
        """Return the indices, in the framed window, of the cells with these bits."""
        row, column = np.divmod(bits, self.stride)
        return np.asarray((row + 1) * self.width + column + 1)

    def bit(self, cell: int) -> int:
        """Return the bit for a cell of the framed window."""
        row, column = divmod(cell, self.width)
        return (row - 1) * self.stride + column - 1


def shifted(sets: Array, by: int) -> Array:
    """Return the sets (..., words, K) with cells shifted by `by` bits, less than 64 either way."""
    if by > 0:
        moved = sets << np.uint64(by)
        if sets.shape[-2] > 1:
            moved[..., 1:, :] |= sets[..., :-1, :] >> np.uint64(_BITS - by)
    else:
        moved = sets >> np.uint64(-by)
        if sets.shape[-2] > 1:
            moved[..., :-1, :] |= sets[..., 1:, :] << np.uint64(_BITS + by)
    return np.asarray(moved)


def any_of(sets: Array) -> Array:
    """Return flags (..., K) for the sets that are not empty."""
    return np.asarray(sets[..., 0, :] != 0 if sets.shape[-2] == 1 else (sets != 0).any(axis=-2))


def first_of(sets: Array) -> Array:
    """Return the first bit, (K,), of nonempty sets (words, K)."""
    word = (sets != 0).argmax(axis=0)
    bits = sets[word, np.arange(sets.shape[1])]
    below = (bits & (~bits + np.uint64(1))) - np.uint64(1)
    return np.asarray(_BITS * word + np.bitwise_count(below))


def last_of(sets: Array) -> Array:
    """Return the last bit, (K,), of nonempty sets (words, K)."""
    whole = (
        sum(word << _BITS * place for place, word in enumerate(words)) for words in sets.T.tolist()
    )
    return np.array([bits.bit_length() - 1 for bits in whole], dtype=np.int64)


LOOKED_AT = 400
"""Maximum number of cells that a search examines. Only huge windows have more cells."""

_FEW = 6  # windows; it is faster to search fewer windows one by one
_CLOSE = 1e-9
_NONE = np.uint64(0)


class Target(NamedTuple):
    """A target cell, the first move (0 .. 3) towards it, and the number of steps."""

    move: int
    steps: int
    cell: int


class Targets(NamedTuple):
    """Targets in K windows, each field (K,); `move` is -1 for a window without a target."""

    move: Array
    steps: Array
    cell: Array

    def put(self, row: int, target: Target | None) -> None:
        """Set the target of one window."""
        self.move[row], self.steps[row], self.cell[row] = target or (-1, 0, 0)


def best_target(gains: list[float], width: int, here: int, limit: int = LOOKED_AT) -> Target | None:
    """Return the cell with the highest gain per step on a map in row order; None if none is above
    0.

    This is Dijkstra's algorithm; paths are compared by loss, then by steps.
    """
    top = max(gains)
    best, rate, left = None, 0.0, limit
    reached = {here: (0.0, 0)}
    queue = [(0.0, 0, here, -1)]
    while queue and left:
        loss, far, cell, first = heappop(queue)
        if (loss, far) > reached[cell]:
            continue
        left -= 1
        gain = gains[cell]
        if far and gain - loss > rate * far:
            best, rate = Target(first, far, cell), (gain - loss) / far
        if top - loss <= rate * (far + 1):
            continue  # no cell farther away can be better
        for move, neighbour in enumerate((cell - width, cell + width, cell - 1, cell + 1)):
            worth = gains[neighbour]
            if worth != BLOCKED:
                cost = (loss - min(worth, 0.0), far + 1)
                if neighbour not in reached or cost < reached[neighbour]:
                    reached[neighbour] = cost
                    heappush(queue, (*cost, neighbour, first if far else move))
    return best


def best_targets(around: Around, worths: Array, idle: Array | None = None) -> Targets:
    """Return the targets that `best_target` would find in K windows, given each kind's worth (K,
    kinds).

    Cells flagged as `idle` (K, C) have no gain. All windows are searched together, step by step,
    over cells without loss. Windows in which it might pay to cross a loss are searched separately.
    """
    count = len(worths)
    targets = Targets(*(np.full(count, value) for value in (-1, 0, 0)))
    alone = np.arange(count)
    if count >= _FEW and (around.width - 2) ** 2 <= LOOKED_AT:
        alone = _Search(around, worths, idle).fill(targets)
    if len(alone):
        part = around.of(alone)
        gain = gains(part, worths[alone], None if idle is None else idle[alone])
        for row, row_gain in zip(alone.tolist(), gain.tolist(), strict=True):
            targets.put(row, best_target(row_gain, around.width, around.here))
    return targets


class _Search:
    """Search of R windows over cells without loss, with sets of cells (..., words, R).

    rows        indices of the windows
    worth       (kinds, R) positive worths of kinds, and `wanted` (kinds, words, R), their cells
    unreached   free cells that have not been reached
    front       (4, words, R) cells reached in `far` steps, by the first move of their path
    top, rate   (R,) the highest worth of any cell, and the best gain per step so far
    least       (R,) the smallest loss in the window
    """

    def __init__(self, around: Around, worths: Array, idle: Array | None) -> None:
        self.numbering = numbering = Numbering(around.width)
        self.rings = _rings(around.width, around.here)
        inner = numbering.inner(around.codes, WALL)
        kinds = FIRST_RESOURCE + np.arange(worths.shape[1])
        lying = np.stack([numbering.packed(inner == kind) for kind in kinds.tolist()])
        worth = np.ascontiguousarray(worths.T)
        free = np.where(worth[:, None] >= 0.0, lying, _NONE)
        free = np.bitwise_or.reduce(free, axis=0) | numbering.packed(inner == EMPTY)
        good = (worth > 0.0).any(axis=1)
        self.least = np.where(any_of(lying) & (worth < 0.0), -worth, np.inf).min(axis=0)
        worth, lying = worth[good], lying[good]
        wanted = np.where(worth[:, None] > 0.0, lying, _NONE)
        if idle is not None:
            wanted &= ~numbering.packed(numbering.inner(idle))
        self.rows, self.worth, self.wanted = np.arange(len(worths)), worth, wanted
        self.top = np.where(any_of(wanted), worth, 0.0).max(axis=0, initial=0.0)
        self.rate = np.zeros(len(worths))
        here, stride = self.rings[0][:, None], numbering.stride
        self.unreached = free & ~here
        ways = (-stride, stride, -1, 1)
        self.front = np.stack([shifted(here, way) & self.unreached for way in ways])

    def fill(self, targets: Targets) -> Array:
        """Write the targets into the result; return the windows that need a separate search."""
        far, alone = 1, [np.arange(0)]
        self.keep(self.top > 0.0)
        while len(self.rows):
            reached = np.bitwise_or.reduce(self.front, axis=0)
            self.unreached &= ~reached
            self.choose(reached, far, targets)
            over = (self.top <= self.rate * (far + 1)) | ~any_of(reached)
            if over.any():
                going = ~over
                alone.append(self.enclosed(over))
                self.keep(going)
            self.front = _onward(self.front, self.numbering.stride)
            self.front &= self.unreached
            far += 1
        return np.concatenate(alone)

    def keep(self, where: Array) -> None:
        """Keep only the flagged windows."""
        places = np.flatnonzero(where)
        for name in ("rows", "worth", "wanted", "top", "rate", "least", "unreached", "front"):
            setattr(self, name, getattr(self, name).take(places, axis=-1))

    def choose(self, reached: Array, far: int, targets: Targets) -> None:
        """Choose the reached cell with the highest gain if it beats the best gain per step so far.

        Among equal cells the first is chosen, or the last if rounding makes each look better than
        the one before.
        """
        wanted = self.wanted & reached
        gain = np.where(any_of(wanted), self.worth, 0.0).max(axis=0)
        better = np.flatnonzero(gain > self.rate * far)
        gain = gain[better]
        self.rate[better] = rate = gain / far
        alike = np.where(self.worth[:, None, better] == gain, wanted[..., better], _NONE)
        best = np.bitwise_or.reduce(alike, axis=0)
        bit = first_of(best)
        again = np.flatnonzero(gain > rate * far)
        bit[again] = last_of(best[:, again])
        word, place = np.divmod(bit, 64)
        led = self.front[:, word, better] >> place.astype(np.uint64) & np.uint64(1)
        rows = self.rows[better]
        targets.move[rows] = led.argmax(axis=0)
        targets.steps[rows], targets.cell[rows] = far, self.numbering.cell(bit)

    def enclosed(self, where: Array) -> Array:
        """Return the windows in which it might pay to cross a loss on the way to a resource.

        The path to the resource is assumed to be as short as possible. Resources that can be
        reached without a loss are left out, because the joint search finds them.
        """
        limit = self.rate * (1.0 - _CLOSE)
        places = np.flatnonzero(where & ((self.top - self.least) / 2 > limit))
        if len(places):
            left = self.wanted.take(places, axis=-1) & self.unreached.take(places, axis=-1)
            some = any_of(left).any(axis=0)
            places, left = places[some], left[..., some]
        if not len(places):
            return places
        gain, hope = self.worth[:, places] - self.least[places], np.zeros(len(places))
        for far, ring in enumerate(self.rings[2:], 2):
            some = any_of(left & ring[:, None])
            hope = np.maximum(hope, np.where(some, gain / far, 0.0).max(axis=0))
        return np.asarray(self.rows[places[hope > limit[places]]])


@lru_cache(maxsize=16)
def _rings(width: int, here: int) -> Array:
    """Return the cells at each distance from `here`, (steps, words), ignoring obstacles."""
    down, across = (np.abs(part - part[here]) for part in np.divmod(np.arange(width**2), width))
    numbering, far = Numbering(width), down + across
    rings = [numbering.packed(numbering.inner(far == steps)) for steps in range(width - 2)]
    return np.stack(rings)[..., 0]


def _onward(front: Array, stride: int) -> Array:
    """Return the cells next to a front, by the first move of the path that reaches them."""
    onward, taken = np.zeros_like(front), np.zeros_like(front[0])
    for by in (stride, 1, -1, -stride):  # from above, left, right and below
        coming = shifted(front, by)
        onward |= coming & ~taken
        taken |= np.bitwise_or.reduce(coming, axis=0)
    return onward
