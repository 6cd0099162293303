from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around, known


class ConditionalVoter(Foraging):
    """Forages, and votes as most of the others just did, while that moves the level."""

    id = "conditional_voter"
    source = "conformity: Asch (1956), Psychological Monographs 70(9)"

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        up, down = known(observation, "increases"), known(observation, "decreases")
        if up is None or down is None:
            return 0
        lead = up - down - notes["vote"]  # its own vote is no reason to vote so again
        vote = int(lead > 0) - int(lead < 0)
        return vote if self.moved(notes["level"], vote) != notes["level"] else 0
