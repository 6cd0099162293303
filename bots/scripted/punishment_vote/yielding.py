from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation
from bots.scripted.punishment_vote.harm_averse import HarmAverse
from bots.scripted.punishment_vote.reading import Around, best_target, gains, left_to_others, place


class Yielding(HarmAverse):
    """Forages as `harm_averse`, but leaves what another seat in view is nearer to, and never votes.

    Two who walk to the same thing waste the steps of one. With nothing to go to it walks on only
    where what comes up is worth stepping on, on average; else it stays: each step is onto a cell on
    which something may have come up.
    """

    id = "yielding"
    source = "the nearer has it: Maynard Smith and Parker (1976), Animal Behaviour 24(1)"

    def move(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int | None:
        worths = self.worths(notes["level"])
        field = gains(around.codes, worths)
        target = best_target(left_to_others(field, around, worths), around.width, around.here)
        if target is not None:
            return target.move
        if float(np.dot(worths, self.weights)) <= 0:
            return None
        lost = self.rules.vision == 0 and place(observation) is None
        return self.straight_on(around, field, notes["heading"], lost, rng)
