"""Uncertainty of a solved meta-game: the game is solved again for plays drawn with replacement.

Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapter 13: intervals are
percentiles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.composition import Composition
from mixed_company.learning.metagame.dynamics import (
    STARTS,
    Rest,
    alpha_rank,
    moran,
    rest_points,
)
from mixed_company.learning.metagame.game import Equilibrium, MetaGame, again, resampled
from mixed_company.learning.tournament.means import Mean

DRAWS = 500
"""Number of bootstrap samples."""

RESTED = 100
"""Replicators are followed only in this many of the bootstrap samples, because that takes
longest."""


class Draws(NamedTuple):
    """Solutions of B bootstrap samples.

    moran, alpha   (B, m) shares of time
    points         (B, E) points in each equilibrium of the plays; NaN if its policies are not in
                   equilibrium in the sample
    alone          (m,) share of the samples in which the policy alone is an equilibrium
    rests          (RESTED, R) share of the starting points from which replicators come to rest at a
                   mixture of the same policies as in the plays
    """

    moran: Array
    alpha: Array
    points: Array
    alone: Array
    rests: Array


def drawn(
    game: MetaGame,
    plays: Mapping[Composition, Array],
    equilibria: Sequence[Equilibrium],
    rests: Sequence[Rest],
    seed: int,
    population: int,
    alpha: float,
) -> Draws:
    """Solve bootstrap samples of the plays, (P, n) by composition, for the policies of a game."""
    chosen = set(game.policies)
    kept = {group: earned for group, earned in plays.items() if chosen.issuperset(group)}
    rows = [
        (
            moran(sample, population, alpha),
            alpha_rank(sample, population, alpha),
            np.array([again(sample, equilibrium.shares) for equilibrium in equilibria]),
            np.array([not np.isnan(again(sample, only)) for only in np.eye(len(chosen))]),
        )
        for sample in resampled(game.policies, kept, seed, DRAWS)
    ]
    morans, alphas, points, alone = (np.array(part) for part in zip(*rows, strict=True))
    first = resampled(game.policies, kept, seed, min(RESTED, DRAWS))
    rested = np.array([_rested(sample, rests, seed) for sample in first])
    return Draws(morans, alphas, points, alone.mean(axis=0), rested)


def _rested(sample: MetaGame, rests: Sequence[Rest], seed: int) -> list[float]:
    """Return the share of starting points that lead to each group of end states, matched by its
    policies."""
    shares = {rest.policies: rest.share for rest in rest_points(sample, STARTS, seed)}
    return [shares.get(rest.policies, 0.0) for rest in rests]


def percentiles(value: float, sample: Array) -> Mean:
    """Return a value with the 95% interval of its bootstrap sample; NaN entries do not count."""
    kept = sample[~np.isnan(sample)]
    low, high = np.quantile(kept, (0.025, 0.975)) if len(kept) else (np.nan, np.nan)
    return Mean(value, float(low), float(high))
