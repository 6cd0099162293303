"""Symmetric Nash equilibria: mixtures in which no policy earns more than the mixture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.game import MetaGame

_NONE = 1e-7  # regret that counts as rounding, as a share of the range
_LEAST = 1e-6  # minimum share of a policy in a mixture
_SAME = 1e-3  # shares closer than this count as equal
_STARTS = 8
_MANY = 5  # with more mixtures of the same policies, only one of them is reported


class Equilibrium(NamedTuple):
    """Shares (m,), points of the mixture, and how much more the best policy earns (regret).

    `one_of_many`: the same policies are also in equilibrium at many other shares.
    """

    shares: Array
    points: float
    regret: float
    one_of_many: bool = False


def equilibria(game: MetaGame, near: Sequence[Array] = ()) -> list[Equilibrium]:
    """Return the symmetric equilibria that were found, fewest policies first.

    The search covers single policies, mixtures of two and three policies from several starting
    points, and the policies of the mixtures `near`, where replicators rest. An equilibrium always
    exists, but it may need more policies than the search tries.
    """
    size = len(game.policies)
    supports = [places for count in (1, 2, 3) for places in combinations(range(size), count)]
    supports += [tuple(np.flatnonzero(shares > 0.01).tolist()) for shares in near]
    return [
        equilibrium for support in dict.fromkeys(supports) for equilibrium in _of(game, support)
    ]


def again(game: MetaGame, shares: Array) -> float:
    """Return the points of the equilibrium with the same policies as these shares, from which the
    search starts; NaN if none was found."""
    support = tuple(np.flatnonzero(shares > _LEAST).tolist())
    for mixture in _even(game, support, [shares[list(support)]]):
        if game.regret(mixture) <= _NONE * game.range:
            return float(mixture @ game.fitness(mixture))
    return float("nan")


def _of(game: MetaGame, support: tuple[int, ...]) -> list[Equilibrium]:
    """Return the equilibria that consist of exactly these policies."""
    rng, size = np.random.default_rng(0), len(support)
    starts = [np.full(size, 1 / size), *rng.dirichlet(np.ones(size), _STARTS)]
    mixtures: list[Array] = []
    for shares in _even(game, support, starts):
        repeated = any(np.abs(mixture - shares).max() < _SAME for mixture in mixtures)
        if not repeated and game.regret(shares) <= _NONE * game.range:
            mixtures.append(shares)
    many = len(mixtures) > _MANY
    return [
        Equilibrium(
            shares, float(shares @ game.fitness(shares)), max(game.regret(shares), 0.0), many
        )
        for shares in (mixtures[:1] if many else mixtures)
    ]


def _even(game: MetaGame, support: tuple[int, ...], starts: Sequence[Array]) -> Iterator[Array]:
    """Yield the mixtures of these policies in which all of them earn the same, from shares with
    which to start the search."""
    places, size = list(support), len(support)
    if size == 1:
        yield np.eye(len(game.policies))[places[0]]
        return

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
