from __future__ import annotations

import numpy as np

from bots.gem_mining.learning import Learned, Learner
from bots.gem_mining.reading import reach_of
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Seats


class ThompsonSampling(Learner):
    """Draws chances from what it believes of each mine, and goes where those drawn are best."""

    id = "thompson_sampling"
    source = "Thompson (1933), Biometrika 25, from uniform beliefs on the own yields"

    def pick(self, seats: Seats, memory: Learned) -> Array:
        reach, weights = reach_of(seats).tolist(), np.array(self.rules.weights)

        def best_of_drawn(rng: np.random.Generator, row: int) -> int:
            gems = memory["found"][row, : reach[row]]
            visits = memory["visits"][row, : reach[row], None]
            return int((rng.beta(1 + gems, 1 + visits - gems) @ weights).argmax())

        return seats.draws.apiece(best_of_drawn).astype(np.int64)
