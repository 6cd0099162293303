from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around


class LawAndOrder(Foraging):
    """Forages, and votes for more punishment while the level is below its target.

    In half of the turns in which it wants to (`zeal`): a seat that votes does not walk, unless
    `actions` are composite, and against votes to the contrary it would never walk again.
    """

    id = "law_and_order"
    source = "ours, after Yamagishi (1986), Journal of Personality and Social Psychology 51(1)"
    parameters = {"target": Range(0.9, 0.0, 1.0), "zeal": Range(0.5, 0.0, 1.0)}

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        wants = notes["level"] < self.own["target"] - 1e-9
        return int(wants and rng.random() < self.own["zeal"])
