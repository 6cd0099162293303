from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.sanctions.reading import mean_trust_in_others, own_endowment


class TrustFollower(Policy):
    """Contributes as large a share of its endowment as its mean trust in the others."""

    id = "trust_follower"
    games = ("sanctions",)
    source = "ours, after Berg, Dickhaut and McCabe (1995), Games and Economic Behavior 10(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        trust = mean_trust_in_others(observation, self.rules)
        return {"contribution": trust * own_endowment(observation, self.rules)}, memory
