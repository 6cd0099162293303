from __future__ import annotations

import numpy as np

from bots.sanctions.reading import mean_of_others, own_baseline, own_endowment
from mixed_company.policies.policy import Decided, Policy, Range, Seats


class NoisyPerson(Policy):
    """Wavers between its baseline and the others' contributions, with random errors."""

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
        endowment, draws = own_endowment(seats, self.rules), seats.draws
        baseline, others = own_baseline(seats, self.rules), mean_of_others(seats)
        drawn_to = (1.0 - self.settings["imitation"]) * baseline + self.settings[
            "imitation"
        ] * others
        target = np.where(np.isnan(others), baseline, drawn_to)
        contribution = target + self.settings["error"] * endowment * draws.normal()
        whims = draws.random() < self.settings["whim"]
        contribution = np.where(whims, draws.uniform(0.0, endowment, where=whims), contribution)
        return {"contribution": np.minimum(np.maximum(np.rint(contribution), 0.0), endowment)}, {}
