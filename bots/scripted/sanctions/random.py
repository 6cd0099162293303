from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.sanctions.reading import own_endowment


class Random(Policy):
    """Contributes any part of its endowment with equal chance."""

    id = "random"
    games = ("sanctions",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        most = own_endowment(observation, self.rules)
        return {"contribution": rng.uniform(0.0, most)}, memory
