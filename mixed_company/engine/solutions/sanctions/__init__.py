"""Solutions of the sanctions game: one period without sanctions, and the repeated game.

    from mixed_company.engine.solutions import sanctions as solutions
    solutions.nash(core)                           -> purely selfish
    solutions.coopetitive_equilibrium(core)        -> partners' payoffs count by dependence
    solutions.coopetitive_equilibrium(core, 0.5)   -> ... times the trust in them
    solutions.social_optimum(core)                 -> the largest sum of private payoffs

With the parameters of the source (6 seats) the four are 19.367752, 20.044940, 19.700809 and
21.429907: a baseline of 40 asks for more than is good for the group.

    solutions.best_reply(game, others)             -> with sanctions, over a whole play: the best
                                                      reply found, and an upper bound
    solutions.symmetric_path(game)                 -> a path from which deviating gains little
    solutions.gains(game, path, instead, 100, 1)   -> the exact gain of one deviation
    solutions.exact_reply(game)                    -> for `graduated` and similar games, and the
    solutions.least_discount(game)                    discount from which keeping is best
    solutions.foreseen(game, seat, before, amounts, others)  -> rewards of the next period

The others follow a fixed path. The best reply to seats that react is unknown. So is the most that a
group can earn in total, with sanctions, rewards and the welfare of others. A group's best result is
computed only for private payoffs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.sanctions.core import SanctionsCore
from mixed_company.engine.solutions import Best, Solution, shares
from mixed_company.engine.solutions.sanctions.bound import reply_bound
from mixed_company.engine.solutions.sanctions.keeping import (
    enough_discount,
    exact_reply,
    least_discount,
    reforming_discount,
)
from mixed_company.engine.solutions.sanctions.one_period import (
    best_response,
    coopetitive_equilibrium,
    nash,
    payoffs,
    social_optimum,
)
from mixed_company.engine.solutions.sanctions.replay import (
    best_alike,
    constant,
    foreseen,
    gains,
    replayed,
    returns,
)
from mixed_company.engine.solutions.sanctions.replies import Reply, best_reply, symmetric_path

__all__ = [
    "PRIVATE",
    "SOLUTION",
    "Reply",
    "best_alike",
    "best_reply",
    "best_response",
    "constant",
    "coopetitive_equilibrium",
    "enough_discount",
    "exact_reply",
    "foreseen",
    "gains",
    "least_discount",
    "nash",
    "payoffs",
    "reforming_discount",
    "replayed",
    "reply_bound",
    "returns",
    "share_of_best",
    "social_optimum",
    "symmetric_path",
]

PRIVATE = ("kept", "production", "synergy")
"""Reward components that are private payoffs, without sanctions and the welfare of others."""


def share_of_best(
    game: Game[SanctionsCore], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """Return plays' private payoffs as `shares` of those at the social optimum, (B, 2)."""
    earned = np.sum([parts[name] for parts in components for name in PRIVATE], axis=0)
    return shares(earned.sum(axis=-1), _most(game.core))


def _most(core: SanctionsCore) -> float:
    """Return the sum of all private payoffs in a play at the social optimum."""
    return core.periods * float(social_optimum(core).payoffs.sum())


def _best(game: Game[SanctionsCore], seed: int) -> Best:
    value = _most(game.core)
    how = "best replies for the sum of payoffs, one seat after the other"
    return Best("the social optimum (private payoffs)", value, error=0.0, how=how)


SOLUTION = Solution[SanctionsCore](best=_best, share_of_best=share_of_best)
