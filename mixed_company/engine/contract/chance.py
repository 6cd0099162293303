"""Seeded chance: (seed, name, period, index) identifies every random number of a play.

There is no generator state: `stream(seed, name, period)` computes the numbers from these names. So
any period of any play can be recomputed separately. A batch of plays draws exactly the same numbers
as individual plays do.

The numbers are SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators", OOPSLA): output i is the finaliser of key + (i + 1) * golden gamma. A library generator
would need one object per play and period. Here, one array operation serves all plays.

SplitMix64 can be run backwards, and seats are shown random numbers. So the key of a period comes
from a one-way function (the finaliser with its input added to its output, the Davies-Meyer
construction). The numbers of one period therefore do not reveal the seed, another period or another
stream. Within a stream, one number reveals the others. Some numbers can be inferred from what a
seat sees, such as the error of a reading. Each of these is drawn from a separate stream
(`Stream.apart`). This protects against casual cheating; it is not cryptography.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.engine.contract.space import Array

MAX_SEED = 2**63 - 1
_LEAST = 2.0**-54
NORMAL_MOST = 8.292361075813597
"""Largest absolute value of a normal number. It follows from `_LEAST`, because uniform numbers have
only 53 bits.
"""
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)
_INT_GAMMA, _INT_M1, _INT_M2, _ALL = int(_GAMMA), int(_M1), int(_M2), 2**64 - 1


def check_seed(seed: Any) -> int:
    """Return the seed as an int from 0 to 2**63 - 1. Raises ConfigError if it is anything else."""
    try:
        value = operator.index(seed)
    except TypeError:
        value = -1
    if isinstance(seed, bool) or not 0 <= value <= MAX_SEED:
        raise ConfigError(f"seed = {short(seed)}: should be a whole number from 0 to 2**63 - 1")
    return value


def _mix(z: Array) -> Array:
    if z.size == 1:
        return np.full(z.shape, _mix_one(z.item()), dtype=np.uint64)
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    mixed: Array = z ^ (z >> np.uint64(31))
    return mixed


def _mix_one(z: int) -> int:
    """Apply the SplitMix64 finaliser to one word, in plain Python, which is several times as
    fast as numpy.
    """
    z = (z ^ (z >> 30)) * _INT_M1 & _ALL
    z = (z ^ (z >> 27)) * _INT_M2 & _ALL
    return z ^ (z >> 31)


def key_of_one(seed: int, name: str, period: int, seat: int | None) -> int:
    """Return the key of one play's stream, equal to the one that `Chance` computes."""
    secret = _mix_one(_mix_one(seed + _INT_GAMMA & _ALL) ^ _word(name))
    when = period * _INT_M1 + (seat or 0) * _INT_M2
    return _mix_one(secret + when & _ALL) ^ secret


@lru_cache(maxsize=256)
def _steps(shape: tuple[int, ...]) -> Array:
    steps = np.arange(1, math.prod(shape) + 1, dtype=np.uint64) * _GAMMA
    steps.flags.writeable = False
    return steps


@lru_cache(maxsize=4096)
def _word(name: str) -> int:
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Stream:
    """Stream of random numbers with one name. `key` has the batch shape; each draw appends `shape`
    to it."""

    key: Array

    def bits(self, shape: tuple[int, ...] = ()) -> Array:
        """Draw uniform 64-bit words, shape batch + `shape`."""
        words = _mix(self.key[..., None] + _steps(shape))
        return words.reshape(self.key.shape + shape)

    def uniform(self, shape: tuple[int, ...] = ()) -> Array:
        """Draw uniform numbers on [0, 1), with 53 random bits."""
        return as_uniform(self.bits(shape))

    def normal(self, shape: tuple[int, ...] = ()) -> Array:
        """Draw standard normal numbers, within NORMAL_MOST."""
        return as_normal(self.uniform(shape))

    def apart(self, shape: tuple[int, ...]) -> Stream:
        """Return one stream per place in `shape`, with keys (batch + `shape`) from a one-way
        function.

        A number drawn from one of these streams does not reveal the numbers of the others. For
        shape `()`, the stream itself is returned, because only one number is drawn from it.
        """
        return Stream(self.bits_apart(shape)) if shape else self

    def bits_apart(self, shape: tuple[int, ...] = ()) -> Array:
        """Draw uniform 64-bit words, shape batch + `shape`. No word reveals any other."""
        places = self.key[..., None] + _steps(shape)
        words: Array = _mix(places) ^ places
        return words.reshape(self.key.shape + shape)

    def without(self, count: int) -> Stream:
        """Return the stream without its first `count` words; `key` must have at least one axis."""
        return Stream(self.key + _steps((count,))[-1]) if count else self

    def order(self, count: int) -> Array:
        """Draw a uniformly random permutation of 0 .. count - 1."""
        return as_order(self.bits((count,)))


