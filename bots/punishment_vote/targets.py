"""Where to go: the cell of highest gain per step, of one map or of many windows at once.

What each cell gains is a number for whoever goes there: below 0 it can be crossed at that loss,
`BLOCKED` it cannot. The way to a cell is the shortest of those that lose least on the cells they
cross, so it leads round whatever is worth less than nothing, unless there is no way round; that
loss counts against the gain.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from bots.punishment_vote.sets import Numbering, any_of, first_of, last_of, shifted
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import BLOCKED, Around, gains
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL

__all__ = ["Target", "Targets", "best_target", "best_targets"]

LOOKED_AT = 400
"""So many cells a search looks at: those of any usual window, and not too long in a huge one."""

_FEW = 6  # windows: for fewer it is quicker to search one after the other
_CLOSE = 1e-9
_NONE = np.uint64(0)


class Target(NamedTuple):
    """Where to go: the first move (0 .. 3), how many steps in all, and the cell."""

    move: int
    steps: int
    cell: int


class Targets(NamedTuple):
    """The same of K windows, each (K,); where there is nothing to go to, `move` is -1."""

    move: Array
    steps: Array
    cell: Array

    def put(self, row: int, target: Target | None) -> None:
        """What one window came to."""
        self.move[row], self.steps[row], self.cell[row] = target or (-1, 0, 0)


def best_target(gains: list[float], width: int, here: int, most: int = LOOKED_AT) -> Target | None:
    """The cell of highest gain per step on a map, row by row; None if none is above 0.

    Dijkstra's search by what is lost, then by steps.
    """
    top = max(gains)
    best, rate, left = None, 0.0, most
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
            continue  # nothing further on can be better
        for move, there in enumerate((cell - width, cell + width, cell - 1, cell + 1)):
            worth = gains[there]
            if worth != BLOCKED:
                cost = (loss - min(worth, 0.0), far + 1)
                if there not in reached or cost < reached[there]:
                    reached[there] = cost
                    heappush(queue, (*cost, there, first if far else move))
    return best


def best_targets(around: Around, worths: Array, idle: Array | None = None) -> Targets:
    """The same for K windows, by what kinds are worth (K, kinds), to the last bit.

    Nothing is gained on the cells that are flagged as `idle`, (K, C). All go over what loses
    nothing, step by step. A window in which it could pay to cross a loss is searched by itself.
    """
    count = len(worths)
    targets = Targets(*(np.full(count, value) for value in (-1, 0, 0)))
    alone = np.arange(count)
    if count >= _FEW and (around.width - 2) ** 2 <= LOOKED_AT:
        alone = _Search(around, worths, idle).fill(targets)
    if len(alone):
        part = around.of(alone)
        gain = gains(part, worths[alone], None if idle is None else idle[alone])
        for row, own in zip(alone.tolist(), gain.tolist(), strict=True):
            targets.put(row, best_target(own, around.width, around.here))
    return targets


class _Search:
    """A search of R windows over what loses nothing, in sets of cells (..., words, R).

    rows        which windows these are
    worth       (kinds, R), and `wanted`, (kinds, words, R), where those worth something lie
    unreached   free cells that nobody has stepped on
    front       (4, words, R) cells reached in `far` steps, by the first move of the way there
    top, rate   (R,) the most that any cell is worth, and the best per step so far
    least       (R,) the smallest loss that can be met with
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
        """Fill in the targets; returns the windows that are to be searched by themselves."""
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
        """Go on with these windows alone."""
        places = np.flatnonzero(where)
        for name in ("rows", "worth", "wanted", "top", "rate", "least", "unreached", "front"):
            setattr(self, name, getattr(self, name).take(places, axis=-1))

    def choose(self, reached: Array, far: int, targets: Targets) -> None:
        """Go for the cell of most gain that is reached, where that is more per step than before.

        Of several the first; the last, where rounding makes each seem better than the one before.
        """
        there = self.wanted & reached
        own = np.where(any_of(there), self.worth, 0.0).max(axis=0)
        better = np.flatnonzero(own > self.rate * far)
        own = own[better]
        self.rate[better] = rate = own / far
        alike = np.where(self.worth[:, None, better] == own, there[..., better], _NONE)
        best = np.bitwise_or.reduce(alike, axis=0)
        bit = first_of(best)
        again = np.flatnonzero(own > rate * far)
        bit[again] = last_of(best[:, again])
        word, place = np.divmod(bit, 64)
        led = self.front[:, word, better] >> place.astype(np.uint64) & np.uint64(1)
        rows = self.rows[better]
        targets.move[rows] = led.argmax(axis=0)
        targets.steps[rows], targets.cell[rows] = far, self.numbering.cell(bit)

    def enclosed(self, where: Array) -> Array:
        """Those of these windows in which something is behind a loss that it could pay to cross.

        It is no nearer than as the crow walks. What can be reached without a loss is reached so.
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
    """(steps, words) the cells that are so many steps from here, if nothing is in the way."""
    down, across = (np.abs(part - part[here]) for part in np.divmod(np.arange(width**2), width))
    numbering, far = Numbering(width), down + across
    rings = [numbering.packed(numbering.inner(far == steps)) for steps in range(width - 2)]
    return np.stack(rings)[..., 0]


def _onward(front: Array, stride: int) -> Array:
    """The cells beside a front, by the first move of the first cell they can be reached from."""
    onward, taken = np.zeros_like(front), np.zeros_like(front[0])
    for by in (stride, 1, -1, -stride):  # from above, from the left, the right, from below
        coming = shifted(front, by)
        onward |= coming & ~taken
        taken |= np.bitwise_or.reduce(coming, axis=0)
    return onward
