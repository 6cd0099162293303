from __future__ import annotations

import numpy as np

from bots.sanctions.reading import kept_to_the_baseline, own_baseline
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class GenerousTitForTat(Policy):
    """Plays tit for tat, but forgives each breach one time in three."""

    id = "generous_tit_for_tat"
    games = ("sanctions",)
    version = "2"
    source = "Nowak and Sigmund (1992), Nature 355, applied to the group's sum"
    parameters = {"tolerance": Range(0.05, 0.0, 1.0), "generosity": Range(1 / 3, 0.0, 1.0)}

    def act_together(self, seats: Seats) -> Decided:
        kept = kept_to_the_baseline(seats, self.rules, self.settings["tolerance"])
        forgives = seats.draws.random() < self.settings["generosity"]
        contribution = np.where(kept | forgives, own_baseline(seats, self.rules), 0.0)
        return {"contribution": contribution}, {}
