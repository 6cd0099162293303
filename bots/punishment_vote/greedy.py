from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging
from mixed_company.engine.contract.space import Array


class Greedy(Foraging):
    """Goes for the most points per step as if nothing were punished, and never votes."""

    id = "greedy"
    source = "ours"

    def worths(self, level: Array) -> Array:
        return np.tile(self.values, (len(level), 1))
