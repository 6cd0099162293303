from __future__ import annotations

from bots.gem_mining.learning import Learned, Learner
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Seats


class OwnBestAlone(Learner):
    """Goes to its own best mine, judged by the chances if shown, or else by its average yields."""

    id = "own_best_alone"
    source = "ours: as if there were no other villages"

    def pick(self, seats: Seats, memory: Learned) -> Array:
        return self.best(seats, memory, self.rules.weights)
