from __future__ import annotations

import numpy as np

from bots.commons_game.reading import own_wealth, stock_seen, sustainable_share
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Steward(Policy):
    """Takes its sustainable share; below half capacity, also pays a tenth of its wealth."""

    id = "steward"
    games = ("commons_game",)
    version = "2"
    preserves_stock = True
    source = "ours, after the monitors in Ostrom (1990), Governing the Commons"
    parameters = {"share": Range(0.1, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        stock = stock_seen(seats, self.rules)
        low = stock < self.rules.capacity / 2
        paid = np.where(low, self.settings["share"] * own_wealth(seats), 0.0)
        return {"harvest": sustainable_share(self.rules, stock), "contribution": paid}, {}
