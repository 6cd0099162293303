from __future__ import annotations

import numpy as np

from bots.peer_points.reading import Assigns
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Seats


class NeverPunishes(Assigns):
    """Assigns no points, which earns the most within a single period."""

    id = "never_punishes"
    source = (
        "Fehr and Gaechter (2000), American Economic Review 90(4), prediction for selfish players"
    )

    def wishes(self, seats: Seats) -> Array:
        return np.zeros(seats.seen["income"].shape)
