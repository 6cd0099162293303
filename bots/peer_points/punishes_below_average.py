from __future__ import annotations

import numpy as np

from bots.peer_points.reading import Assigns
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class PunishesBelowAverage(Assigns):
    """Punishes seats in proportion to how much less they gave, or more they took, than average."""

    id = "punishes_below_average"
    source = (
        "Fehr and Gaechter (2000), American Economic Review 90(4): the further below the average, "
        "the more points; `points`, for a whole endowment below it, is our choice"
    )
    parameters = {"points": Range(4.0, 0.0, 100.0)}
    apiece = True

    def wishes(self, seats: Seats) -> Array:
        below = np.maximum(-self.above_average(seats), 0.0)
        slope = np.broadcast_to(self.settings["points"], (seats.count,))
        return self.punishment(slope[:, None] * below)
