"""The best amount that all seats can give in every period."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mixed_company.engine.games.sanctions.rules import SanctionsGame

__all__ = ["best_alike"]


@lru_cache(maxsize=64)
def best_alike(game: SanctionsGame, amounts: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    """Return the amount that earns most if all seats give it in every period, and the points so far
    of a seat on average.

    Only for games without shocks. Nobody assigns peer points.
    """
    sent = {"contribution": np.repeat(np.array(amounts)[:, None], game.seats, axis=1)}
    if game.peers is not None:
        sent["assign"] = np.zeros((len(amounts), game.seats, game.seats))
    seeds = np.zeros(len(amounts), dtype=np.int64)
    state, _ = game.reset(seeds)
    earned = []
    for _step in range(game.steps):
        state, outcome = game.step(state, sent, game.draw_chance(seeds, state["period"]))
        earned.append(outcome.rewards.mean(axis=1))
    points = np.cumsum(earned, axis=0)[game.stages.last :: len(game.stages.names)]
    best = int(points[-1].argmax())
    return amounts[best], tuple(points[:, best].tolist())
