from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.commons_game.reading import mean_of_others, sustainable_share


class GrimTrigger(Policy):
    """Takes its sustainable share until the others' mean once exceeds it, then all it may."""

    id = "grim_trigger"
    games = ("commons_game",)
    source = "Friedman (1971), Review of Economic Studies 38(1), on the group's mean"
    parameters = {"tolerance": Range(0.25, 0.0, 10.0)}

    def start(self) -> Memory:
        return {"triggered": False}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = mean_of_others(observation)
        share = sustainable_share(self.rules)
        betrayed = others is not None and others > share * (1.0 + self.own["tolerance"])
        memory = {"triggered": memory["triggered"] or betrayed}
        harvest = self.rules.max_harvest if memory["triggered"] else share
        return {"harvest": harvest, "contribution": 0.0}, memory
