from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.engine.games.punishment_vote.tables import FIRST_RESOURCE
from mixed_company.policies.policy import Memory, Range, Seats


class TabooSeeker(Foraging):
    """Forages; once punishment makes a resource in view worthless, votes to lower the level to 0.

    Meanwhile it votes in half of the turns (`zeal`) and forages in the others, because a seat that
    votes does not move unless `actions` are composite. `voting`: whether it has started to vote and
    not yet stopped.
    """

    id = "taboo_seeker"
    source = "ours, after voting by one's income: Meltzer and Richard (1981), JPE 89(5)"
    parameters = {"zeal": Range(0.5, 0.0, 1.0)}

    def start(self) -> Memory:
        return {**super().start(), "voting": 0}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        level = notes["level"]
        voting = (notes["voting"] > 0) | self.sees_worthless(around, level)
        voting &= self.moved(level, -1) < level
        notes["voting"] = voting.astype(np.int64)
        votes: Array = voting & (seats.draws.random(where=voting) < self.settings["zeal"])
        return -votes.astype(np.int64)

    def sees_worthless(self, around: Around, level: Array) -> Array:
        """Flag the seats (K,) that see a resource which would be worth collecting if it were not
        punished.
        """
        kinds = (self.values > 0) & (self.worths(level) <= 0)
        seen = np.zeros(len(level), dtype=np.bool_)
        for kind in range(len(self.values)):
            seen |= kinds[:, kind] & (around.codes == FIRST_RESOURCE + kind).any(axis=1)
        return seen
