"""Asks for and pays the same every period, 2 and 0 unless told otherwise."""

from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy


class Fixed(Policy):
    """Asks for and pays the same every period, 2 and 0 unless told otherwise."""

    id = "fixed"
    games = ("commons_game",)
    source = "ours"
    parameters = {"harvest": 2.0, "contribution": 0.0}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        return {"harvest": self.own["harvest"], "contribution": self.own["contribution"]}, memory
