from __future__ import annotations

import numpy as np

from bots.gem_mining.reading import going_to, in_reach, largest, others_in_reach, reach_of
from mixed_company.policies.policy import Decided, Policy, Seats


class FollowCrowd(Policy):
    """Goes where the others had the most workers last period; starts at a random mine."""

    id = "follow_crowd"
    games = ("gem_mining",)
    version = "2"
    source = "herding: Banerjee (1992), Quarterly Journal of Economics 107(3)"

    def act_together(self, seats: Seats) -> Decided:
        others = others_in_reach(seats, self.rules)
        anywhere = seats.draws.integers(reach_of(seats), where=~others.visible)
        fullest = largest(others.values, in_reach(seats, self.rules))
        return going_to(seats, np.where(others.visible, fullest, anywhere)), {}
