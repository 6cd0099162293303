from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.commons_game.reading import stock_seen
from engine.games.commons_game import growth


class HalfCapacity(Policy):
    """Takes an equal share of whatever would stand above half the capacity after growth."""

    id = "half_capacity"
    games = ("commons_game",)
    source = "escapement rule: Reed (1979), Journal of Environmental Economics and Management 6(4)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        stock = stock_seen(observation, self.rules)
        surplus = stock + growth(self.rules, stock) - self.rules.capacity / 2
        share = min(max(surplus / self.rules.seats, 0.0), self.rules.max_harvest)
        return {"harvest": share, "contribution": 0.0}, memory
