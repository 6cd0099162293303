from __future__ import annotations

import numpy as np

from bots.commons_game.promises_and_keeps import PromisesAndKeeps
from mixed_company.policies.policy import Decided, Range, Seats


class PromisesAndBreaks(PromisesAndKeeps):
    """Promises to take its sustainable share, but takes twice as much."""

    id = "promises_and_breaks"
    preserves_stock = False
    parameters = {"excess": Range(2.0, 1.0, 1000.0)}

    def act_together(self, seats: Seats) -> Decided:
        taken = self.settings["excess"] * self.promised(seats)
        harvest = np.minimum(taken, self.rules.max_harvest)
        return {"harvest": harvest, "contribution": 0.0}, seats.memory
