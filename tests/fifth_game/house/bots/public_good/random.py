from __future__ import annotations

import numpy as np

from bots.public_good.reading import somebody_to_punish
from mixed_company.policies.policy import Action, Memory, Observation, Policy


class Random(Policy):
    """Gives and spends on punishing any number of points, all equally likely."""

    id = "random"
    games = ("public_good",)
    source = "zero intelligence: Gode and Sunder (1993), Journal of Political Economy 101(1)"

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        amount = rng.integers(0, self.rules.endowment, endpoint=True)
        spent = rng.integers(0, self.rules.most_punishment, endpoint=True)
        punishment = float(spent) if somebody_to_punish(observation) else 0.0
        return {"contribution": float(amount), "punishment": punishment}, memory
