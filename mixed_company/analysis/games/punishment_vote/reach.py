"""Points within reach after a step, computed from what the seats see."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis.games import Reach
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote.sight import points_per_step, votes
from mixed_company.policies.seats import Gathered


def _votes(game: Game[Any]) -> Array:
    return votes(game.core)


def _refuses(game: Game[Any]) -> str:
    return "" if game.core.vision > 0 else "vision = 0: seats do not see any resources"


def _worth(game: Game[Any], states: Arrays, seats: Array) -> Array:
    """Return the points per step for each seat's view, shape (B, A)."""
    plays = np.arange(len(seats))
    seen_by_all = game.observe(states, game.draw_chance(0, 0))
    seen = Gathered(game.declaration.observations, seen_by_all, plays, seats)
    return points_per_step(seen, game.core)


REACH = Reach("action", _votes, _refuses, _worth)
