from __future__ import annotations

import numpy as np

from bots.sanctions.promises_and_keeps import PromisesAndKeeps
from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Range, Seats


class PromisesAndBreaks(PromisesAndKeeps):
    """Says that it will give its baseline, and gives nothing."""

    id = "promises_and_breaks"
    parameters = {"share": Range(0.0, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        given = self.own["share"] * self.promised(seats)
        return {"contribution": np.minimum(given, own_endowment(seats, self.rules))}, seats.memory
