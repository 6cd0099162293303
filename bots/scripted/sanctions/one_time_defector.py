from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy, Range
from bots.scripted.sanctions.reading import own_baseline


class OneTimeDefector(Policy):
    """Contributes its baseline in every period but one, in which it gives nothing."""

    id = "one_time_defector"
    games = ("sanctions",)
    source = "ours, to see how long a single defection is remembered"
    parameters = {"period": Range(5.0, 0.0, 10_000.0)}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        defects = int(observation["period"]) == int(self.own["period"])
        given = 0.0 if defects else own_baseline(observation, self.rules)
        return {"contribution": given}, memory
