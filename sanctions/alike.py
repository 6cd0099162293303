"""Plays in which all seats always give the same, for comparison on the results page."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mixed_company import engine
from mixed_company.engine.games.sanctions import SanctionsGame
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.server.pages import plain
from mixed_company.server.pages.plain import stops
from sanctions.words import most_given

__all__ = ["best_alike", "sums"]

LONGEST = 500
"""Maximum number of periods; longer plays are not replayed for a comparison."""

MOST_TRIED = 50_000
"""Maximum number of amounts times periods that are played to find the best equal amount."""


@lru_cache(maxsize=64)
def sums(game: SanctionsGame, gives: str) -> tuple[float, ...] | None:
    """Return each seat's total (n,) if all give nothing or, for "expected", the baseline.

    Return None if roles forbid it, if chance is involved, or if the play is too long.
    """
    amounts = (
        np.zeros(game.seats) if gives == "nothing" else per_seat(game.core.baseline, game.seats)
    )
    if game.shocks or game.horizon > LONGEST:
        return None
    if np.any(amounts > np.array(plain.most(game, "contribution"))):
        return None
    play, total = engine.Episode(game, seed=0), np.zeros(game.seats)
    while not play.done:
        total += play.step({"contribution": amounts.tolist()}).rewards
    return tuple(total.tolist())


@lru_cache(maxsize=64)
def best_alike(game: SanctionsGame) -> tuple[float, tuple[float, ...]] | None:
    """Return the amount, of the slider's stops, that earns most if all seats give it in every
    period, and the points so far of a seat on average.

    Return None if chance is involved, or if there is too much to play.
    """
    amounts = stops(game, "contribution", 0.0, min(most_given(game, i) for i in range(game.seats)))
    if game.shocks or len(amounts) < 2 or len(amounts) * game.horizon > MOST_TRIED:
        return None
    sent = np.repeat(np.array(amounts)[:, None], game.seats, axis=1)
    state, _seen = game.reset(np.zeros(len(amounts), dtype=np.int64))
    earned = []
    for _period in range(game.horizon):
        state, outcome = game.step(state, {"contribution": sent}, {})
        earned.append(outcome.rewards.mean(axis=1))
    points = np.cumsum(earned, axis=0)
    best = int(points[-1].argmax())
    return amounts[best], tuple(points[:, best].tolist())
