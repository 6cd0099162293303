"""The best amount that all seats can give in every period."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions import without_points


@lru_cache(maxsize=64)
def best_alike(game: SanctionsGame, amounts: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    """Return the amount that earns most if all seats give it in every period, and the points so far
    of a seat on average.

    Only for games without shocks. Nobody assigns points.
    """
    game = without_points(game)
    sent = np.repeat(np.array(amounts)[:, None], game.seats, axis=1)
    state, _ = game.reset(np.zeros(len(amounts), dtype=np.int64))
    earned = []
    for _period in range(game.horizon):
        state, outcome = game.step(state, {"contribution": sent}, {})
        earned.append(outcome.rewards.mean(axis=1))
    points = np.cumsum(earned, axis=0)
    best = int(points[-1].argmax())
    return amounts[best], tuple(points[:, best].tolist())
