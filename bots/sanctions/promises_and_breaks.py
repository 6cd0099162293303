from __future__ import annotations

import numpy as np

from bots.sanctions.promises_and_keeps import PromisesAndKeeps
from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Range, Seats


class PromisesAndBreaks(PromisesAndKeeps):
    """Promises to contribute its baseline, but contributes nothing."""

    id = "promises_and_breaks"
    parameters = {"share": Range(0.0, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        contribution = self.settings["share"] * self.promised(seats)
        return {
            "contribution": np.minimum(contribution, own_endowment(seats, self.rules))
        }, seats.memory
