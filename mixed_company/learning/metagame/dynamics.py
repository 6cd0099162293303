"""Dynamics of populations in which members copy policies that earn more. `swept` varies the
strength of selection and the population size.

Replicators: P. Taylor and L. Jonker (1978), Mathematical Biosciences 40(1-2), eq. 3, with points
divided by their range, so time has the same unit in all games.

Moran: D. Fudenberg and L. Imhof (2006), Journal of Economic Theory 131(1), section 2: newcomers are
so rare that a population never contains more than two policies. The population changes from one
policy to another with the probability that a single newcomer takes over; fitness is exp(alpha x
points / range).

alpha-rank: S. Omidshafiei et al. (2019), Scientific Reports 9, 9937, eqs. 3 to 6: the same, but
newcomers and residents earn what they earn against each other. However many newcomers there are,
payoffs are those in a group of n with a single newcomer.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.special import logsumexp

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.game import MetaGame
from mixed_company.learning.tournament.means import csv_text

POPULATION, ALPHA = 50, 10.0
"""Number of members in a population, and the strength of selection."""

STARTS = 200
"""Number of starting points for replicators."""

_STILL = 0.005  # at rest: shares change by at most this in the last tenth of the time
_GONE = 0.01  # share at or below which a policy counts as gone


def replicated(game: MetaGame, shares: Array, times: int) -> Array:
    """Return the shares at times 0, 1, ..., shape (times + 1, S, m), given initial shares (S,
    m)."""

    def growth(_: float, flat: Array) -> Array:
        now = flat.reshape(shares.shape)
        fitness = (game.fitness(now) - game.ends[0]) / game.range  # from 0 to 1: not stiff
        return np.asarray(now * (fitness - (now * fitness).sum(axis=-1, keepdims=True))).ravel()

    clock = np.arange(times + 1)
    path = solve_ivp(growth, (0, times), shares.ravel(), t_eval=clock, rtol=1e-7, atol=1e-9).y.T
    return np.asarray(np.maximum(path, 0.0).reshape(-1, *shares.shape))


class Rest(NamedTuple):
    """A group of the replicators' end states that have the same policies.

    low, high     (m,) lowest and highest shares. They differ if replicators still move a little, or
                  if shares depend on the starting point. None if replicators do not come to rest
    share         share of the starting points that end here
    """

    low: Array | None
    high: Array | None
    share: float

    @property
    def policies(self) -> frozenset[int]:
        """Positions of its policies; empty if replicators do not come to rest."""
        return frozenset() if self.high is None else frozenset(np.flatnonzero(self.high).tolist())


def rest_points(game: MetaGame, starts: int, seed: int, times: int = 1000) -> list[Rest]:
    """Return the points at which replicators come to rest, the most frequent first.

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


def fixation(more: Array) -> Array:
    """Return the log probability that a single newcomer takes over the population, shape (...).

    `more` (..., N - 1): the advantage m_k in log fitness over a resident when there are k = 1, 2,
    ... newcomers. The probability is 1 / (1 + sum over l < N of exp(-(m_1 + ... + m_l))).
    """
    return -np.logaddexp(0.0, logsumexp(-np.cumsum(more, axis=-1), axis=-1))


def moran(game: MetaGame, population: int = POPULATION, alpha: float = ALPHA) -> Array:
    """Return the share of time that the population spends with each policy, shape (m,).

    Groups that play together are drawn from the population without replacement. `alpha` multiplies
    points divided by their range.
    """
    likely = _drawn(population, game.seats)
    newcomer = game.pairs @ likely[:-1].T
    resident = game.pairs[..., ::-1] @ likely[1:].T
    return _stationary(fixation(alpha / game.range * (newcomer - resident.swapaxes(0, 1))))


def alpha_rank(game: MetaGame, population: int = POPULATION, alpha: float = ALPHA) -> Array:
    """Return each policy's share of time, shape (m,); the arguments are those of `moran`."""
    newcomer, resident = game.pairs[..., 0], game.pairs[..., game.seats - 2].T
    more = np.repeat((newcomer - resident)[..., None], population - 1, axis=-1)
    return _stationary(fixation(alpha / game.range * more))


@lru_cache(maxsize=64)
def _drawn(population: int, seats: int) -> Array:
    """Return the hypergeometric probability that k of n - 1 others are marked if l of the N - 1
    others in the population are, shape (l: N, k: n)."""
    others, drawn = population - 1, seats - 1
    ways = [
        [comb(marked, k) * comb(others - marked, drawn - k) / comb(others, drawn)]
        for marked in range(population)
        for k in range(seats)
    ]
    return np.reshape(ways, (population, seats))


def _stationary(taken: Array) -> Array:
    """Return the share of time by policy, (m,), if all other policies are equally likely newcomers.

    `taken` (newcomer: m, resident: m) is the log probability that a newcomer takes over. It is
    computed by state reduction (Grassmann, Taksar and Heyman 1985, Operations Research 33(5)),
    which needs no subtractions, so it works with logs and is accurate even for extremely rare
    events.
    """
    size = len(taken)
    rates = np.where(np.eye(size, dtype=bool), -np.inf, taken.T)
    for last in range(size - 1, 0, -1):
        rates[:last, last] -= logsumexp(rates[last, :last])
        by_way_of = rates[:last, last, None] + rates[last, :last]
        rates[:last, :last] = np.logaddexp(rates[:last, :last], by_way_of)
    shares = np.zeros(size)
    for place in range(1, size):
        shares[place] = logsumexp(shares[:place] + rates[:place, place])
    return np.asarray(np.exp(shares - logsumexp(shares)))


ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
POPULATIONS = (5, 10, 20, 50, 100, 200, 500)


class Setting(NamedTuple):
    """Shares of time, (m,) each, at one strength of selection and one population size."""

    varied: str
    alpha: float
    population: int
    moran: Array
    alpha_rank: Array


def check(seats: int, population: int, alpha: float) -> None:
    """Raise ConfigError for a population smaller than a group, or a negative or infinite alpha."""
    if population < seats:
        raise ConfigError(f"population = {population}: should be at least the {seats} seats")
    if not 0 <= alpha < math.inf:
        raise ConfigError(f"alpha = {alpha}: should be 0 or more, and finite")


def swept(game: MetaGame, population: int, alpha: float) -> list[Setting]:
    """Return the shares for all alphas at this population size, and then for all sizes at this
    alpha."""
    alphas = [("alpha", value, population) for value in sorted({*ALPHAS, alpha})]
    sizes = sorted({*filter(lambda size: size >= game.seats, POPULATIONS), population})
    return [
        Setting(*setting, *(rank(game, setting[2], setting[1]) for rank in (moran, alpha_rank)))
        for setting in [*alphas, *(("population", alpha, size) for size in sizes)]
    ]


def sweep_csv(policies: Sequence[str], settings: Sequence[Setting]) -> str:
    """Return a CSV row for each setting and policy."""
    return csv_text(
        [
            {
                **dict(zip(Setting._fields[:3], setting[:3], strict=True)),
                "policy": policy,
                "moran": float(setting.moran[place]),
                "alpha_rank": float(setting.alpha_rank[place]),
            }
            for setting in settings
            for place, policy in enumerate(policies)
        ]
    )
