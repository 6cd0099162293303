from __future__ import annotations

from bots.policy import Seats
from bots.scripted.gem_mining.learning import Learned, Learner
from engine.contract.space import Array


class OwnBestAlone(Learner):
    """Goes to the mine that is best for itself, by chances shown or by its own average yields."""

    id = "own_best_alone"
    source = "ours: as if there were no other villages"

    def pick(self, seats: Seats, memory: Learned) -> Array:
        return self.best(seats, memory, self.rules.weights)
