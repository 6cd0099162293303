from __future__ import annotations

import numpy as np

from mixed_company.policies.policy import Decided, Policy, Range, Seats
from mixed_company.policies.seats import mean_where


class ConditionalCooperator(Policy):
    """Gives half of its points at first, then a tenth less than the others gave on average."""

    id = "conditional_cooperator"
    games = ("public_good",)
    source = "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), including their bias"
    parameters = {"bias": Range(0.1, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        contributions = seats.seen["contribution"]
        shown = ~np.isnan(contributions) & (seats.period > 0)[:, None]
        shown[seats.rows, seats.seat] = False
        others = mean_where(shown, contributions)
        wish = np.where(
            np.isnan(others), self.rules.endowment / 2, (1.0 - self.settings["bias"]) * others
        )
        return {"contribution": np.floor(wish)}, {}
