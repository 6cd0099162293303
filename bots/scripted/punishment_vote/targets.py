"""Where to go: the cell of highest gain per step, of one map or of many windows at once.

What each cell gains is a number for whoever goes there: below 0 it can be crossed at that loss,
`BLOCKED` it cannot. The way to a cell is the shortest of those that lose least on the cells they
cross, so it leads round whatever is worth less than nothing, unless there is no way round; that
loss counts against the gain.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import NamedTuple

import numpy as np

from engine.contract.space import Array

__all__ = ["BLOCKED", "Target", "Targets", "best_target", "best_targets"]

BLOCKED = -np.inf

LOOKED_AT = 400
"""So many cells a search looks at: those of any usual window, and not too long in a huge one."""

_FEW = 6  # windows: for fewer it is quicker to search one after the other
_CLOSE = 1e-9


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


def best_targets(gains: Array, width: int, here: int) -> Targets:
    """The same for K windows (K, C), framed by what is blocked, to the last bit.

    All go over what loses nothing, step by step. A window in which it could pay to cross a loss is
    searched by itself.
    """
    count = len(gains)
    targets = Targets(*(np.full(count, value) for value in (-1, 0, 0)))
    rows = np.flatnonzero(gains.max(axis=1, initial=0.0) > 0.0)
    alone = rows
    if len(rows) >= _FEW and (width - 2) ** 2 <= LOOKED_AT:
        alone = _without_loss(gains, width, here, rows, targets)
    for row in alone.tolist():
        targets.put(row, best_target(gains[row].tolist(), width, here))
    return targets


def _without_loss(gains: Array, width: int, here: int, rows: Array, targets: Targets) -> Array:
    """Fill in the targets of these windows; returns those that are to be searched by themselves.

    `front` has the cells that are reached in `far` steps, by the first move of the way there plus
    1. Of several ways the one counts whose last cell but one comes first. `hope` is the most that
    any cell of loss beside the way could bring per step: no more than `rate`, and it is left alone.
    """
    gain = gains[rows]
    top, rate, hope = gain.max(axis=1), np.zeros(len(rows)), np.zeros(len(rows))
    unreached = gain >= 0.0
    losing = (gain < 0.0) & (gain > BLOCKED)
    unreached[:, here] = losing[:, here] = False
    front = np.zeros(gain.shape, dtype=np.int8)
    beside = np.zeros(gain.shape, dtype=np.bool_)
    for move, there in enumerate((here - width, here + width, here - 1, here + 1)):
        front[:, there] = (move + 1) * unreached[:, there]
        beside[:, there] = True
    far, alone = 1, []
    while True:
        _hope(hope, gain, losing & beside, top, far)
        at, own = _richest(gain, front, far)
        better = own > rate * far
        rate = np.where(better, own / far, rate)
        here_now = rows[better]
        targets.move[here_now] = front[better, at[better]] - 1
        targets.steps[here_now], targets.cell[here_now] = far, at[better]
        over = (top <= rate * (far + 1)) | ~front.any(axis=1)
        alone.append(rows[over & (hope > rate * (1.0 - _CLOSE))])
        going = ~over
        if not going.any():
            return np.concatenate(alone)
        rows, gain, top, rate, hope = (part[going] for part in (rows, gain, top, rate, hope))
        unreached, losing, front = unreached[going], losing[going], front[going]
        unreached &= front == 0
        front, far = _onward(front, width), far + 1
        beside = front > 0
        front *= unreached


def _hope(hope: Array, gain: Array, losing: Array, top: Array, far: int) -> None:
    """Raise the hope of windows where a cell of loss can be stepped on after `far` steps."""
    some = np.flatnonzero(losing.any(axis=1))
    least = np.where(losing[some], gain[some], BLOCKED).max(axis=1)
    hope[some] = np.maximum(hope[some], (top[some] + least) / (far + 1))


def _richest(gain: Array, front: Array, far: int) -> tuple[Array, Array]:
    """(R,) the cell of most gain on the front, and that gain.

    Of several the first; the last, where rounding makes each seem better than the one before.
    """
    there = np.where(front > 0, gain, 0.0)
    at = there.argmax(axis=1)
    own = there[np.arange(len(at)), at]
    again = np.flatnonzero((own > 0) & (own > own / far * far))
    if len(again):
        at[again] = gain.shape[1] - 1 - there[again, ::-1].argmax(axis=1)
    return at, own


def _onward(front: Array, width: int) -> Array:
    """The cells beside a front, by the first move of the first cell they can be reached from."""
    onward = np.zeros_like(front)
    onward[:, :-width] = front[:, width:]  # from below, the last in order
    for step in (-1, 1, width):
        source = np.zeros_like(front)
        if step > 0:
            source[:, step:] = front[:, :-step]
        else:
            source[:, :step] = front[:, -step:]
        onward = np.where(source > 0, source, onward)
    return onward
