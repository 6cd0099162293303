"""The symmetric game of n players whose strategies are policies, and its exact clones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations_with_replacement
from math import factorial, prod

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.composition import Composition, beside, order


@dataclass(frozen=True)
class MetaGame:
    """Earnings of policies: composition -> policy -> mean points of a seat with this policy."""

    policies: tuple[str, ...]
    seats: int
    points: Mapping[Composition, Mapping[str, float]]

    def earns(self, policy: str, others: Sequence[str]) -> float:
        """Return the points of a policy among n - 1 other seats with these policies."""
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
        """Points of policy i if k of the n - 1 other seats also have i and the rest have j: (m, m,
        n)."""
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
    """Return the game, given the points of places in plays, (P, n), by composition."""
    points = {
        composition: {policy: float(earned.mean()) for policy, earned in by_policy.items()}
        for composition, by_policy in samples(plays).items()
    }
    return MetaGame(tuple(policies), len(next(iter(plays))), points)


def resampled(
    policies: Sequence[str], plays: Mapping[Composition, Array], seed: int, draws: int
) -> Iterator[MetaGame]:
    """Yield games whose points are means over plays drawn with replacement (bootstrap).

    Plays with the same number share their random numbers, so each draw takes the same plays from
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

    Two policies are exact clones if swapping them changes no earnings of any place in any play:
    alone, with each other, and with any third policy, in one seat or in all but one.
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
