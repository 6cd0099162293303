from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging
from bots.punishment_vote.reading import harms
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range


class HarmAverse(Foraging):
    """Forages, counts any harm it does to others as its own loss, and never votes."""

    id = "harm_averse"
    source = "altruism weights: Levine (1998), Review of Economic Dynamics 1(3)"
    parameters = {"weight": Range(1.0, 0.0, 10.0)}

    def worths(self, level: Array) -> Array:
        return super().worths(level) - self.settings["weight"] * np.array(harms(self.rules))
