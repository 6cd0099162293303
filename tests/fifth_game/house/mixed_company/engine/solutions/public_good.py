"""Solutions of the public good: the social optimum and the equilibrium.

    solutions.social_optimum(core)     -> contribution of every seat, and points of a seat
    solutions.equilibrium(core)        -> the same if each seat counts only its own points

A point in the pot pays n * m to all, and m to its giver. Therefore giving everything is best for
all if n * m > 1, and best for oneself if m > 1. With 4 seats and m = 0.4 these differ: 32 points
against 20. Punishing costs points and pays nothing in the same period, so nobody punishes in the
last period nor, by backward induction, before. Source: Ledyard (1995), in Kagel and Roth, Handbook
of Experimental Economics, chapter 2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.arrays import over_seats, total
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.public_good import PublicGoodCore
from mixed_company.engine.solutions import Best, Solution, shares

__all__ = ["SOLUTION", "Profile", "equilibrium", "share_of_best", "social_optimum"]


class Profile(NamedTuple):
    """Contribution of every seat in a period, and the points that each earns in it."""

    contribution: float
    points: float


def social_optimum(core: PublicGoodCore) -> Profile:
    """Return the profile with the largest sum of points. If giving makes no difference, nobody
    gives.
    """
    return _all_give(core, core.seats * core.marginal_return > 1.0)


def equilibrium(core: PublicGoodCore) -> Profile:
    """Return the subgame-perfect equilibrium of a play without layers: nobody punishes."""
    return _all_give(core, core.marginal_return > 1.0)


def share_of_best(
    game: Game[PublicGoodCore], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """Return the points of plays, before peer points, as `shares` of the optimum's, (B, 2)."""
    earned = sum(over_seats(total(parts)) for parts in components)
    return shares(np.asarray(earned), _most(game.core))


def _all_give(core: PublicGoodCore, everything: bool) -> Profile:
    amount = float(core.endowment) if everything else 0.0
    return Profile(amount, core.endowment - amount + core.marginal_return * core.seats * amount)


def _most(core: PublicGoodCore) -> float:
    """Return the total points of a play at the social optimum."""
    return core.periods * core.seats * social_optimum(core).points


def _best(game: Game[PublicGoodCore], seed: int) -> Best:
    how = "the larger of giving all and nothing"
    return Best("the social optimum", _most(game.core), error=0.0, how=how)


SOLUTION = Solution[PublicGoodCore](best=_best, share_of_best=share_of_best)
