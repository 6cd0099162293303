from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import mean_of_others, own_baseline, own_endowment, sanctioned


class SanctionAverse(Policy):
    """Gives a tenth less than the others did, and more than it just gave where that was sanctioned.

    It starts with its baseline. While what reciprocity does to it takes points from it, it gives
    `step` of its endowment more than last period, whatever the others do. Where the effects on it
    are not shown it knows of none.
    """

    id = "sanction_averse"
    games = ("sanctions",)
    source = "ours, after Fehr and Gaechter (2000), American Economic Review 90(4)"
    parameters = {"bias": Range(0.1, 0.0, 1.0), "step": Range(0.1, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        most = own_endowment(observation, self.rules)
        own = float(observation["contribution"][int(observation["seat"])])
        if sanctioned(observation, self.rules) and not np.isnan(own):
            return {"contribution": min(own + self.own["step"] * most, most)}, memory
        others = mean_of_others(observation)
        if others is None:
            return {"contribution": own_baseline(observation, self.rules)}, memory
        return {"contribution": min((1.0 - self.own["bias"]) * others, most)}, memory
