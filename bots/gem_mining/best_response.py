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
    """Goes where its workers add most, as if the others went where they were last period.

    Chances that are not shown are estimated from the gems found at the mines in reach, those of
    one worker, starting from the middle of what is possible as if seen once.
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
        own, others = own_workers(seats, self.rules)[:, None], others_in_reach(seats, self.rules)
        chances = memory["found"] / memory["effort"][:, :, None]
        known = shown_chances(seats, self.rules)
        if known is not None:
            chances = np.where(known.known[:, None, None], known.values, chances)
        weights = self.rules.weights
        with_us = worth(self.rules, chances, others.values + own, weights)
        gains = with_us - worth(self.rules, chances, others.values, weights)
        return going_to(seats, largest(gains, in_reach(seats, self.rules))), memory

    def _learned(self, seats: Seats) -> dict[str, Array]:
        """The notes with the gems at all mines in reach last period, by the effort they took."""
        memory, gems = dict(seats.memory), shown(seats, "found")
        there = shown(seats, "workers_at")
        if gems is None or there is None:
            return memory
        known = (gems.known & there.known & (seats.period > 0))[:, None]
        workers = from_first(seats, self.rules, np.where(known, there.values, 0)).astype(np.int64)
        worked = (workers != 0) & in_reach(seats, self.rules)
        effort = np.where(worked, bonus(self.rules, workers), 0.0)
        new = np.where(worked[:, :, None], from_first(seats, self.rules, gems.values), 0.0)
        return {"effort": memory["effort"] + effort, "found": memory["found"] + new}
