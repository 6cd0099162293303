from __future__ import annotations

import numpy as np

from bots.gem_mining.reading import going_to, in_reach, largest, others_in_reach, reach_of
from mixed_company.policies.policy import Decided, Policy, Seats


class AvoidCrowd(Policy):
    """Goes where the others had the fewest workers last period; starts at a random mine."""

    id = "avoid_crowd"
    games = ("gem_mining",)
    version = "2"
    source = "the minority game: Challet and Zhang (1997), Physica A 246"

    def act_together(self, seats: Seats) -> Decided:
        others = others_in_reach(seats, self.rules)
        anywhere = seats.draws.integers(reach_of(seats), where=~others.visible)
        fewest = largest(-others.values, in_reach(seats, self.rules))
        return going_to(seats, np.where(others.visible, fewest, anywhere)), {}
