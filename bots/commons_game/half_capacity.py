from __future__ import annotations

import numpy as np

from bots.commons_game.reading import stock_seen
from mixed_company.engine.games.commons_game import growth
from mixed_company.policies.policy import Decided, Policy, Seats


class HalfCapacity(Policy):
    """Takes an equal share of the stock that would exceed half the capacity after growth."""

    id = "half_capacity"
    games = ("commons_game",)
    preserves_stock = True
    source = "escapement rule: Reed (1979), Journal of Environmental Economics and Management 6(4)"

    def act_together(self, seats: Seats) -> Decided:
        stock = stock_seen(seats, self.rules)
        surplus = stock + growth(self.rules, stock) - self.rules.capacity / 2
        if self.rules.growth == "exponential":  # each fish left in the lake becomes 1 + gamma fish
            surplus = surplus / (1.0 + self.rules.growth_rate)
        share = np.clip(surplus / self.rules.seats, 0.0, self.rules.max_harvest)
        return {"harvest": share, "contribution": 0.0}, {}
