"""Policies for fitted types that move and vote in the punishment vote."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote.sight import points_per_step, votes
from mixed_company.policies.policy import Decided, Policy, Range, Seats
from mixed_company.policies.populations.fitted import chosen, column


class QuantalResponseReach(Policy):
    """Tends to step towards the most points per step, and sometimes votes."""

    id = "quantal_response_reach"
    games = ("punishment_vote",)
    version = "2"
    source = (
        "quantal_response_reach of mixed_company.analysis.behaviour: McKelvey and Palfrey (1995)"
    )
    parameters = {"precision": Range(1.0, 0.0, 1e6), "voting": Range(0.0, -100.0, 100.0)}
    apiece = True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> QuantalResponseReach:
        """Return the policy. Raises ConfigError if seats have no vision."""
        if not game.core.vision:
            raise ConfigError(
                f"{cls.id}: vision = 0: must be above 0, because the policy has to see nearby cells"
            )
        return cls(game.core, **parameters)

    def act_together(self, seats: Seats) -> Decided:
        worth = column(self.settings["precision"]) * points_per_step(seats.seen, self.rules)
        worth = worth + column(self.settings["voting"]) * votes(self.rules)
        return {"action": chosen(worth, np.ones(worth.shape, np.bool_), seats.draws)}, {}
