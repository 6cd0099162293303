from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.engine.games.punishment_vote.tables import FIRST_RESOURCE
from mixed_company.policies.policy import Memory, Range, Seats


class TabooSeeker(Foraging):
    """Forages, and votes punishment down to 0 once it sees enough that punishment makes worthless.

    It starts when it sees `enough` such resources, and stops at level 0. Meanwhile it votes in half
    of the turns (`zeal`) and forages in the others, because a seat that votes does not move unless
    `actions` are composite. `voting`: whether it has started and not stopped.
    """

    id = "taboo_seeker"
    source = "ours, after voting by one's income: Meltzer and Richard (1981), JPE 89(5)"
    parameters = {"enough": Range(2, 1, 100), "zeal": Range(0.5, 0.0, 1.0)}

    def start(self) -> Memory:
        return {**super().start(), "voting": 0}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        level = notes["level"]
        starts = self.worthless(around, level) >= self.settings["enough"]
        voting = ((notes["voting"] > 0) | starts) & (self.moved(level, -1) < level)
        notes["voting"] = voting.astype(np.int64)
        votes: Array = voting & (seats.draws.random(where=voting) < self.settings["zeal"])
        return -votes.astype(np.int64)

    def worthless(self, around: Around, level: Array) -> Array:
        """Return how many resources in view (K,) would be worth collecting without punishment."""
        kinds = (self.values > 0) & (self.worths(level) <= 0)
        count = np.zeros(len(level), dtype=np.int64)
        for kind in range(len(self.values)):
            count += kinds[:, kind] * (around.codes == FIRST_RESOURCE + kind).sum(axis=1)
        return count
