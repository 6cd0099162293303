from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.sanctions.reading import own_baseline


class BaselineKeeper(Policy):
    """Contributes its baseline every period."""

    id = "baseline_keeper"
    games = ("sanctions",)
    source = "the norm follower of Ostrom (2000), Journal of Economic Perspectives 14(3)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"contribution": own_baseline(observation, self.rules)}, memory
