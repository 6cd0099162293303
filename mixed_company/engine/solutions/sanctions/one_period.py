"""One period without sanctions: Nash equilibrium, coopetitive equilibrium and social optimum.

All three are one problem: seat i maximises sum_j W_ij pi_j, with W the identity, the identity plus
min(T, 1 - R) D, or all ones. Its marginal value decreases in a_i and increases in the others'
contributions. So if seats best-respond in turn, starting from full endowments, contributions fall
to the largest equilibrium. Source: TR-1 (arXiv:2510.18802), which introduces the term coopetitive
equilibrium.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import SanctionsCore, dependence_matrix, per_seat
from mixed_company.engine.games.sanctions.equations import private_payoff

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
    trust) dependence counts fully; at 0 the result is that of `nash`.
    """
    return _solved(core, np.eye(core.seats) + dependence_matrix(core) * np.asarray(trust))


def social_optimum(core: SanctionsCore) -> Contributions:
    """Return the contributions with the largest sum of private payoffs."""
    return _solved(core, np.ones((core.seats, core.seats)))


def best_response(
    core: SanctionsCore, contributions: Sequence[float] | Array, seat: int, weights: Array
) -> float:
    """Return one seat's maximiser of sum_j weights_j pi_j, (n,) weights, with the others fixed.

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
