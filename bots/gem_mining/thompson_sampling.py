from __future__ import annotations

import numpy as np

from bots.gem_mining.learning import Learned, Learner
from bots.gem_mining.reading import in_reach, largest
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Seats


class ThompsonSampling(Learner):
    """Samples chances from its beliefs about each mine; goes to the mine with the best sample."""

    id = "thompson_sampling"
    version = "2"
    source = "Thompson (1933), Biometrika 25, from uniform beliefs, on its own yields"

    def pick(self, seats: Seats, memory: Learned) -> Array:
        from scipy.special import betaincinv  # slow to import, and only this policy needs it

        gems, visits = memory["found"], memory["visits"][..., None]
        uniform = seats.draws.random(shape=gems.shape[1:])
        chances = betaincinv(1 + gems, 1 + visits - gems, uniform)
        points = np.zeros(chances.shape[:-1])
        for weight, chance in zip(self.rules.weights, np.moveaxis(chances, -1, 0), strict=True):
            points = points + weight * chance
        return largest(points, in_reach(seats, self.rules))
