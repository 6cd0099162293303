from __future__ import annotations

import numpy as np

from mixed_company.policies.policy import Action, Memory, Observation, Policy


class FreeRider(Policy):
    """Gives nothing and punishes nobody."""

    id = "free_rider"
    games = ("public_good",)
    source = "Olson (1965), The Logic of Collective Action"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"contribution": 0.0, "punishment": 0.0}, memory
