from __future__ import annotations

import numpy as np

from bots.gem_mining.reading import going_to, reach_of
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Fixed(Policy):
    """Goes to the same mine every period, by default the first in reach.

    `mine` counts from 0 among the mines in reach. If it is beyond them, the last one is used.
    """

    id = "fixed"
    games = ("gem_mining",)
    source = "ours"
    parameters = {"mine": Range(0.0, 0.0, 9.0)}

    def act_together(self, seats: Seats) -> Decided:
        return going_to(seats, np.minimum(int(self.settings["mine"]), reach_of(seats) - 1)), {}
