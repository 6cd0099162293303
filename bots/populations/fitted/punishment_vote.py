"""How people step over a field, and vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.policy import Decided, Policy, Range, Seats
from bots.populations.choosing import chosen, column
from bots.scripted.punishment_vote.reach import points_per_step, votes
from engine.contract.errors import ConfigError
from engine.game import Game

__all__ = ["QuantalResponseReach"]


class QuantalResponseReach(Policy):
    """Prefers to step where more can be collected per step, votes at times, and errs."""

    id = "quantal_response_reach"
    games = ("punishment_vote",)
    source = "quantal_response_reach of analysis.behaviour: McKelvey and Palfrey (1995)"
    parameters = {"precision": Range(1.0, 0.0, 1e6), "voting": Range(0.0, -100.0, 100.0)}
    apiece = True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> QuantalResponseReach:
        """Raises ConfigError where nobody sees what is within reach."""
        if not game.core.vision:
            raise ConfigError(f"{cls.id}: vision = 0: nobody sees what is within reach")
        return cls(game.core, **parameters)

    def act_together(self, seats: Seats) -> Decided:
        worth = column(self.own["precision"]) * points_per_step(seats, self.rules)
        worth = worth + column(self.own["voting"]) * votes(self.rules)
        return {"action": chosen(worth, np.ones(worth.shape, np.bool_), seats.draws)}, {}
