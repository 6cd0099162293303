from __future__ import annotations

import numpy as np

from bots.commons_game.reading import most_taken, sustainable_share
from mixed_company.policies.policy import Decided, Policy, Seats


class Imitator(Policy):
    """Takes as much as the player who took most last period; starts with its sustainable share."""

    id = "imitator"
    games = ("commons_game",)
    source = "imitation of the most successful: Vega-Redondo (1997), Econometrica 65(2)"

    def act_together(self, seats: Seats) -> Decided:
        taken = most_taken(seats)
        harvest = np.where(np.isnan(taken), sustainable_share(self.rules), taken)
        return {"harvest": np.minimum(harvest, self.rules.max_harvest), "contribution": 0.0}, {}
