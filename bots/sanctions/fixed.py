from __future__ import annotations

import numpy as np

from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Fixed(Policy):
    """Contributes the same every period, 10 unless told otherwise."""

    id = "fixed"
    games = ("sanctions",)
    source = "ours"
    parameters = {"contribution": Range(10.0, 0.0, 1e6)}
    apiece = True

    def act_together(self, seats: Seats) -> Decided:
        most = own_endowment(seats, self.rules)
        return {"contribution": np.minimum(self.own["contribution"], most)}, {}
