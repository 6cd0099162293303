from __future__ import annotations

import numpy as np

from bots.peer_points.reading import Assigns
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class RewardsAboveAverage(Assigns):
    """Rewards seats in proportion to how much more they gave, or less they took, than average."""

    id = "rewards_above_average"
    source = (
        "ours, after Sefton, Shupp and Walker (2007), Economic Inquiry 45(4), whose participants "
        "can reward each other; `points`, for a whole endowment above the average, is our choice"
    )
    parameters = {"points": Range(4.0, 0.0, 100.0)}
    apiece = True

    def wishes(self, seats: Seats) -> Array:
        above = np.maximum(self.above_average(seats), 0.0)
        slope = np.broadcast_to(self.settings["points"], (seats.count,))
        return self.reward(slope[:, None] * above)
