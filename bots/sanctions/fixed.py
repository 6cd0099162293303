from __future__ import annotations

import numpy as np

from bots.sanctions.reading import own_endowment
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Fixed(Policy):
    """Contributes the same amount every period: 10 by default."""

    id = "fixed"
    games = ("sanctions",)
    source = "ours"
    parameters = {"contribution": Range(10.0, 0.0, 1e6)}
    apiece = True

    def act_together(self, seats: Seats) -> Decided:
        endowment = own_endowment(seats, self.rules)
        return {"contribution": np.minimum(self.settings["contribution"], endowment)}, {}
