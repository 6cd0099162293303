from __future__ import annotations

import numpy as np

from bots.peer_points.reading import Assigns
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Range, Seats


class Antisocial(Assigns):
    """Punishes seats in proportion to how much more they gave, or less they took, than average."""

    id = "antisocial"
    source = (
        "Herrmann, Thoeni and Gaechter (2008), Science 319(5868): punishment of those who gave at "
        "least as much; `points`, for a whole endowment above the average, is our choice"
    )
    parameters = {"points": Range(4.0, 0.0, 100.0)}
    apiece = True

    def wishes(self, seats: Seats) -> Array:
        above = np.maximum(self.above_average(seats), 0.0)
        slope = np.broadcast_to(self.settings["points"], (seats.count,))
        return self.punishment(slope[:, None] * above)
