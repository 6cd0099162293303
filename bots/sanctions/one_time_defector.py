from __future__ import annotations

import numpy as np

from bots.sanctions.reading import own_baseline
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class OneTimeDefector(Policy):
    """Contributes its baseline in every period except one, in which it contributes nothing."""

    id = "one_time_defector"
    games = ("sanctions",)
    source = "ours, to measure how long a single defection is remembered"
    parameters = {"period": Range(5.0, 0.0, 10_000.0)}

    def act_together(self, seats: Seats) -> Decided:
        defects = seats.period == int(self.settings["period"])
        return {"contribution": np.where(defects, 0.0, own_baseline(seats, self.rules))}, {}
