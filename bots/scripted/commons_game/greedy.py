from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy


class Greedy(Policy):
    """Always asks for the most it may and never pays."""

    id = "greedy"
    games = ("commons_game",)
    source = "open access: Gordon (1954), Journal of Political Economy 62(2)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"harvest": self.rules.max_harvest, "contribution": 0.0}, memory
