from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment, sanctioned
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class SanctionAverse(Policy):
    """Contributes 10% less than the others, but raises its contribution after a sanction.

    It starts at its baseline. While reciprocity costs it points, it raises its contribution each
    period by `step` times its endowment, no matter what the others do. It cannot react to effects
    that it cannot see.
    """

    id = "sanction_averse"
    games = ("sanctions",)
    source = "ours, after Fehr and Gaechter (2000), American Economic Review 90(4)"
    parameters = {"bias": Range(0.1, 0.0, 1.0), "step": Range(0.1, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        endowment, others = own_endowment(seats, self.rules), mean_of_others(seats)
        last = seats.seen["contribution"][seats.rows, seats.seat]
        alike = np.minimum((1.0 - self.settings["bias"]) * others, endowment)
        contribution = np.where(np.isnan(others), own_baseline(seats, self.rules), alike)
        more = np.minimum(last + self.settings["step"] * endowment, endowment)
        worse = sanctioned(seats, self.rules) & ~np.isnan(last)
        return {"contribution": np.where(worse, more, contribution)}, {}
