"""A bound from release times alone, as if a seat could be everywhere in the next turn.

What appears is a job of one turn, released in the turn in which it appears; the seats of its grid
are machines, which do one job a turn. The most is come to by doing the best jobs released, turn by
turn: where no job has a deadline it never pays to wait, nor to do a worse one first.

What costs the group something and is there at the start must be collected before anything can
appear on its cell. This toll is taken off what appears behind it, the first first: whoever collects
a part of that has paid the whole toll, so nothing is counted too low.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.solutions.punishment_vote.appearing import Appearances

__all__ = ["most_by_release", "tolled"]


def most_by_release(offer: Appearances) -> float:
    """Points that the seats of one grid gain at most."""
    gains, seats = tolled(offer), offer.starts.size
    by_turn = np.split(gains, np.searchsorted(offer.turn, np.arange(1, offer.turns)))
    waiting: list[float] = []
    gained: list[float] = []
    for released in by_turn:
        for points in released[released > 0].tolist():
            heappush(waiting, -points)
        gained += [-heappop(waiting) for _ in range(min(seats, len(waiting)))]
    return float(np.sum(gained))


def tolled(offer: Appearances) -> Array:
    """(m,) what each appearance is worth less the toll before it; at least 0."""
    gains = np.maximum(offer.worth, 0.0)
    toll = np.zeros(int(offer.cell.max(initial=0)) + 1)
    first = (offer.turn == 0) & (offer.worth < 0)
    toll[offer.cell[first]] = -offer.worth[first]
    behind = np.flatnonzero(toll[offer.cell] > 0)
    behind = behind[np.argsort(offer.cell[behind], kind="stable")]  # cell by cell, turn by turn
    cell, own = offer.cell[behind], gains[behind]
    begins = np.diff(cell, prepend=-1) > 0
    so_far = np.cumsum(own)
    earlier = np.maximum.accumulate(np.where(begins, so_far - own, 0.0))  # on cells before this
    left = np.maximum(so_far - earlier - toll[cell], 0.0)
    gains[behind] = np.where(begins, left, np.diff(left, prepend=0.0))
    return gains
