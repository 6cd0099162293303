from __future__ import annotations

import numpy as np

from bots.gem_mining.reading import (
    bonus,
    from_first,
    going_to,
    in_reach,
    largest,
    others_in_reach,
    own_workers,
    shown,
    shown_chances,
    worth,
)
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Decided, Memory, Policy, Seats


class BestResponse(Policy):
    """Goes where its workers add the most if the others stay where they were last period.

    If chances are hidden, it estimates them per worker from the gems found at the mines in reach.
    The estimate starts at the middle of the possible range, and this prior counts as one
    observation.
    """

    id = "best_response"
    games = ("gem_mining",)
    source = "Cournot (1838), Researches into the Mathematical Principles of the Theory of Wealth"

    def start(self) -> Memory:
        mines, types = self.rules.max_connectivity, self.rules.gem_types
        middle = (self.rules.min_probability + self.rules.max_probability) / 2
        return {"effort": [1.0] * mines, "found": [[middle] * types for _ in range(mines)]}

    def act_together(self, seats: Seats) -> Decided:
        memory = self._learned(seats)
        workers = own_workers(seats, self.rules)[:, None]
        others = others_in_reach(seats, self.rules)
        chances = memory["found"] / memory["effort"][:, :, None]
        base = shown_chances(seats, self.rules)
        if base is not None:
            chances = np.where(base.visible[:, None, None], base.values, chances)
        weights = self.rules.weights
        with_us = worth(self.rules, chances, others.values + workers, weights)
        gains = with_us - worth(self.rules, chances, others.values, weights)
        return going_to(seats, largest(gains, in_reach(seats, self.rules))), memory

    def _learned(self, seats: Seats) -> dict[str, Array]:
        """Return the notes updated with last period's gems and effort at all mines in reach."""
        memory, gems = dict(seats.memory), shown(seats, "found")
        crowd = shown(seats, "workers_at")
        if gems is None or crowd is None:
            return memory
        visible = (gems.visible & crowd.visible & (seats.period > 0))[:, None]
        workers = from_first(seats, self.rules, np.where(visible, crowd.values, 0)).astype(np.int64)
        worked = (workers != 0) & in_reach(seats, self.rules)
        effort = np.where(worked, bonus(self.rules, workers), 0.0)
        new = np.where(worked[:, :, None], from_first(seats, self.rules, gems.values), 0.0)
        return {"effort": memory["effort"] + effort, "found": memory["found"] + new}
