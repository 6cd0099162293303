from __future__ import annotations

import numpy as np

from bots.gem_mining.reading import going_to, reach_of
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class Fixed(Policy):
    """Goes to the same mine every period: the first in reach by default.

    `mine` counts from 0 among the mines in reach. If the number is too large, the last of them is
    used.
    """

    id = "fixed"
    games = ("gem_mining",)
    source = "ours"
    parameters = {"mine": Range(0.0, 0.0, 9.0)}

    def act_together(self, seats: Seats) -> Decided:
        return going_to(seats, np.minimum(int(self.settings["mine"]), reach_of(seats) - 1)), {}
