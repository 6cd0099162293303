"""Base class of policies that learn from their own yields."""

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

Learned = Mapping[str, Array]
"""Notes of the villages: `visits` (K, m) and `found` (K, m, types)."""


class Learner(Policy):
    """Counts its visits to each mine in reach, and the gems of each type that it found there."""

    games = ("gem_mining",)

    def start(self) -> Memory:
        mines, types = self.rules.max_connectivity, self.rules.gem_types
        return {"visits": [0] * mines, "found": [[0] * types for _ in range(mines)]}

    def act_together(self, seats: Seats) -> Decided:
        memory = self.learned(seats)
        return going_to(seats, self.pick(seats, memory)), memory

    @abstractmethod
    def pick(self, seats: Seats, memory: Learned) -> Array:
        """Return the chosen mine, (K,), counted from 0 among the mines in reach."""

    def learned(self, seats: Seats) -> Learned:
        """Return the notes updated with last period's gems at the seat's mine, if they are shown.

        A noisy reading counts as a gem if it is closer to 1 than to 0.
        """
        own_gems, mine = shown(seats, "own_found"), shown(seats, "own_mine")
        if own_gems is None or mine is None:
            return seats.memory
        visible = own_gems.visible & mine.visible
        choice = np.where(visible, mine.values, -1).astype(np.int64) - seats.seat
        # no choice is known before the first period, or while the mine is shown with a delay
        rows = np.flatnonzero(visible & (choice >= 0) & (choice < reach_of(seats)))
        visits, gems = seats.memory["visits"].copy(), seats.memory["found"].copy()
        visits[rows, choice[rows]] += 1
        gems[rows, choice[rows]] += own_gems.values[rows] > 0.5
        return {"visits": visits, "found": gems}

    def best(self, seats: Seats, memory: Learned, weights: Sequence[float]) -> Array:
        """Return the mine where the village would earn the most if it were alone, shape (K,)."""
        return largest(self.worths(seats, memory, weights), in_reach(seats, self.rules))

    def worths(self, seats: Seats, memory: Learned, weights: Sequence[float]) -> Array:
        """Return the points (K, m) that the village could expect at each mine if it were alone.

        They are computed from the chances if these are shown, and otherwise from the average yield
        so far. A mine that was never visited counts as infinitely good, so it is tried first.
        """
        points = np.zeros(memory["visits"].shape)
        for weight, gems in zip(weights, np.moveaxis(memory["found"], -1, 0), strict=True):
            points = points + weight * gems
        worths = np.full(points.shape, np.inf)
        np.divide(points, memory["visits"], out=worths, where=memory["visits"] > 0)
        chances = shown_chances(seats, self.rules)
        if chances is not None:
            workers = own_workers(seats, self.rules)[:, None]
            expected = worth(self.rules, chances.values, workers, weights)
            worths = np.where(chances.visible[:, None], expected, worths)
        return worths
