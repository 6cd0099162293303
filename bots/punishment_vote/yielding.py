from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Notes
from bots.punishment_vote.harm_averse import HarmAverse
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around, left_to_others
from mixed_company.policies.policy import Seats


class Yielding(HarmAverse):
    """Forages like `harm_averse`, but gives up targets that are nearer to another seat in view.

    When two seats walk to the same resource, one of them wastes its steps. Without a target, it
    explores only if an average new resource is worth collecting. Otherwise it stays, because any
    step can land on a new resource.
    """

    id = "yielding"
    source = "the nearer seat gets it: Maynard Smith and Parker (1976), Animal Behaviour 24(1)"

    def move(self, seats: Seats, around: Around, notes: Notes, where: Array) -> Array:
        worths = self.worths(notes["level"])
        left = left_to_others(around, worths.shape[1])
        moves = self.towards(around, worths, where, left)
        on = where & (moves < 0) & self.worth_stepping_on(worths)
        return np.where(on, self.straight_on(seats, around, worths, notes["heading"], on), moves)
