"""Permutation tests: p values from random rearrangements of the values among treatments.

If there are at most `resamples` arrangements of the values, all are tried, and p is the share of
arrangements that are at least as extreme. Otherwise `resamples` are drawn, and p = (b + 1) / (m +
1) if b of m draws are at least as extreme, which is never 0 and never too small: Phipson and Smyth
(2010), Statistical Applications in Genetics and Molecular Biology 9(1), article 39, equation 2.
A two-sided p value is twice the smaller one-sided p value.

For exact distributions of rank sums, the sets of k units with ranks that add up to s are counted,
for all k at once and with ties. Units are added one at a time, so the counts follow by addition
(Streitberg and Roehmel 1986, Statistical Software Newsletter 12(1), the shift algorithm).
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

RESAMPLES = 20_000
_BATCH_NUMBERS = 2_000_000


def arrangements(samples: Sequence[Array]) -> int:
    """Return the number of ways to assign the values to treatments of these sizes."""
    remaining = sum(map(len, samples))
    number = 1
    for sample in samples:
        number *= math.comb(remaining, len(sample))
        remaining -= len(sample)
    return number


def swaps(pairs: int) -> int:
    """Return the number of ways to swap the two values within pairs."""
    return int(2**pairs)


def signs(number: int, resamples: int, rng: np.random.Generator) -> tuple[Array, bool]:
    """Return vectors of 1 and -1, shape (B, number), and whether these are all possible vectors."""
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
    """Return the p value and the method: `exact`, or `20000 arrangements drawn`.

    statistic   function of samples (..., n_i)
    side        `two-sided` or `greater`
    """
    possible = arrangements(samples)

    def of_arrangements(*arranged: Array, axis: int) -> Array:
        """Evaluate the statistic with scipy's signature; `axis` is always the last one."""
        return statistic(*arranged)

    vectorised: Any = of_arrangements
    result = stats.permutation_test(
        tuple(samples),
        vectorised,
        permutation_type="independent",
        vectorized=True,
        n_resamples=min(possible, resamples),
        batch=max(1, _BATCH_NUMBERS // sum(map(len, samples))),
        alternative="two-sided" if side == "two-sided" else "greater",
        rng=rng,
    )
    return min(1.0, float(result.pvalue)), _method(possible <= resamples, resamples)


def _method(exact: bool, resamples: int) -> str:
    return "exact" if exact else f"{resamples} arrangements drawn"


# -- ranks ----------------------------------------------------------------------------------------


def p_of_rank_sums(places: Array, sums: Array, sizes: Array) -> Array:
    """Return the exact two-sided p values of rank sums, for samples of these sizes, all (...,).

    `places` (n,) holds the ranks of all units. The run time grows with n^2, and with the largest
    sum and size.
    """
    unit = _unit(places)
    whole, wanted = _whole(places, unit), np.rint(unit * np.asarray(sums)).astype(int)
    if wanted.ndim == 0:
        return np.asarray(_p_of_sum(whole, int(wanted), int(sizes)))
    below = np.cumsum(_counts(whole, 0, int(np.max(sizes)), sum(whole)), axis=1)
    return _two_sided(below[np.asarray(sizes)], wanted)


@lru_cache(maxsize=64)
def _p_of_sum(places: tuple[int, ...], total: int, size: int) -> float:
    """Return the exact two-sided p of one rank sum. Only the lower half of the distribution is
    counted, because a sum above the middle is the mirror image of one below it."""
    ends = places[0] + places[-1]
    if 2 * total > size * ends:
        places, total = tuple(ends - place for place in reversed(places)), size * ends - total
    counts = _counts(places, size, size, size * ends // 2)[size]
    sets = float(math.comb(len(places), size))
    under = float(counts[:total].sum())
    return min(1.0, 2 * min(under + float(counts[total]), sets - under) / sets)


def p_of_signed_ranks(places: Array, increases: float) -> float:
    """Return the exact two-sided p of the rank sum of the increases among nonzero changes.

    `places` (n,) holds the ranks of the absolute changes.
    """
    unit = _unit(places)
    whole = _whole(places, unit)
    below = np.cumsum(_counts(whole, 0, len(whole), sum(whole)).sum(axis=0))
    return float(_two_sided(below, np.rint(unit * np.asarray(increases)).astype(int)))


def _unit(places: Array) -> int:
    """Return the factor that turns ranks into integers. It is needed because the mean ranks of ties
    can be half-integers."""
    return 1 if (places % 1 == 0).all() else 2


def _whole(places: Array, unit: int) -> tuple[int, ...]:
    return tuple(np.sort(np.rint(unit * places).astype(int)).tolist())


@lru_cache(maxsize=8)
def _counts(places: tuple[int, ...], smallest: int, largest: int, limit: int) -> Array:
    """Return the number of sets by size and rank sum, shape (largest + 1, limit + 1).

    The counts are complete only for sizes of `smallest` and above, because sets that cannot reach
    this size with the remaining units are not counted.
    """
    counts = np.zeros((largest + 1, limit + 1))
    counts[0, 0] = 1.0
    total = 0
    for number, place in enumerate(places, start=1):
        total = min(total + place, limit)
        least, size = max(1, smallest - len(places) + number), min(number, largest)
        if least <= size and place <= total:
            sets = counts[least - 1 : size, : total + 1 - place].copy()
            counts[least : size + 1, place : total + 1] += sets
    return counts


def _two_sided(below: Array, sums: Array) -> Array:
    """Return p of sums (...,), given counts of sets with sums up to 0, 1, ... (..., total + 1)."""
    sets = below[..., -1]
    up_to = np.take_along_axis(below, sums[..., None], axis=-1)[..., 0]
    under = np.take_along_axis(below, np.maximum(sums - 1, 0)[..., None], axis=-1)[..., 0]
    least = np.minimum(up_to, sets - np.where(sums > 0, under, 0.0))
    return np.asarray(np.minimum(1.0, 2 * least / sets))


# -- means ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Moves:
    """A permutation test of means, for every hypothetical difference.

    An arrangement moves units between the two treatments (or swaps the values of pairs). If d is
    the true difference, the arrangement is as extreme as the observed one on one side if the mean
    difference of the moved units is at most d, and on the other side if it is at least d. So these
    mean differences determine p for every d, and the interval: Hartigan (1969), JASA 64; Garthwaite
    (1996), Biometrics 52(4).

    differences   (k,) sorted mean differences of the arrangements that move at least one unit
    rest          number of arrangements that move no units, including the observed one
    rounding      the largest number that counts as 0
    """

    differences: Array
    rest: int
    rounding: float
    method: str

    @property
    def total(self) -> int:
        """The number of all arrangements, or the number drawn plus the observed one."""
        return len(self.differences) + self.rest

    @property
    def p(self) -> float:
        """The two-sided p if there is no difference."""
        low = int((self.differences <= self.rounding).sum())
        high = int((self.differences >= -self.rounding).sum())
        return min(1.0, 2 * (min(low, high) + self.rest) / self.total)

    def interval(self, level: float) -> tuple[float, float]:
        """Return the interval of differences with p above 1 - level; NaN if no difference is
        rejected."""
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
    """Return the permutation test for the means of two samples.

    within   whether to swap the two values of pairs instead of moving units
    strata   stratum number of every value; values are permuted only within strata
    """
    first_sample, second_sample = samples
    placed = np.concatenate(strata or [np.zeros(len(sample), dtype=int) for sample in samples])
    first = np.arange(len(placed)) < len(first_sample)
    possible = swaps(len(first_sample)) if within else dealings(first, placed)
    exact = possible <= resamples
    if within:
        parts = _exchanged(first_sample, second_sample, resamples, rng)
    else:
        deals = _every(first, placed) if exact else _drawn(first, placed, resamples, rng)
        parts = (_moved(flags, first_sample, second_sample) for flags in deals)
    means, rest = [], 0
    for sums, counts in parts:
        means.append(sums[counts > 0] / counts[counts > 0])
        rest += int((counts == 0).sum())
    rounding = TINY * float(size(np.concatenate(samples)))
    ordered = np.sort(np.concatenate(means))
    return Moves(ordered, rest + (not exact), rounding, _method(exact, resamples))


def dealings(first: Array, strata: Array) -> int:
    """Return the number of permutations within strata; `first` (n,) flags the first sample."""
    parts = [first[strata == stratum] for stratum in np.unique(strata)]
    return math.prod(math.comb(len(part), int(part.sum())) for part in parts)


def _exchanged(
    before: Array, after: Array, resamples: int, rng: np.random.Generator
) -> Iterator[tuple[Array, Array]]:
    """Yield the sum of the changes that each arrangement reverses, and the number of these
    changes."""
    reversed_pairs = (signs(len(before), resamples, rng)[0] < 0).astype(float)
    yield reversed_pairs @ (after - before), reversed_pairs.sum(axis=1)


def _moved(flags: Array, first_sample: Array, second_sample: Array) -> tuple[Array, Array]:
    """Return the sum of the values that leave the second sample minus the values that enter it, and
    the number of units moved.

    flags   (B, n) flags of the values assigned to the first sample
    """
    leaving = flags[:, len(first_sample) :].astype(float)
    coming = 1.0 - flags[:, : len(first_sample)]
    return leaving @ second_sample - coming @ first_sample, leaving.sum(axis=1)


def _every(first: Array, strata: Array) -> Iterator[Array]:
    """Yield one array (B, n) of flags of the first sample, for all arrangements."""
    places = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    ways = [combinations(members.tolist(), int(first[members].sum())) for members in places]
    chosen = np.array([sum(way, ()) for way in product(*ways)])
    flags = np.zeros((len(chosen), len(first)), dtype=bool)
    np.put_along_axis(flags, chosen, values=True, axis=1)
    yield flags


def _drawn(
    first: Array, strata: Array, resamples: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Yield arrays (B, n) of flags of the first sample, for drawn arrangements."""
    batch = max(1, _BATCH_NUMBERS // len(first))
    base = np.argsort(strata, kind="stable")
    for start in range(0, resamples, batch):
        keys = strata + rng.random((min(batch, resamples - start), len(first)))
        flags = np.empty(keys.shape, dtype=bool)
        np.put_along_axis(flags, np.argsort(keys, axis=1), first[base][None, :], axis=1)
        yield flags
