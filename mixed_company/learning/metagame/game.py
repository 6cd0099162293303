"""The symmetric game of n players whose strategies are policies, its exact clones, and its Nash
equilibria: mixtures in which no policy earns more than the mixture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

import numpy as np
from scipy.optimize import root

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.composition import Composition, beside, order


@dataclass(frozen=True)
class MetaGame:
    """Earnings of policies: composition -> policy -> mean points of a seat with this policy."""

    policies: tuple[str, ...]
    seats: int
    points: Mapping[Composition, Mapping[str, float]]

    def earns(self, policy: str, others: Sequence[str]) -> float:
        """Return a policy's points among n - 1 other seats with these policies."""
        return self.points[order([policy, *others])][policy]

    @cached_property
    def ends(self) -> tuple[float, float]:
        """The smallest and the largest earnings of any policy."""
        values = [value for composition in self.points.values() for value in composition.values()]
        return min(values), max(values)

    @cached_property
    def range(self) -> float:
        """Difference between the largest and smallest earnings of any policy; 1 if all are the
        same."""
        return (self.ends[1] - self.ends[0]) or 1.0

    @cached_property
    def pairs(self) -> Array:
        """Points of policy i if k of the n - 1 other seats also follow i and the rest follow j: (m,
        m, n)."""
        rest = self.seats - 1
        points = [
            [self.earns(policy, [policy] * k + [other] * (rest - k)) for k in range(self.seats)]
            for policy in self.policies
            for other in self.policies
        ]
        return np.reshape(points, (len(self.policies), len(self.policies), self.seats))

    def only(self, policies: Sequence[str]) -> MetaGame:
        """Return the game restricted to some of its policies."""
        chosen = set(policies)
        points = {
            composition: earned
            for composition, earned in self.points.items()
            if chosen.issuperset(composition)
        }
        return MetaGame(tuple(policies), self.seats, points)

    def fitness(self, shares: Array) -> Array:
        """Return each policy's expected points, (..., m), if the n - 1 other seats are drawn from
        `shares`."""
        others, ways, earned = self._table
        likely = ways * np.prod(shares[..., others], axis=-1)
        return np.asarray(likely @ earned.T)

    def regret(self, shares: Array) -> float:
        """Return how much more the best policy earns than the mixture; 0 in an equilibrium."""
        fitness = self.fitness(shares)
        return float(fitness.max() - shares @ fitness)

    @cached_property
    def _table(self) -> tuple[Array, Array, Array]:
        """Indices of all groups of others (C, n - 1), their orders (C,), and earnings (m, C)."""
        others = list(combinations_with_replacement(self.policies, self.seats - 1))
        orders = factorial(self.seats - 1)
        ways = [
            orders // prod(factorial(group.count(name)) for name in set(group)) for group in others
        ]
        places = [[self.policies.index(name) for name in group] for group in others]
        earned = [[self.earns(policy, group) for group in others] for policy in self.policies]
        return np.array(places), np.array(ways, float), np.array(earned)


def of_plays(policies: Sequence[str], plays: Mapping[Composition, Array]) -> MetaGame:
    """Return the game, given the points of each place in each play, (P, n), by composition."""
    points = {
        composition: {policy: float(earned.mean()) for policy, earned in by_policy.items()}
        for composition, by_policy in samples(plays).items()
    }
    return MetaGame(tuple(policies), len(next(iter(plays))), points)


def resampled(
    policies: Sequence[str], plays: Mapping[Composition, Array], seed: int, draws: int
) -> Iterator[MetaGame]:
    """Yield games whose points are means over plays drawn with replacement (bootstrap).

    Plays with the same number have the same random numbers, so each draw takes the same plays from
    every composition.
    """
    every = samples(plays)
    table = np.array([earned for by_policy in every.values() for earned in by_policy.values()])
    rng, count = np.random.default_rng(seed), table.shape[1]
    for _ in range(draws):
        means = iter(table[:, rng.integers(count, size=count)].mean(axis=1).tolist())
        points = {
            composition: dict(zip(by_policy, means, strict=False))
            for composition, by_policy in every.items()
        }
        yield MetaGame(tuple(policies), len(next(iter(plays))), points)


def samples(plays: Mapping[Composition, Array]) -> dict[Composition, dict[str, Array]]:
    """Return the mean points of a seat with each policy in each play, (P,), by composition.

    With two seats, both orders of a pair count as one composition.
    """
    parts: dict[Composition, dict[str, list[Array]]] = {}
    for composition, earned in plays.items():
        for policy in dict.fromkeys(composition):
            points_of = earned[:, [name == policy for name in composition]]
            parts.setdefault(order(composition), {}).setdefault(policy, []).append(
                points_of.mean(axis=1)
            )
    return {
        composition: {policy: np.mean(earned, axis=0) for policy, earned in by_policy.items()}
        for composition, by_policy in parts.items()
    }


def clones(policies: Sequence[str], plays: Mapping[Composition, Array]) -> dict[str, list[str]]:
    """Map each policy that has exact clones to the clones listed after it.

    Two policies are exact clones if swapping them never changes the earnings of any place in any
    play, whether each plays on its own, with the other, or with a third policy, in one seat or in
    all but one.
    """
    firsts: dict[str, list[str]] = {}
    for policy in policies:
        same = next((other for other in firsts if _same(other, policy, policies, plays)), policy)
        firsts.setdefault(same, [])
        if same != policy:
            firsts[same].append(policy)
    return {first: others for first, others in firsts.items() if others}


def _same(
    first: str, second: str, policies: Sequence[str], plays: Mapping[Composition, Array]
) -> bool:
    seats = len(next(iter(plays)))
    alone = plays[beside(first, first, 1, seats)]
    together = [plays[beside(second, first, count, seats)] for count in range(1, seats + 1)]
    if not all(np.array_equal(points, alone) for points in together):
        return False
    thirds = [policy for policy in policies if policy not in (first, second)]
    return all(
        np.array_equal(
            plays[beside(first, third, count, seats)], plays[beside(second, third, count, seats)]
        )
        for third in thirds
        for count in {1, seats - 1}
    )


_NONE = 1e-7  # regret that counts as rounding, as a share of the range
_LEAST = 1e-6  # minimum share of a policy in a mixture
_SAME = 1e-3  # shares closer than this count as equal
_STARTS = 8
_MANY = 5  # if more mixtures have the same policies, only one of them is reported


class Equilibrium(NamedTuple):
    """Shares (m,), the mixture's points, and how much more the best policy earns (regret).

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
    """Return the points in the equilibrium with the same policies as these shares, where the search
    starts; NaN if none was found."""
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
    """Yield mixtures of these policies in which all of them earn the same, given shares at which to
    start the search."""
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
