from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import kept_to_the_baseline, own_baseline


class GrimTrigger(Policy):
    """Contributes its baseline until the others once fall short of theirs, then nothing."""

    id = "grim_trigger"
    games = ("sanctions",)
    source = "Friedman (1971), Review of Economic Studies 38(1), on the group's sum"
    parameters = {"tolerance": Range(0.25, 0.0, 1.0)}

    def start(self) -> Memory:
        return {"triggered": False}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        kept = kept_to_the_baseline(observation, self.rules, self.own["tolerance"])
        memory = {"triggered": memory["triggered"] or not kept}
        given = 0.0 if memory["triggered"] else own_baseline(observation, self.rules)
        return {"contribution": given}, memory
