from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from engine.games.punishment_vote import ACTIONS


class Random(Policy):
    """Does anything that can be done with equal chance."""

    id = "random"
    games = ("punishment_vote",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"action": float(rng.integers(len(ACTIONS[self.rules.actions])))}, memory
