from __future__ import annotations

import numpy as np

from bots.policy import Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import harms
from engine.contract.space import Array


class HarmAverse(Foraging):
    """Forages, with the harm it does to all others counted as its own loss, and never votes."""

    id = "harm_averse"
    source = "altruism weights: Levine (1998), Review of Economic Dynamics 1(3)"
    parameters = {"weight": Range(1.0, 0.0, 10.0)}

    def worths(self, level: Array) -> Array:
        return super().worths(level) - self.own["weight"] * np.array(harms(self.rules))
