from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import own_endowment


class Fixed(Policy):
    """Contributes the same every period, 10 unless told otherwise."""

    id = "fixed"
    games = ("sanctions",)
    source = "ours"
    parameters = {"contribution": Range(10.0, 0.0, 1e6)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        most = own_endowment(observation, self.rules)
        return {"contribution": min(self.own["contribution"], most)}, memory
