from __future__ import annotations

import numpy as np

from bots.commons_game.reading import stock_seen, yield_share
from mixed_company.engine.solutions.commons_game import maximum_sustainable_yield
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class ConstantEffort(Policy):
    """Takes the fraction of the stock that yields the most at the best stock.

    `effort` multiplies this fraction.
    """

    id = "constant_effort"
    games = ("commons_game",)
    preserves_stock = True
    source = "constant effort: Schaefer (1954), Bulletin of the IATTC 1(2)"
    parameters = {"effort": Range(1.0, 0.0, 10.0)}
    apiece = True

    def act_together(self, seats: Seats) -> Decided:
        best, _ = maximum_sustainable_yield(self.rules)
        full = yield_share(self.rules) * stock_seen(seats, self.rules) / best
        harvest = self.settings["effort"] * full
        return {"harvest": np.minimum(harvest, self.rules.max_harvest), "contribution": 0.0}, {}
