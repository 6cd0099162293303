from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.policies.policy import Range, Seats


class Libertarian(Foraging):
    """Forages, and votes for less punishment while the level is above its target.

    It votes in only half of the turns in which it wants to (`zeal`). A seat that votes does not
    move unless `actions` are composite, so against opposing votes it would never move again.
    """

    id = "libertarian"
    source = "ours, after Nozick (1974), Anarchy, State, and Utopia"
    parameters = {"target": Range(0.0, 0.0, 1.0), "zeal": Range(0.5, 0.0, 1.0)}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        wants = notes["level"] > self.settings["target"] + 1e-9
        votes: Array = wants & (seats.draws.random(where=wants) < self.settings["zeal"])
        return -votes.astype(np.int64)
