from __future__ import annotations

from functools import cached_property

import numpy as np

from bots.commons_game.reading import mean_of_others, yield_share
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class ConditionalCooperator(Policy):
    """Takes 10% more than the others' last average; starts with a share of the maximum yield.

    It starts by taking an equal share of the maximum sustainable yield. A group of conditional
    cooperators takes more every period and eventually empties any lake. It does so sooner if the
    lake starts below its best stock, as in `lab`.
    """

    id = "conditional_cooperator"
    games = ("commons_game",)
    source = "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), including their bias"
    parameters = {"bias": Range(0.1, -1.0, 10.0)}
    apiece = True

    @cached_property
    def share(self) -> float:
        """Equal share of the maximum sustainable yield, the same for the whole play."""
        return yield_share(self.rules)

    def act_together(self, seats: Seats) -> Decided:
        others = mean_of_others(seats)
        alike = np.minimum((1.0 + self.settings["bias"]) * others, self.rules.max_harvest)
        harvest = np.where(np.isnan(others), self.share, alike)
        return {"harvest": harvest, "contribution": 0.0}, {}
