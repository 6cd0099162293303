from __future__ import annotations

import numpy as np

from bots.commons_game.reading import mean_of_others, sustainable_share
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class TitForTat(Policy):
    """Takes its sustainable share if the others' last mean did not exceed it, else the maximum."""

    id = "tit_for_tat"
    games = ("commons_game",)
    source = "Axelrod (1984), The Evolution of Cooperation, on the group's mean"
    parameters = {"tolerance": Range(0.05, 0.0, 10.0)}

    def act_together(self, seats: Seats) -> Decided:
        share = sustainable_share(self.rules)
        betrayed = mean_of_others(seats) > share * (1.0 + self.settings["tolerance"])
        harvest = np.where(betrayed, self.rules.max_harvest, share)
        return {"harvest": harvest, "contribution": 0.0}, {}
