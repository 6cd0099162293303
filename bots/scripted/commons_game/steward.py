from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.commons_game.reading import own_wealth, stock_seen, sustainable_share


class Steward(Policy):
    """Takes its sustainable share, and pays a tenth of its wealth while the stock is below half."""

    id = "steward"
    games = ("commons_game",)
    source = "ours, after the monitors of Ostrom (1990), Governing the Commons"
    parameters = {"share": Range(0.1, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        stock = stock_seen(observation, self.rules)
        low = stock < self.rules.capacity / 2
        paid = self.own["share"] * own_wealth(observation) if low else 0.0
        harvest = sustainable_share(self.rules)
        return {"harvest": harvest, "contribution": paid}, memory
