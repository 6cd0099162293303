from __future__ import annotations

import numpy as np

from bots.commons_game.reading import most_taken, yield_share
from mixed_company.policies.policy import Decided, Policy, Seats


class Imitator(Policy):
    """Copies last period's largest harvest; starts with a share of the maximum sustainable yield.

    If a lake starts below its best stock, as in `lab`, this share is more than what grows back, so
    a group of imitators empties the lake.
    """

    id = "imitator"
    games = ("commons_game",)
    source = "imitation of the most successful: Vega-Redondo (1997), Econometrica 65(2)"

    def act_together(self, seats: Seats) -> Decided:
        taken = most_taken(seats)
        harvest = np.where(np.isnan(taken), yield_share(self.rules), taken)
        return {"harvest": np.minimum(harvest, self.rules.max_harvest), "contribution": 0.0}, {}
