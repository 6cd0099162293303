from __future__ import annotations

import numpy as np

from bots.commons_game.reading import stock_seen, sustainable_share
from mixed_company.policies.policy import Decided, Policy, Seats


class FreeRider(Policy):
    """Never pays; takes its sustainable share plus everything the pool just added to the lake."""

    id = "free_rider"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "ours, after Olson (1965), The Logic of Collective Action"

    def act_together(self, seats: Seats) -> Decided:
        pool = np.nan_to_num(seats.seen["pool"])
        share = sustainable_share(self.rules, stock_seen(seats, self.rules))
        harvest = share + self.rules.pool_effect * pool
        return {"harvest": np.minimum(harvest, self.rules.max_harvest), "contribution": 0.0}, {}
