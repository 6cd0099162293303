from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy


class Random(Policy):
    """Asks for any amount with equal chance, and pays any part of that."""

    id = "random"
    games = ("commons_game",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        harvest = rng.uniform(0.0, self.rules.max_harvest)
        return {"harvest": harvest, "contribution": rng.uniform(0.0, harvest)}, memory
