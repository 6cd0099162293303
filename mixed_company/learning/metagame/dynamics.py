"""Dynamics of populations whose members copy policies that earn more.

Replicators: P. Taylor and L. Jonker (1978), Mathematical Biosciences 40(1-2), eq. 3, with points
divided by their range, so that time has the same unit in all games.

Moran: D. Fudenberg and L. Imhof (2006), Journal of Economic Theory 131(1), section 2: newcomers are
so rare that a population never has more than two policies. The population changes from one policy
to another with the probability that a single newcomer takes over; fitness is exp(selection x points
/ range).

alpha-rank: S. Omidshafiei et al. (2019), Scientific Reports 9, 9937, eqs. 3 to 6: the same, but
newcomer and resident earn what they earn against each other. In groups of n, however many newcomers
there are, payoffs are those of a group with a single newcomer.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import logsumexp

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.game import MetaGame

_STILL = 0.005  # maximum change of shares in the last tenth of the time for replicators at rest
_GONE = 0.01  # share at or below which a policy counts as gone


def replicated(game: MetaGame, shares: Array, times: int) -> Array:
    """Return the shares at times 0, 1, ..., (times + 1, S, m), from initial shares (S, m)."""

    def growth(_: float, flat: Array) -> Array:
        now = flat.reshape(shares.shape)
        fitness = game.fitness(now) / game.range
        return np.asarray(now * (fitness - (now * fitness).sum(axis=-1, keepdims=True))).ravel()

    clock = np.arange(times + 1)
    path = solve_ivp(growth, (0, times), shares.ravel(), t_eval=clock, rtol=1e-7, atol=1e-9).y.T
    return np.asarray(np.maximum(path, 0.0).reshape(-1, *shares.shape))


class Rest(NamedTuple):
    """A group of end states of replicators with the same policies.

    low, high     (m,) lowest and highest shares. They differ if replicators still move a little, or
                  if shares depend on the starting point. None if replicators do not rest
    share         share of the starting points that end here
    """

    low: Array | None
    high: Array | None
    share: float


def rest_points(game: MetaGame, starts: int, seed: int, times: int = 1000) -> list[Rest]:
    """Return the points where replicators come to rest, the most frequent first.

    Starting points are uniform over all mixtures.
    """
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(len(game.policies)), starts)
    path = replicated(game, shares, times)
    last, before = path[-1], path[-1 - times // 10]
    moving = np.abs(last - before).max(axis=-1) > _STILL
    rests = [Rest(None, None, float(moving.mean()))] if moving.any() else []
    held = last > _GONE
    for support in np.unique(held[~moving], axis=0):
        ends = last[~moving & (held == support).all(axis=1)]
        ends = np.where(support, ends, 0.0)
        rests.append(Rest(ends.min(axis=0), ends.max(axis=0), len(ends) / starts))
    return sorted(rests, key=lambda rest: -rest.share)


def fixation(more: Array) -> float:
    """Return the log probability that one newcomer takes over the population.

    `more` (N - 1,): the advantage m_k in log fitness over a resident when there are k newcomers, k
    from 1 on. The probability is 1 / (1 + sum over l < N of exp(-(m_1 + ... + m_l))).
    """
    return -float(logsumexp([0.0, *-np.cumsum(more)]))


def moran(game: MetaGame, population: int = 50, selection: float = 10.0) -> Array:
    """Return the share of time in which the population consists of each policy, shape (m,).

    Groups that play together are drawn from the population without replacement.
    """
    weight = selection / game.range

    def more(newcomer: str, resident: str) -> Array:
        return weight * np.array(
            [_ahead(game, newcomer, resident, k, population) for k in range(1, population)]
        )

    return _stationary(game, lambda new, old: fixation(more(new, old)))


def _ahead(game: MetaGame, newcomer: str, resident: str, count: int, population: int) -> float:
    """Return the advantage of a newcomer over a resident in points, when there are `count`
    newcomers."""

    def earns(policy: str, others: int) -> float:
        return sum(
            chance * game.earns(policy, [newcomer] * k + [resident] * (game.seats - 1 - k))
            for k in range(game.seats)
            if (chance := _drawn(k, others, population - 1, game.seats - 1))
        )

    return earns(newcomer, count - 1) - earns(resident, count)


def _drawn(k: int, marked: int, total: int, drawn: int) -> float:
    """Return the probability that k of the `drawn` members are marked (hypergeometric)."""
    return comb(marked, k) * comb(total - marked, drawn - k) / comb(total, drawn)


def alpha_rank(game: MetaGame, population: int = 50, alpha: float = 10.0) -> Array:
    """Return each policy's share of time, shape (m,); `alpha` weights points over their range."""
    weight = alpha / game.range

    def taken(newcomer: str, resident: str) -> float:
        others = [resident] * (game.seats - 1)
        ours = game.earns(newcomer, others)
        theirs = game.earns(resident, [newcomer, *others[1:]])
        return fixation(np.full(population - 1, weight * (ours - theirs)))

    return _stationary(game, taken)


def _stationary(game: MetaGame, taken: Callable[[str, str], float]) -> Array:
    """Return the share of time by policy, (m,), if all other policies are equally likely newcomers.

    `taken` is the log probability that a newcomer takes over a resident's population. Computed by
    state reduction (Grassmann, Taksar and Heyman 1985, Operations Research 33(5)), which has no
    subtractions, so that it works with logs and stays accurate for extremely rare events.
    """
    size = len(game.policies)
    rates = np.full((size, size), -np.inf)
    for row, resident in enumerate(game.policies):
        for column, newcomer in enumerate(game.policies):
            if row != column:
                rates[row, column] = taken(newcomer, resident)
    for last in range(size - 1, 0, -1):
        rates[:last, last] -= logsumexp(rates[last, :last])
        by_way_of = rates[:last, last, None] + rates[last, :last]
        rates[:last, :last] = np.logaddexp(rates[:last, :last], by_way_of)
    shares = np.zeros(size)
    for place in range(1, size):
        shares[place] = logsumexp(shares[:place] + rates[:place, place])
    return np.asarray(np.exp(shares - logsumexp(shares)))
