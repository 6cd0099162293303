from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import kept_to_the_baseline, own_baseline


class TitForTat(Policy):
    """Contributes its baseline if the others kept to theirs last period, else nothing."""

    id = "tit_for_tat"
    games = ("sanctions",)
    source = "Axelrod (1984), The Evolution of Cooperation, on the group's sum"
    parameters = {"tolerance": Range(0.05, 0.0, 1.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        kept = kept_to_the_baseline(observation, self.rules, self.own["tolerance"])
        return {"contribution": own_baseline(observation, self.rules) if kept else 0.0}, memory
