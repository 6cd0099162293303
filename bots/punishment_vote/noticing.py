"""Base class of the policies that notice the harm that others do."""

from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from bots.punishment_vote.reading import number_shown
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import own_window, place
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE
from mixed_company.policies.policy import Memory, Seats

_NOTICED = 6
"""Number of cells it notices in each direction."""


class Noticing(Foraging):
    """Base class of policies that notice harm: pending harm, and harmful resources that others
    take.

    A resource counts as taken if it was nearby last turn and another seat is there now.

    Notes from last turn: `saw`, the resources around the seat (EMPTY for none); `stood`, its
    position.
    """

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.near = min(self.rules.vision, _NOTICED)
        self.harms = np.array([resource.harm for resource in self.rules.resources.values()])

    def start(self) -> Memory:
        side = 2 * self.near + 1
        saw = [[EMPTY] * side for _ in range(side)]
        return {**super().start(), "saw": saw, "stood": [0, 0]}

    def harm_noticed(self, seats: Seats, notes: Notes) -> Array:
        """Return the points of harm (K,) that the seats notice this turn, and update the notes."""
        return self.taken(seats, notes) + number_shown(seats, "pending_harm", 0.0)

    def taken(self, seats: Seats, notes: Notes) -> Array:
        """Return the harm (K,) from resources that others took nearby since last turn; update the
        notes.
        """
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
