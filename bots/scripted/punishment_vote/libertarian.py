from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around


class Libertarian(Foraging):
    """Forages, and votes for less punishment while the level is above its target.

    In half of the turns in which it wants to (`zeal`): a seat that votes does not walk, unless
    `actions` are composite, and against votes to the contrary it would never walk again.
    """

    id = "libertarian"
    source = "ours, after Nozick (1974), Anarchy, State, and Utopia"
    parameters = {"target": Range(0.0, 0.0, 1.0), "zeal": Range(0.5, 0.0, 1.0)}

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        wants = notes["level"] > self.own["target"] + 1e-9
        return -int(wants and rng.random() < self.own["zeal"])
