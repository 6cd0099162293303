from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment
from mixed_company.policies.policy import Decided, Policy, Seats


class HumpShaped(Policy):
    """Contributes the others' average or, if it is less, its endowment minus that average."""

    id = "hump_shaped"
    games = ("sanctions",)
    source = (
        "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), their hump-shaped type"
    )

    def act_together(self, seats: Seats) -> Decided:
        others, endowment = mean_of_others(seats), own_endowment(seats, self.rules)
        hump = np.maximum(np.minimum(others, endowment - others), 0.0)
        contribution = np.where(np.isnan(others), own_baseline(seats, self.rules), hump)
        return {"contribution": contribution}, {}
