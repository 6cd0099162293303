from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.gem_mining.reading import going_to, in_reach, largest, others_in_reach


class AvoidCrowd(Policy):
    """Goes where the fewest workers of others were last period, and to any mine at first."""

    id = "avoid_crowd"
    games = ("gem_mining",)
    source = "the minority game: Challet and Zhang (1997), Physica A 246"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = others_in_reach(observation, self.rules)
        if others is None:
            return going_to(observation, int(rng.integers(in_reach(observation)[1]))), memory
        return going_to(observation, largest([-count for count in others])), memory
