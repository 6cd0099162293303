from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Notes, Noticing
from bots.punishment_vote.reading import harms
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.policies.policy import Memory, Range, Seats


class Retaliator(Noticing):
    """Forages like `harm_averse`; once others harm it, votes to raise the punishment level to 1.

    Meanwhile it votes in most turns (`zeal`) and forages in the others, because a seat that votes
    does not move unless `actions` are composite. `voting`: whether it has started to vote and not
    yet stopped.
    """

    id = "retaliator"
    source = "altruistic punishment: Fehr and Gächter (2002), Nature 415"
    parameters = {"zeal": Range(0.75, 0.0, 1.0)}

    def start(self) -> Memory:
        return {**super().start(), "voting": 0}

    def worths(self, level: Array) -> Array:
        return np.asarray(super().worths(level) - np.array(harms(self.rules)))

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        level = notes["level"]
        voting = (notes["voting"] > 0) | (self.harm_noticed(seats, notes) > 0)
        voting &= self.moved(level, 1) > level
        notes["voting"] = voting.astype(np.int64)
        votes: Array = voting & (seats.draws.random(where=voting) < self.settings["zeal"])
        return votes.astype(np.int64)
