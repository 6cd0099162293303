from __future__ import annotations

from bots.gem_mining.learning import Learned, Learner
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class OneGemOnly(Learner):
    """Goes to the best mine for one type of gem, and ignores all other types."""

    id = "one_gem_only"
    source = "ours: a corner of the set of preferences in Roijers et al. (2015)"
    parameters = {"gem": Range(0.0, 0.0, 9.0)}

    def pick(self, seats: Seats, memory: Learned) -> Array:
        types = self.rules.gem_types
        wanted = min(int(self.settings["gem"]), types - 1)
        return self.best(seats, memory, [float(k == wanted) for k in range(types)])
