from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation
from bots.scripted.gem_mining.learning import Learner
from bots.scripted.gem_mining.reading import in_reach, largest


class ThompsonSampling(Learner):
    """Draws chances from what it believes of each mine, and goes where those drawn are best."""

    id = "thompson_sampling"
    source = "Thompson (1933), Biometrika 25, from uniform beliefs on the own yields"

    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        reach = in_reach(observation)[1]
        gems = np.array(memory["found"][:reach])
        visits = np.array(memory["visits"][:reach])[:, None]
        drawn = rng.beta(1 + gems, 1 + visits - gems)
        return largest((drawn @ np.array(self.rules.weights)).tolist())
