from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment, sanctioned
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class SanctionAverse(Policy):
    """Gives a tenth less than the others did, and more than it just gave where that was sanctioned.

    It starts with its baseline. While what reciprocity does to it takes points from it, it gives
    `step` of its endowment more than last period, whatever the others do. Where the effects on it
    are not shown it knows of none.
    """

    id = "sanction_averse"
    games = ("sanctions",)
    source = "ours, after Fehr and Gaechter (2000), American Economic Review 90(4)"
    parameters = {"bias": Range(0.1, 0.0, 1.0), "step": Range(0.1, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        most, others = own_endowment(seats, self.rules), mean_of_others(seats)
        own = seats.seen["contribution"][seats.rows, seats.seat]
        alike = np.minimum((1.0 - self.own["bias"]) * others, most)
        given = np.where(np.isnan(others), own_baseline(seats, self.rules), alike)
        more = np.minimum(own + self.own["step"] * most, most)
        worse = sanctioned(seats, self.rules) & ~np.isnan(own)
        return {"contribution": np.where(worse, more, given)}, {}
