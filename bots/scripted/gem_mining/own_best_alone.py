from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation
from bots.scripted.gem_mining.learning import Learner


class OwnBestAlone(Learner):
    """Goes to the mine that is best for itself, by chances shown or by its own average yields."""

    id = "own_best_alone"
    source = "ours: as if there were no other villages"

    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        return self.best(observation, memory, self.rules.weights)
