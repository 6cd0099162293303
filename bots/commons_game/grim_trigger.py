from __future__ import annotations

import numpy as np

from bots.commons_game.reading import mean_of_others, stock_seen, sustainable_share
from mixed_company.policies.policy import Decided, Memory, Policy, Range, Seats


class GrimTrigger(Policy):
    """Takes its sustainable share until the others' average first exceeds it, then the maximum."""

    id = "grim_trigger"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "Friedman (1971), Review of Economic Studies 38(1), applied to the group's mean"
    parameters = {"tolerance": Range(0.25, 0.0, 10.0)}

    def start(self) -> Memory:
        return {"triggered": False, "share": 0.0}

    def act_together(self, seats: Seats) -> Decided:
        share = sustainable_share(self.rules, stock_seen(seats, self.rules))
        limit = seats.memory["share"] * (1.0 + self.settings["tolerance"])
        betrayed = mean_of_others(seats) > limit
        triggered = seats.memory["triggered"] | betrayed
        harvest = np.where(triggered, self.rules.max_harvest, share)
        return {"harvest": harvest, "contribution": 0.0}, {"triggered": triggered, "share": share}
