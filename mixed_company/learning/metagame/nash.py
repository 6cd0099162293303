"""Mixtures in which no policy earns more than the mixture: symmetric Nash equilibria."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.game import MetaGame

__all__ = ["Equilibrium", "equilibria"]

_NONE = 1e-7  # of the range: a regret that rounding leaves
_LEAST = 1e-6  # a share below which a policy is not in the mixture
_SAME = 1e-3  # shares nearer than this are the same
_STARTS = 8
_MANY = 5  # mixtures of the same policies: more are shares that do not matter


class Equilibrium(NamedTuple):
    """The shares (m,), what one earns there, and what the best policy would earn more.

    `one_of_many`: its policies are in equilibrium at many other shares, too.
    """

    shares: Array
    points: float
    regret: float
    one_of_many: bool = False


def equilibria(game: MetaGame, near: Sequence[Array] = ()) -> list[Equilibrium]:
    """The symmetric equilibria that were searched for, those with the fewest policies first.

    All of one policy; of two and three, from several beginnings; and of the policies of the
    mixtures `near`, where replicators rest. There is always one, perhaps of more policies than
    were tried.
    """
    size = len(game.policies)
    supports = [one for count in (1, 2, 3) for one in combinations(range(size), count)]
    supports += [tuple(np.flatnonzero(shares > 0.01).tolist()) for shares in near]
    return [one for support in dict.fromkeys(supports) for one in _of(game, support)]


def _of(game: MetaGame, support: tuple[int, ...]) -> list[Equilibrium]:
    """The equilibria in which these policies are, and no others."""
    mixtures: list[Array] = []
    for shares in _even(game, support):
        known = any(np.abs(one - shares).max() < _SAME for one in mixtures)
        if not known and game.regret(shares) <= _NONE * game.range:
            mixtures.append(shares)
    many = len(mixtures) > _MANY
    return [
        Equilibrium(
            shares, float(shares @ game.fitness(shares)), max(game.regret(shares), 0.0), many
        )
        for shares in (mixtures[:1] if many else mixtures)
    ]


def _even(game: MetaGame, support: tuple[int, ...]) -> Iterator[Array]:
    """The mixtures of these policies in which all of them earn the same."""
    places, size = list(support), len(support)
    if size == 1:
        yield np.eye(len(game.policies))[places[0]]
        return
    rng = np.random.default_rng(0)
    starts = [np.full(size, 1 / size), *rng.dirichlet(np.ones(size), _STARTS)]

    def spread(inner: Array) -> Array:
        shares = np.zeros(len(game.policies))
        shares[places] = [*inner, 1.0 - inner.sum()]
        return shares

    def uneven(inner: Array) -> Array:
        fitness = game.fitness(spread(inner))[places] / game.range
        return np.asarray(fitness[:-1] - fitness[-1])

    for start in starts:
        solved = root(uneven, start[:-1])
        shares = spread(solved.x)
        if np.abs(solved.fun).max() < _NONE and shares[places].min() > _LEAST:
            yield shares
