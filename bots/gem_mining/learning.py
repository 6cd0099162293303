"""What the villages that learn from their own yields have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from bots.gem_mining.reading import (
    going_to,
    in_reach,
    largest,
    own_workers,
    reach_of,
    shown,
    shown_chances,
    worth,
)
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Decided, Memory, Policy, Seats

__all__ = ["Learned", "Learner"]

Learned = Mapping[str, Array]
"""`visits` (K, m) and `found` (K, m, types) of the villages."""


class Learner(Policy):
    """Counts its visits to each mine in reach, and the gems of each type it found there."""

    games = ("gem_mining",)

    def start(self) -> Memory:
        mines, types = self.rules.max_connectivity, self.rules.gem_types
        return {"visits": [0] * mines, "found": [[0] * types for _ in range(mines)]}

    def act_together(self, seats: Seats) -> Decided:
        memory = self.learned(seats)
        return going_to(seats, self.pick(seats, memory)), memory

    @abstractmethod
    def pick(self, seats: Seats, memory: Learned) -> Array:
        """(K,) which of the mines in reach, the first being 0."""

    def learned(self, seats: Seats) -> Learned:
        """The notes with what was found at the own mine last period, if that is shown.

        A reading with noise counts as the nearest of a gem and none.
        """
        own_gems, mine = shown(seats, "own_found"), shown(seats, "own_mine")
        if own_gems is None or mine is None:
            return seats.memory
        known = own_gems.known & mine.known
        own = np.where(known, mine.values, -1).astype(np.int64) - seats.seat
        # nobody was anywhere yet, or it is shown late
        rows = np.flatnonzero(known & (own >= 0) & (own < reach_of(seats)))
        visits, gems = seats.memory["visits"].copy(), seats.memory["found"].copy()
        visits[rows, own[rows]] += 1
        gems[rows, own[rows]] += own_gems.values[rows] > 0.5
        return {"visits": visits, "found": gems}

    def best(self, seats: Seats, memory: Learned, weights: Sequence[float]) -> Array:
        """(K,) the mine that is best for the village alone: by its chances if they are shown, else
        by the average yield so far, of which a mine never visited is tried first."""
        points = np.zeros(memory["visits"].shape)
        for weight, gems in zip(weights, np.moveaxis(memory["found"], -1, 0), strict=True):
            points = points + weight * gems
        worths = np.full(points.shape, np.inf)
        np.divide(points, memory["visits"], out=worths, where=memory["visits"] > 0)
        chances = shown_chances(seats, self.rules)
        if chances is not None:
            workers = own_workers(seats, self.rules)[:, None]
            expected = worth(self.rules, chances.values, workers, weights)
            worths = np.where(chances.known[:, None], expected, worths)
        return largest(worths, in_reach(seats, self.rules))
