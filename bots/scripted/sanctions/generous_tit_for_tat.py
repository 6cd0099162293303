from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import kept_to_the_baseline, own_baseline


class GenerousTitForTat(Policy):
    """Does as tit for tat, but forgives every third breach by chance."""

    id = "generous_tit_for_tat"
    games = ("sanctions",)
    source = "Nowak and Sigmund (1992), Nature 355, on the group's sum"
    parameters = {"tolerance": Range(0.05, 0.0, 1.0), "generosity": Range(1 / 3, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        kept = kept_to_the_baseline(observation, self.rules, self.own["tolerance"])
        forgives = rng.random() < self.own["generosity"]
        given = own_baseline(observation, self.rules) if kept or forgives else 0.0
        return {"contribution": given}, memory
