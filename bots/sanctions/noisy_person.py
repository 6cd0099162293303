from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class NoisyPerson(Policy):
    """Drifts between its baseline and what others gave, errs, and at times does anything."""

    id = "noisy_person"
    games = ("sanctions",)
    version = "2"
    source = "ours"
    parameters = {
        "imitation": Range(0.5, 0.0, 1.0),
        "error": Range(0.1, 0.0, 1.0),
        "whim": Range(0.05, 0.0, 1.0),
    }

    def act_together(self, seats: Seats) -> Decided:
        most, draws = own_endowment(seats, self.rules), seats.draws
        baseline, others = own_baseline(seats, self.rules), mean_of_others(seats)
        drawn_to = (1.0 - self.own["imitation"]) * baseline + self.own["imitation"] * others
        target = np.where(np.isnan(others), baseline, drawn_to)
        given = target + self.own["error"] * most * draws.normal()
        whims = draws.random() < self.own["whim"]
        given = np.where(whims, draws.uniform(0.0, most, where=whims), given)
        return {"contribution": np.minimum(np.maximum(np.rint(given), 0.0), most)}, {}
