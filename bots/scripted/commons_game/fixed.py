from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range


class Fixed(Policy):
    """Asks for and pays the same every period, 2 and 0 unless told otherwise."""

    id = "fixed"
    games = ("commons_game",)
    source = "ours"
    parameters = {"harvest": Range(2.0, 0.0, 1e9), "contribution": Range(0.0, 0.0, 1e9)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"harvest": self.own["harvest"], "contribution": self.own["contribution"]}, memory
