from __future__ import annotations

import numpy as np

from bots.gem_mining.learning import Learned, Learner
from bots.gem_mining.reading import reach_of
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class EpsilonGreedy(Learner):
    """Goes to the mine with the best average yield so far, but one time in ten to a random mine."""

    id = "epsilon_greedy"
    version = "2"
    source = "Sutton and Barto (2018), Reinforcement Learning, chapter 2"
    parameters = {"epsilon": Range(0.1, 0.0, 1.0)}

    def pick(self, seats: Seats, memory: Learned) -> Array:
        tries = seats.draws.random() < self.settings["epsilon"]
        anywhere = seats.draws.integers(reach_of(seats), where=tries)
        return np.where(tries, anywhere, self.best(seats, memory, self.rules.weights))
