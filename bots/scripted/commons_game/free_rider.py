from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.commons_game.reading import sustainable_share


class FreeRider(Policy):
    """Never pays, and takes its sustainable share and all that the pool has just added."""

    id = "free_rider"
    games = ("commons_game",)
    source = "ours, after Olson (1965), The Logic of Collective Action"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        pool = float(np.nan_to_num(observation["pool"]))
        harvest = sustainable_share(self.rules) + self.rules.pool_effect * pool
        return {"harvest": min(harvest, self.rules.max_harvest), "contribution": 0.0}, memory
