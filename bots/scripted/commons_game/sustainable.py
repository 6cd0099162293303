from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.commons_game.reading import sustainable_share


class Sustainable(Policy):
    """Takes an equal share of the maximum sustainable yield, whatever the stock."""

    id = "sustainable"
    games = ("commons_game",)
    source = "Schaefer (1954), Bulletin of the Inter-American Tropical Tuna Commission 1(2)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"harvest": sustainable_share(self.rules), "contribution": 0.0}, memory
