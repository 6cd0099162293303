from __future__ import annotations

import numpy as np

from bots.sanctions.reading import kept_to_the_baseline, own_baseline
from mixed_company.policies.policy import Decided, Memory, Policy, Range, Seats


class GrimTrigger(Policy):
    """Contributes its baseline until the others first fall short of theirs, then nothing."""

    id = "grim_trigger"
    games = ("sanctions",)
    source = "Friedman (1971), Review of Economic Studies 38(1), applied to the group's sum"
    parameters = {"tolerance": Range(0.25, 0.0, 1.0)}

    def start(self) -> Memory:
        return {"triggered": False}

    def act_together(self, seats: Seats) -> Decided:
        kept = kept_to_the_baseline(seats, self.rules, self.settings["tolerance"])
        triggered = seats.memory["triggered"] | ~kept
        contribution = np.where(triggered, 0.0, own_baseline(seats, self.rules))
        return {"contribution": contribution}, {"triggered": triggered}
