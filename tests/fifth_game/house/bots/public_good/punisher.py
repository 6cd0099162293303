from __future__ import annotations

import numpy as np

from bots.public_good.reading import somebody_to_punish
from mixed_company.policies.policy import Action, Memory, Observation, Policy, Range


class Punisher(Policy):
    """Gives all it has, and spends two points on punishing whenever another seat gave least."""

    id = "punisher"
    games = ("public_good",)
    source = "Fehr and Gaechter (2002), Altruistic punishment in humans, Nature 415"
    parameters = {"points": Range(2.0, 0.0, 1000.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        spent = min(round(self.settings["points"]), self.rules.most_punishment)
        punishment = float(spent) if somebody_to_punish(observation) else 0.0
        return {"contribution": float(self.rules.endowment), "punishment": punishment}, memory
