from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.gem_mining.reading import going_to, in_reach


class Random(Policy):
    """Goes to any mine in reach with equal chance."""

    id = "random"
    games = ("gem_mining",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return going_to(observation, int(rng.integers(in_reach(observation)[1]))), memory
