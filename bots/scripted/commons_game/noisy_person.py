from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.commons_game.reading import (
    mean_of_others,
    own_wealth,
    stock_seen,
    sustainable_share,
)


class NoisyPerson(Policy):
    """Drifts between its sustainable share and what others took, errs, at times does anything."""

    id = "noisy_person"
    games = ("commons_game",)
    source = "ours"
    parameters = {
        "imitation": Range(0.5, 0.0, 1.0),
        "error": Range(0.3, 0.0, 3.0),
        "whim": Range(0.05, 0.0, 1.0),
    }

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        most = self.rules.max_harvest
        others = mean_of_others(observation)
        target = sustainable_share(self.rules)
        if others is not None:
            target = (1.0 - self.own["imitation"]) * target + self.own["imitation"] * others
        harvest = target * np.exp(self.own["error"] * rng.standard_normal())
        if rng.random() < self.own["whim"]:
            harvest = rng.uniform(0.0, most)
        harvest = min(round(2.0 * harvest) / 2.0, most)
        low = stock_seen(observation, self.rules) < self.rules.capacity / 2
        paid = round(rng.uniform(0.0, 0.2 * own_wealth(observation))) if low else 0
        return {"harvest": harvest, "contribution": float(paid)}, memory
