from __future__ import annotations

from functools import cached_property

import numpy as np

from bots.commons_game.reading import (
    mean_of_others,
    own_wealth,
    stock_seen,
    yield_share,
)
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class NoisyPerson(Policy):
    """Wavers between a share of the maximum yield and the others' harvests, with random errors."""

    id = "noisy_person"
    games = ("commons_game",)
    version = "2"
    source = "ours"
    parameters = {
        "imitation": Range(0.5, 0.0, 1.0),
        "error": Range(0.3, 0.0, 3.0),
        "whim": Range(0.05, 0.0, 1.0),
    }

    @cached_property
    def share(self) -> float:
        """Equal share of the maximum sustainable yield, the same for the whole play."""
        return yield_share(self.rules)

    def act_together(self, seats: Seats) -> Decided:
        maximum, draws = self.rules.max_harvest, seats.draws
        share, others = self.share, mean_of_others(seats)
        drawn_to = (1.0 - self.settings["imitation"]) * share + self.settings["imitation"] * others
        target = np.where(np.isnan(others), share, drawn_to)
        harvest = target * np.exp(self.settings["error"] * draws.normal())
        whims = draws.random() < self.settings["whim"]
        harvest = np.where(whims, draws.uniform(0.0, maximum, where=whims), harvest)
        harvest = np.minimum(np.rint(2.0 * harvest) / 2.0, maximum)
        low = stock_seen(seats, self.rules) < self.rules.capacity / 2
        paid = np.rint(draws.uniform(0.0, 0.2 * own_wealth(seats), where=low))
        return {"harvest": harvest, "contribution": paid}, {}