def one_apart(key: int) -> tuple[float, int]:
    """Return the next uniform number on [0, 1) of one stream, and the next key.

    This does the same as `Stream.bits_apart` and `Stream.without`, but uses plain numbers for
    speed.
    """
    place = key + _INT_GAMMA & _ALL
    return ((_mix_one(place) ^ place) >> 11) * 2.0**-53, place


def as_uniform(words: Array) -> Array:
    """Convert 64-bit words to uniform numbers on [0, 1), with 53 random bits each."""
    reals: Array = (words >> np.uint64(11)) * 2.0**-53
    return reals


def inside(reals: Array) -> Array:
    """Move uniform numbers on [0, 1) away from 0 and 1, so that the logarithms needed later are
    finite."""
    return np.minimum(reals + _LEAST, 1.0 - 2.0**-53)


def as_normal(reals: Array) -> Array:
    """Convert uniform numbers on [0, 1) to standard normal numbers within NORMAL_MOST.

    This applies the inverse of the normal distribution function.
    """
    normal: Array = _inverse_normal()(inside(reals))
    return normal


@cache
def _inverse_normal() -> Callable[[Array], Array]:
    from scipy.special import ndtri  # slow to import (a sixth of a server's start), rarely used

    inverse: Callable[[Array], Array] = ndtri
    return inverse


def as_order(words: Array) -> Array:
    """Convert 64-bit words to uniformly random permutations of the indices of the last axis."""
    return np.argsort(words, axis=-1, kind="stable")


def as_halves(words: Array) -> Array:
    """Split 64-bit words into uniform 32-bit words along the last axis, low half first."""
    halves: Array = np.ascontiguousarray(words, dtype="<u8").view("<u4")
    return halves


def stream(seed: Any, name: str, period: Any = 0, seat: Any = None) -> Stream:
    """Return the stream `name` for a play and period, and for a seat if each seat has its own.

    `seed` is an int, or an array of ints for a batch of plays; `period` and `seat` are ints or
    arrays that broadcast with it (period -1 means before the first period).
    """
    return Chance(seed, period)(name, seat)


@dataclass(frozen=True)
class Chance:
    """All streams of one period, as in `chance("noise").normal()`."""

    seed: Any
    period: Any

    @cached_property
    def _base(self) -> tuple[Array, Array]:
        """Parts of the key that all streams have in common: one from the seed, one from the
        period."""
        base = _mix(np.asarray(self.seed, dtype=np.uint64) + _GAMMA)
        return base, np.asarray(self.period, dtype=np.int64).astype(np.uint64) * _M1

    def __call__(self, name: str, seat: Any = None) -> Stream:
        if {type(self.seed), type(self.period), type(seat)} <= {int, type(None)}:
            return Stream(np.array(key_of_one(self.seed, name, self.period, seat), np.uint64))
        with np.errstate(over="ignore"):
            base, when = self._base
            secret = _mix(base ^ np.uint64(_word(name)))
            if seat is not None:
                when = when + np.asarray(seat, dtype=np.int64).astype(np.uint64) * _M2
            return Stream(_mix(secret + when) ^ secret)


def generator(seed: int, name: str, period: int = 0) -> np.random.Generator:
    """Return a numpy generator with a name like a stream's, for when the number of draws is not
    known in advance.

    The key is hashed in plain Python for speed, because every decision by a bot needs a generator.
    """
    hashed = blake2b(f"{seed} {name} {period}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(hashed, "little")))


def play_seeds(seed: int, numbers: Any) -> Array:
    """Return the seeds of the plays with these numbers, derived from one seed: 0 to 2**63 - 1."""
    return (stream(seed, "plays", numbers).bits() >> np.uint64(1)).astype(np.int64)


def group_seed(seed: int, number: int) -> int:
    """Return the seed of a group's play from the session's seed and the group number (counted from
    1).

    It is below 2**53, so spreadsheets show it exactly.
    """
    return int(stream(seed, "play of group", number).bits()) >> 11
