from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.commons_game.reading import mean_of_others, sustainable_share


class TitForTat(Policy):
    """Takes its sustainable share if the others' mean kept to it last period, else all it may."""

    id = "tit_for_tat"
    games = ("commons_game",)
    source = "Axelrod (1984), The Evolution of Cooperation, on the group's mean"
    parameters = {"tolerance": Range(0.05, 0.0, 10.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        others = mean_of_others(observation)
        share = sustainable_share(self.rules)
        kept = others is None or others <= share * (1.0 + self.own["tolerance"])
        return {"harvest": share if kept else self.rules.max_harvest, "contribution": 0.0}, memory
