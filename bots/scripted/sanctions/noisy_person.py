from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import mean_of_others, own_baseline, own_endowment


class NoisyPerson(Policy):
    """Drifts between its baseline and what others gave, errs, and at times does anything."""

    id = "noisy_person"
    games = ("sanctions",)
    source = "ours"
    parameters = {
        "imitation": Range(0.5, 0.0, 1.0),
        "error": Range(0.1, 0.0, 1.0),
        "whim": Range(0.05, 0.0, 1.0),
    }

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        most = own_endowment(observation, self.rules)
        others = mean_of_others(observation)
        target = own_baseline(observation, self.rules)
        if others is not None:
            target = (1.0 - self.own["imitation"]) * target + self.own["imitation"] * others
        given = target + self.own["error"] * most * rng.standard_normal()
        if rng.random() < self.own["whim"]:
            given = rng.uniform(0.0, most)
        return {"contribution": min(max(float(round(given)), 0.0), most)}, memory
