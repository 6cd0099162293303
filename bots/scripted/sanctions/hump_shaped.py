from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.sanctions.reading import mean_of_others, own_baseline, own_endowment


class HumpShaped(Policy):
    """Gives what the others did up to half its endowment, and less the more they gave beyond."""

    id = "hump_shaped"
    games = ("sanctions",)
    source = (
        "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), their hump-shaped type"
    )

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = mean_of_others(observation)
        if others is None:
            return {"contribution": own_baseline(observation, self.rules)}, memory
        most = own_endowment(observation, self.rules)
        return {"contribution": max(min(others, most - others), 0.0)}, memory
