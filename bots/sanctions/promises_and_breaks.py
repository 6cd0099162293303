from __future__ import annotations

import numpy as np

from bots.sanctions.promising import PromisesContribution
from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Range, Seats


class PromisesAndBreaks(PromisesContribution):
    """Says that it will give its baseline, and gives nothing."""

    id = "promises_and_breaks"
    games = ("sanctions",)
    source = "Ostrom, Walker and Gardner (1992), American Political Science Review 86(2)"
    parameters = {"share": Range(0.0, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        given = self.own["share"] * self.promised(seats)
        return {"contribution": np.minimum(given, own_endowment(seats, self.rules))}, seats.memory
