"""Permutation tests: how often chance alone separates treatments as they were separated.

Every arrangement of the values is tried where there are not more of them than `resamples`; then p
is their share that is at least as extreme. Else `resamples` are drawn, and p = (b + 1) / (m + 1),
b of m drawn ones being as extreme, which is never 0 and never too small: Phipson and Smyth (2010),
Statistical Applications in Genetics and Molecular Biology 9(1), article 39, equation 2.
Two-sided p values are twice the smaller side.

Sums of ranks are counted, with ties and for samples of every size at once: of how many sets of k
units do the ranks add up to s? A unit after the other is in a set or not, so the counts follow by
addition (Streitberg and Roehmel 1986, Statistical Software Newsletter 12(1), the shift algorithm).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Any

import numpy as np
from scipy import stats

from mixed_company.analysis.rounding import TINY, size
from mixed_company.engine.contract.space import Array

__all__ = [
    "RESAMPLES",
    "Moves",
    "arrangements",
    "dealings",
    "moves",
    "p_of_rank_sums",
    "p_of_signed_ranks",
    "permuted",
    "signs",
    "swaps",
]

RESAMPLES = 20_000
_BATCH_NUMBERS = 2_000_000


def arrangements(samples: Sequence[Array]) -> int:
    """Return in how many ways the values can be dealt to treatments of these sizes."""
    left = sum(map(len, samples))
    number = 1
    for sample in samples:
        number *= math.comb(left, len(sample))
        left -= len(sample)
    return number


def swaps(pairs: int) -> int:
    """Return in how many ways the two values of each pair can be exchanged."""
    return int(2**pairs)


def signs(number: int, resamples: int, rng: np.random.Generator) -> tuple[Array, bool]:
    """Return (B, number) of 1 and -1, and whether they are all there are."""
    if swaps(number) <= resamples:
        return np.array(list(product((1.0, -1.0), repeat=number))), True
    return rng.choice((-1.0, 1.0), size=(resamples, number)), False


def permuted(
    samples: Sequence[Array],
    statistic: Callable[..., Array],
    *,
    side: str,
    resamples: int,
    rng: np.random.Generator,
) -> tuple[float, str]:
    """Return the p value, and how: `exact`, or `20000 arrangements drawn`.

    statistic   of samples (..., n_i)
    side        `two-sided` or `greater`
    """
    possible = arrangements(samples)

    def of_arrangements(*arranged: Array, axis: int) -> Array:
        """As scipy asks for it: `axis` is always the last."""
        return statistic(*arranged)

    given: Any = of_arrangements
    result = stats.permutation_test(
        tuple(samples),
        given,
        permutation_type="independent",
        vectorized=True,
        n_resamples=min(possible, resamples),
        batch=max(1, _BATCH_NUMBERS // sum(map(len, samples))),
        alternative="two-sided" if side == "two-sided" else "greater",
        rng=rng,
    )
    return min(1.0, float(result.pvalue)), _how(possible <= resamples, resamples)


def _how(exact: bool, resamples: int) -> str:
    return "exact" if exact else f"{resamples} arrangements drawn"


# -- ranks ----------------------------------------------------------------------------------------


def p_of_rank_sums(places: Array, sums: Array, sizes: Array) -> Array:
    """Return (...,) exact two-sided p of sums of ranks (...,) of samples of these sizes (...,).

    `places` (n,) are the ranks of all units. The work grows with n^2, and with the largest sum and
    size.
    """
    unit = _unit(places)
    below = np.cumsum(_counts(_whole(places, unit), int(np.max(sizes))), axis=1)
    return _two_sided(below[np.asarray(sizes)], np.rint(unit * np.asarray(sums)).astype(int))


def p_of_signed_ranks(places: Array, increases: float) -> float:
    """Return the exact two-sided p of the sum of the ranks of increases, of changes that are not 0.

    `places` (n,) are the ranks of the sizes of the changes.
    """
    unit = _unit(places)
    below = np.cumsum(_counts(_whole(places, unit), len(places)).sum(axis=0))
    return float(_two_sided(below, np.rint(unit * np.asarray(increases)).astype(int)))


def _unit(places: Array) -> int:
    """Return what makes ranks whole: ranks of ties are halves."""
    return 1 if (places % 1 == 0).all() else 2


def _whole(places: Array, unit: int) -> tuple[int, ...]:
    return tuple(np.rint(unit * places).astype(int).tolist())


@lru_cache(maxsize=8)
def _counts(places: tuple[int, ...], largest: int) -> Array:
    """Return (largest + 1, total + 1) sets by their number of units and the sum of their ranks."""
    total = sum(places)
    counts = np.zeros((largest + 1, total + 1))
    counts[0, 0] = 1.0
    for place in places:
        counts[1:, place:] += counts[:-1, : total + 1 - place].copy()
    return counts


def _two_sided(below: Array, sums: Array) -> Array:
    """Return p of sums (...,), from numbers of sets with sums up to 0, 1, ... (..., total + 1)."""
    sets = below[..., -1]
    up_to = np.take_along_axis(below, sums[..., None], axis=-1)[..., 0]
    under = np.take_along_axis(below, np.maximum(sums - 1, 0)[..., None], axis=-1)[..., 0]
    least = np.minimum(up_to, sets - np.where(sums > 0, under, 0.0))
    return np.asarray(np.minimum(1.0, 2 * least / sets))


# -- means ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moves:
    """The permutation test of means, for every difference that could be the true one.

    An arrangement moves units between the two treatments (or exchanges the values of pairs). If d
    is the true difference it is as extreme as the real one, on one side, just where the mean
    difference of what it moves is at most d, and on the other where it is at least d. So these mean
    differences give p of every d, and the interval: Hartigan (1969), JASA 64; Garthwaite (1996),
    Biometrics 52(4).

    differences   (k,) sorted, of the arrangements that move anything
    rest          how many move nothing, the real one among them
    rounding      what is less than this is 0
    """

    differences: Array
    rest: int
    rounding: float
    how: str

    @property
    def total(self) -> int:
        """Return how many arrangements there are, or were drawn and the real one."""
        return len(self.differences) + self.rest

    @property
    def p(self) -> float:
        """Return p of no difference, two-sided."""
        low = int((self.differences <= self.rounding).sum())
        high = int((self.differences >= -self.rounding).sum())
        return min(1.0, 2 * (min(low, high) + self.rest) / self.total)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the differences with p above 1 - level; NaN where nothing could be rejected."""
        place = math.floor((1 - level) * self.total / 2 * (1 + TINY) - self.rest)
        if place < 0 or 2 * place + 2 > len(self.differences):
            return math.nan, math.nan
        return float(self.differences[place]), float(self.differences[-1 - place])


