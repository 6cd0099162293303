from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from bots.punishment_vote.reading import number_shown
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.policies.policy import Seats


class ConditionalVoter(Foraging):
    """Forages, and votes with the majority of the others' last votes if that can move the level."""

    id = "conditional_voter"
    source = "conformity: Asch (1956), Psychological Monographs 70(9)"

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        up, down = (number_shown(seats, name, np.nan) for name in ("increases", "decreases"))
        lead = np.nan_to_num(up - down - notes["vote"])  # leave out its own vote
        vote = np.sign(lead).astype(np.int64)
        return np.where(self.moved(notes["level"], vote) != notes["level"], vote, 0)
