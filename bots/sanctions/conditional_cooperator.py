from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class ConditionalCooperator(Policy):
    """Contributes 10% less than the others' average; starts at its baseline."""

    id = "conditional_cooperator"
    games = ("sanctions",)
    source = "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), including their bias"
    parameters = {"bias": Range(0.1, 0.0, 1.0)}
    apiece = True

    def act_together(self, seats: Seats) -> Decided:
        others, endowment = mean_of_others(seats), own_endowment(seats, self.rules)
        alike = np.minimum((1.0 - self.settings["bias"]) * others, endowment)
        contribution = np.where(np.isnan(others), own_baseline(seats, self.rules), alike)
        return {"contribution": contribution}, {}