def moves(
    samples: Sequence[Array],
    *,
    within: bool = False,
    strata: Sequence[Array] | None = None,
    resamples: int,
    rng: np.random.Generator,
) -> Moves:
    """Return all arrangements of two samples, or as many as are drawn.

    within   of pairs: their two values are exchanged
    strata   the number of the stratum of every value; values are dealt anew within strata only
    """
    one, other = samples
    placed = np.concatenate(strata or [np.zeros(len(sample), dtype=int) for sample in samples])
    first = np.arange(len(placed)) < len(one)
    possible = swaps(len(one)) if within else dealings(first, placed)
    exact = possible <= resamples
    if within:
        parts = _exchanged(one, other, resamples, rng)
    else:
        deals = _every(first, placed) if exact else _drawn(first, placed, resamples, rng)
        parts = (_moved(there, one, other) for there in deals)
    means, rest = [], 0
    for sums, counts in parts:
        means.append(sums[counts > 0] / counts[counts > 0])
        rest += int((counts == 0).sum())
    rounding = TINY * float(size(np.concatenate(samples)))
    ordered = np.sort(np.concatenate(means))
    return Moves(ordered, rest + (not exact), rounding, _how(exact, resamples))


def dealings(first: Array, strata: Array) -> int:
    """Return in how many ways units can be dealt anew within strata; `first` (n,): of the first."""
    parts = [first[strata == stratum] for stratum in np.unique(strata)]
    return math.prod(math.comb(len(own), int(own.sum())) for own in parts)


def _exchanged(
    before: Array, after: Array, resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array]]:
    """Give the sum of the changes that arrangements turn round, and their number."""
    turned = (signs(len(before), resamples, rng)[0] < 0).astype(float)
    yield turned @ (after - before), turned.sum(axis=1)


def _moved(there: Array, one: Array, other: Array) -> tuple[Array, Array]:
    """Return the sum of what leaves the second sample less what comes, and how many do.

    there   (B, n) what is in the first
    """
    leaving = there[:, len(one) :].astype(float)
    coming = 1.0 - there[:, : len(one)]
    return leaving @ other - coming @ one, leaving.sum(axis=1)


def _every(first: Array, strata: Array) -> Iterator[Array]:
    """Give (B, n) what is in the first sample: all there are, as one array."""
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    ways = [combinations(own.tolist(), int(first[own].sum())) for own in places]
    chosen = np.array([sum(way, ()) for way in product(*ways)])
    there = np.zeros((len(chosen), len(first)), dtype=bool)
    np.put_along_axis(there, chosen, values=True, axis=1)
    yield there


def _drawn(
    first: Array, strata: Array, resamples: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Give (B, n) what is in the first sample, so many in batches."""
    batch = max(1, _BATCH_NUMBERS // len(first))
    base = np.argsort(strata, kind="stable")
    for start in range(0, resamples, batch):
        keys = strata + rng.random((min(batch, resamples - start), len(first)))
        there = np.empty(keys.shape, dtype=bool)
        np.put_along_axis(there, np.argsort(keys, axis=1), first[base][None, :], axis=1)
        yield there
