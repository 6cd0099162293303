from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.sanctions.reading import others_as_shown
from engine.solutions.sanctions import best_response


class BestResponder(Policy):
    """Maximises its private payoff as if the others repeated their last contributions."""

    id = "best_responder"
    games = ("sanctions",)
    source = "Cournot (1838), Researches into the Mathematical Principles of the Theory of Wealth"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        seat = int(observation["seat"])
        own = np.zeros(self.rules.seats)
        own[seat] = 1.0
        others = others_as_shown(observation, self.rules)
        return {"contribution": best_response(self.rules, others, seat, own)}, memory
