from __future__ import annotations

import numpy as np

from bots.sanctions.promising import PromisesContribution
from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Seats


class PromisesAndKeeps(PromisesContribution):
    """Says that it will give its baseline, and gives what it said."""

    id = "promises_and_keeps"
    games = ("sanctions",)
    source = "Ostrom, Walker and Gardner (1992), American Political Science Review 86(2)"

    def act_together(self, seats: Seats) -> Decided:
        given = np.minimum(self.promised(seats), own_endowment(seats, self.rules))
        return {"contribution": given}, seats.memory
