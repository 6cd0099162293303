from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.gem_mining.learning import Learner
from bots.scripted.gem_mining.reading import in_reach


class EpsilonGreedy(Learner):
    """Goes to the mine with its best average yield, and one time in ten to any mine."""

    id = "epsilon_greedy"
    source = "Sutton and Barto (2018), Reinforcement Learning, chapter 2"
    parameters = {"epsilon": Range(0.1, 0.0, 1.0)}

    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        if rng.random() < self.own["epsilon"]:
            return int(rng.integers(in_reach(observation)[1]))
        return self.best(observation, memory, self.rules.weights)
