from __future__ import annotations

import numpy as np

from bots.sanctions.reading import kept_to_the_baseline, own_baseline
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class TitForTat(Policy):
    """Contributes its baseline if the others kept to theirs last period, else nothing."""

    id = "tit_for_tat"
    games = ("sanctions",)
    source = "Axelrod (1984), The Evolution of Cooperation, applied to the group's sum"
    parameters = {"tolerance": Range(0.05, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        kept = kept_to_the_baseline(seats, self.rules, self.settings["tolerance"])
        return {"contribution": np.where(kept, own_baseline(seats, self.rules), 0.0)}, {}
