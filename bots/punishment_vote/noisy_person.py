from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Notes, Noticing
from bots.punishment_vote.reading import number_shown
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.policies.policy import Memory, Range, Seats


class NoisyPerson(Noticing):
    """Forages with errors, sometimes idles, and votes for more punishment when it feels harmed.

    The harm that it feels (`hurt`) is halved every turn. It votes with probability `anger` per
    point of `hurt`. This probability is halved if most of the last votes were for less punishment.
    """

    id = "noisy_person"
    source = "ours"
    parameters = {
        "error": Range(0.05, 0.0, 1.0),
        "idle": Range(0.05, 0.0, 1.0),
        "whim": Range(0.01, 0.0, 1.0),
        "anger": Range(0.1, 0.0, 10.0),
    }

    def start(self) -> Memory:
        return {**super().start(), "hurt": 0.0}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        notes["hurt"] = 0.5 * notes["hurt"] + self.harm_noticed(seats, notes)
        whims = seats.draws.random() < self.settings["whim"]
        drawn = seats.draws.random()
        up, down = (number_shown(seats, name, 0.0) for name in ("increases", "decreases"))
        chance = self.settings["anger"] * notes["hurt"] * np.where(down > up, 0.5, 1.0)
        angry = (drawn < chance) & (notes["level"] < 1)
        return np.where(whims, np.where(drawn < 0.5, 1, -1), angry.astype(np.int64))

    def move(self, seats: Seats, around: Around, notes: Notes, where: Array) -> Array:
        drawn = seats.draws.random(where=where)
        idles = drawn < self.settings["idle"]
        errs = where & ~idles & (drawn < self.settings["idle"] + self.settings["error"])
        anywhere = seats.draws.integers(4, where=errs)
        moves = super().move(seats, around, notes, where & ~idles & ~errs)
        return np.where(errs, anywhere, moves)
