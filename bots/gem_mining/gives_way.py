from __future__ import annotations

import numpy as np

from bots.gem_mining.learning import Learned, Learner
from bots.gem_mining.reading import in_reach, largest, others_in_reach, reach_of, shown
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Seats


class GivesWay(Learner):
    """Stays at its mine until others come there too, then moves to its best mine without others.

    It starts at the mine where it would earn the most alone. It returns there if it cannot see its
    own mine or the others.
    """

    id = "gives_way"
    source = "ours: the dove of Maynard Smith and Price (1973), Nature 246, at a mine"

    def pick(self, seats: Seats, memory: Learned) -> Array:
        worths = self.worths(seats, memory, self.rules.weights)
        best = largest(worths, in_reach(seats, self.rules))
        others, mine = others_in_reach(seats, self.rules), shown(seats, "own_mine")
        if mine is None:
            return best
        offset = np.where(mine.visible, mine.values, -1).astype(np.int64) - seats.seat
        visible = others.visible & (offset >= 0) & (offset < reach_of(seats))
        stays = np.where(visible, offset, 0)
        alone = others.values[seats.rows, stays] == 0
        free = in_reach(seats, self.rules) & (others.values == 0)
        elsewhere = np.where(free.any(axis=1), largest(worths, free), stays)
        return np.where(visible, np.where(alone, stays, elsewhere), best)
