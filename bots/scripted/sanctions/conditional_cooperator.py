from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import mean_of_others, own_baseline, own_endowment


class ConditionalCooperator(Policy):
    """Gives a tenth less than the others did on average, and starts with its baseline."""

    id = "conditional_cooperator"
    games = ("sanctions",)
    source = "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), with their bias"
    parameters = {"bias": Range(0.1, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = mean_of_others(observation)
        if others is None:
            return {"contribution": own_baseline(observation, self.rules)}, memory
        most = own_endowment(observation, self.rules)
        return {"contribution": min((1.0 - self.own["bias"]) * others, most)}, memory
