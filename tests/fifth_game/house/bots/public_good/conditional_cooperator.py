from __future__ import annotations

import math

import numpy as np

from bots.public_good.reading import mean_of_others
from mixed_company.policies.policy import Action, Memory, Observation, Policy, Range


class ConditionalCooperator(Policy):
    """Gives half of its points at first, then a tenth less than the others gave on average."""

    id = "conditional_cooperator"
    games = ("public_good",)
    source = "Fischbacher, Gaechter and Fehr (2001), Economics Letters 71(3), with their bias"
    parameters = {"bias": Range(0.1, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = mean_of_others(observation)
        amount = (
            self.rules.endowment / 2 if others is None else (1.0 - self.settings["bias"]) * others
        )
        amount = min(max(math.floor(amount), 0), self.rules.endowment)
        return {"contribution": float(amount), "punishment": 0.0}, memory
