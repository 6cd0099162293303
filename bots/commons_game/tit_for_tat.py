from __future__ import annotations

import numpy as np

from bots.commons_game.reading import mean_of_others, stock_seen, sustainable_share
from mixed_company.policies.policy import Decided, Memory, Policy, Range, Seats


class TitForTat(Policy):
    """Takes its sustainable share, or the maximum if the others' last average exceeded it."""

    id = "tit_for_tat"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "Axelrod (1984), The Evolution of Cooperation, applied to the group's mean"
    parameters = {"tolerance": Range(0.05, 0.0, 10.0)}

    def start(self) -> Memory:
        return {"share": 0.0}

    def act_together(self, seats: Seats) -> Decided:
        share = sustainable_share(self.rules, stock_seen(seats, self.rules))
        limit = seats.memory["share"] * (1.0 + self.settings["tolerance"])
        betrayed = mean_of_others(seats) > limit
        harvest = np.where(betrayed, self.rules.max_harvest, share)
        return {"harvest": harvest, "contribution": 0.0}, {"share": share}
