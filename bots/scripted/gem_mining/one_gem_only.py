from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.gem_mining.learning import Learner


class OneGemOnly(Learner):
    """Goes to the mine that is best for one type of gem and ignores all others."""

    id = "one_gem_only"
    source = "ours: a corner of the set of preferences in Roijers et al. (2015)"
    parameters = {"gem": Range(0.0, 0.0, 9.0)}

    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        types = self.rules.gem_types
        wanted = min(int(self.own["gem"]), types - 1)
        return self.best(observation, memory, [float(k == wanted) for k in range(types)])
