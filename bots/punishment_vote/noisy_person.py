from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from bots.punishment_vote.reading import number_shown
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around, own_window, place
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE
from mixed_company.policies.policy import Memory, Range, Seats

_NOTICED = 6
"""Number of cells it notices in each direction."""


class NoisyPerson(Foraging):
    """Forages with errors, sometimes idles, and votes for more punishment when it feels harmed.

    It feels its pending harm and the harm of resources that it saw others take: those that were
    near in the last turn where another seat is now. Half of the feeling (`hurt`) passes every turn.
    It then votes with chance `anger` per point, halved if most of the last votes were for less
    punishment.

    Notes: `saw`, the resources that were around it, EMPTY for none, and `stood`, its position then.
    """

    id = "noisy_person"
    source = "ours"
    parameters = {
        "error": Range(0.05, 0.0, 1.0),
        "idle": Range(0.05, 0.0, 1.0),
        "whim": Range(0.01, 0.0, 1.0),
        "anger": Range(0.1, 0.0, 10.0),
    }

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.near = min(self.rules.vision, _NOTICED)
        self.harms = np.array([resource.harm for resource in self.rules.resources.values()])

    def start(self) -> Memory:
        side = 2 * self.near + 1
        saw = [[EMPTY] * side for _ in range(side)]
        return {**super().start(), "hurt": 0.0, "saw": saw, "stood": [0, 0]}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        taken = self.taken(seats, notes)
        notes["hurt"] = 0.5 * notes["hurt"] + taken + number_shown(seats, "pending_harm", 0.0)
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

    def taken(self, seats: Seats, notes: Notes) -> Array:
        """Return the harm (K,) of resources that were near last turn, where another seat is now."""
        near, vision, position = self.near, self.rules.vision, place(seats.seen)
        placed = ~np.isnan(position[:, 0])
        position = np.where(placed[:, None], position, 0).astype(np.int64)
        middle = slice(vision - near, vision + near + 1)
        codes = own_window(seats.seen)[:, middle, middle]
        somebody = codes >= FIRST_RESOURCE + len(self.harms)
        somebody[:, near, near] = False
        kinds = _moved(notes["saw"], position - notes["stood"]) - FIRST_RESOURCE
        harms = np.where(somebody & (kinds >= 0), self.harms[kinds], 0.0)
        felt = harms.reshape(len(position), -1).cumsum(axis=1)[:, -1]
        lies = (codes >= FIRST_RESOURCE) & (codes < FIRST_RESOURCE + len(self.harms))
        saw = np.where(lies, codes, EMPTY)
        notes["saw"] = np.where(placed[:, None, None], saw, notes["saw"])
        notes["stood"] = np.where(placed[:, None], position, notes["stood"])
        return np.where(placed, felt, 0.0)


def _moved(saw: Array, steps: Array) -> Array:
    """Return the noted cells (K, side, side) shifted by `steps` (K, 2), with EMPTY beyond them."""
    side = np.arange(saw.shape[1])
    rows, columns = (side + steps[:, axis, None] for axis in (0, 1))
    inside = ((rows >= 0) & (rows < len(side)))[:, :, None] & (
        (columns >= 0) & (columns < len(side))
    )[:, None, :]
    rows, columns = (np.clip(part, 0, len(side) - 1) for part in (rows, columns))
    plays = np.arange(len(saw))[:, None, None]
    return np.where(inside, saw[plays, rows[:, :, None], columns[:, None, :]], EMPTY)
