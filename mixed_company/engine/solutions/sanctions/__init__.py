"""Solutions of the sanctions game: one period without sanctions, and the repeated game.

    from mixed_company.engine.solutions import sanctions as solutions
    solutions.nash(core)                           -> purely selfish
    solutions.coopetitive_equilibrium(core)        -> partners' payoffs count by dependence
    solutions.coopetitive_equilibrium(core, 0.5)   -> ... times the trust in them
    solutions.social_optimum(core)                 -> the largest sum of private payoffs

With the source's parameters (6 seats), the four are 19.367752, 20.044940, 19.700809 and 21.429907,
so a baseline of 40 is more than is good for the group.

    solutions.best_reply(game, others)             -> with sanctions, over a whole play: the best
                                                      reply found, and an upper bound
    solutions.symmetric_path(game)                 -> a path from which deviating gains little
    solutions.gains(game, path, instead, 100, 1)   -> the exact gain of one deviation
    solutions.exact_reply(game)                    -> for `graduated` and similar games, and the
    solutions.least_discount(game)                    discount from which keeping is best
    solutions.foreseen(game, seat, before, amounts, others)  -> rewards of the next period

The others follow a fixed path. The best reply to seats that react is unknown, and so is the most
that a group can earn in total, including sanctions, rewards and the welfare of others. A group's
best result is computed only for private payoffs.

**One period** without sanctions: Nash equilibrium, coopetitive equilibrium and social optimum.

All three are the same problem: seat i maximises sum_j W_ij pi_j, where W is the identity, the
identity plus min(T, 1 - R) D, or all ones. Its marginal value decreases in a_i and increases in the
others' contributions. So if seats best-respond in turn, starting from full endowments,
contributions fall to the largest equilibrium. Source: TR-1 (arXiv:2510.18802), which introduces the
term coopetitive equilibrium.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.sanctions.core import SanctionsCore, dependence_matrix, per_seat
from mixed_company.engine.games.sanctions.equations import private_payoff
from mixed_company.engine.solutions import Best, Solution, shares
from mixed_company.engine.solutions.sanctions.keeping import (
    enough_discount,
    exact_reply,
    least_discount,
    reforming_discount,
)
from mixed_company.engine.solutions.sanctions.replay import (
    best_alike,
    constant,
    foreseen,
    gains,
    replayed,
    returns,
)
from mixed_company.engine.solutions.sanctions.replies import (
    Reply,
    best_reply,
    reply_bound,
    symmetric_path,
)

Weights = float | Sequence[Sequence[float]] | Array

_ROUNDS = 10_000
_TOLERANCE = 1e-12  # relative to the endowment


@dataclass(frozen=True)
class Contributions:
    """Contributions (n,) and the resulting private payoffs (n,), both in points."""

    contributions: Array
    payoffs: Array


def payoffs(core: SanctionsCore, contributions: Sequence[float] | Array) -> Array:
    """Return the private payoffs of one period, shape (n,)."""
    parts = private_payoff(core, np.asarray(contributions, dtype=np.float64))
    total: Array = parts["kept"] + parts["production"] + parts["synergy"]
    return total


def nash(core: SanctionsCore) -> Contributions:
    """Return the Nash equilibrium in which each seat counts only its own payoff."""
    return _solved(core, np.eye(core.seats))


def coopetitive_equilibrium(core: SanctionsCore, trust: Weights = 1.0) -> Contributions:
    """Return the Nash equilibrium when seats weight partners' payoffs by dependence and trust.

    `trust` scales the dependence, min(T, 1 - R): a number for all pairs or (n, n). At 1 (full
    trust), dependence counts fully; at 0, the result is the same as with `nash`.
    """
    return _solved(core, np.eye(core.seats) + dependence_matrix(core) * np.asarray(trust))


def social_optimum(core: SanctionsCore) -> Contributions:
    """Return the contributions with the largest sum of private payoffs."""
    return _solved(core, np.ones((core.seats, core.seats)))


def best_response(
    core: SanctionsCore, contributions: Sequence[float] | Array, seat: int, weights: Array
) -> float:
    """Return the contribution of one seat that maximises sum_j weights_j pi_j, given (n,) weights
    and the others' contributions.

    Return 0 if every contribution earns the same.
    """
    endowment = float(per_seat(core.endowment, core.seats)[seat])
    if core.production == "public_good":
        return endowment if core.mpcr * float(np.sum(weights)) > weights[seat] else 0.0
    n, weight = core.seats, float(weights[seat])
    others = np.delete(np.asarray(contributions, dtype=np.float64), seat)
    shares = float(np.sum(weights * per_seat(core.share, n)))
    with_others = math.exp(float(np.log(others).sum()) / n) if others.all() else 0.0
    synergy = core.synergy * shares * with_others / n

    def worth(contribution: float) -> float:
        if core.production == "logarithmic":
            produced = core.theta / (1.0 + contribution)
        else:
            produced = core.beta * math.pow(contribution, core.beta - 1.0)
        return weight * (produced - 1.0) + synergy * math.pow(contribution, 1.0 / n - 1.0)

    smallest = endowment * 1e-15
    if worth(endowment) >= 0.0:
        return endowment
    if worth(smallest) <= 0.0:
        return 0.0
    return float(brentq(worth, smallest, endowment, xtol=1e-300, rtol=1e-14))


def _solved(core: SanctionsCore, weights: Array) -> Contributions:
    contributions = per_seat(core.endowment, core.seats)
    close = _TOLERANCE * float(contributions.max())
    for _ in range(_ROUNDS):
        before = contributions.copy()
        for seat in range(core.seats):
            contributions[seat] = best_response(core, contributions, seat, weights[seat])
        if np.abs(contributions - before).max() <= close:
            break
    return Contributions(contributions, payoffs(core, contributions))


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
    how = "best replies for the sum of payoffs, one seat at a time"
    return Best("the social optimum (private payoffs)", value, error=0.0, how=how)


SOLUTION = Solution[SanctionsCore](best=_best, share_of_best=share_of_best)
