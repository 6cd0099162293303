"""Seeded chance: every random number of a play is named by (seed, what, period, index).

Nothing here remembers anything. `stream(seed, what, period)` computes the numbers from their
names, so any period of any play can be recomputed alone, and a batch of plays draws exactly the
numbers that each play would draw by itself.

The numbers are SplitMix64 (Steele, Lea and Flood 2014, "Fast splittable pseudorandom number
generators", OOPSLA): output i is the finaliser of key + (i + 1) * golden gamma. A library
generator would need one object per play and period; this is one array operation for all plays.

SplitMix64 can be run backwards, and seats are shown random numbers. So the key of a period is
derived one way (the finaliser, with what went in added to what comes out: the construction of
Davies and Meyer): from the numbers of one period nobody reads the seed, another period or another
stream. Within a stream one number tells the others; so what a seat can read off what it sees, such
as the error of a reading, is drawn from `Stream.apart`: each number from a stream of its own. This
keeps honest players honest; it is no cryptography.
"""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from hashlib import blake2b
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ConfigError, short
from mixed_company.engine.contract.space import Array

__all__ = [
    "MAX_SEED",
    "NORMAL_MOST",
    "Chance",
    "Stream",
    "as_halves",
    "as_normal",
    "as_order",
    "as_uniform",
    "check_seed",
    "generator",
    "group_seed",
    "inside",
    "play_seeds",
    "stream",
]

MAX_SEED = 2**63 - 1
_LEAST = 2.0**-54
NORMAL_MOST = 8.292361075813597
"""No normal number of a stream is further from 0: that of `_LEAST`; a uniform one has 53 bits."""
_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)


def check_seed(seed: Any) -> int:
    """The seed as an int in 0 .. 2**63 - 1. Raises ConfigError otherwise."""
    try:
        value = operator.index(seed)
    except TypeError:
        value = -1
    if isinstance(seed, bool) or not 0 <= value <= MAX_SEED:
        raise ConfigError(f"seed = {short(seed)}: a seed is a whole number from 0 to 2**63 - 1")
    return value


def _mix(z: Array) -> Array:
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    mixed: Array = z ^ (z >> np.uint64(31))
    return mixed


@lru_cache(maxsize=256)
def _steps(shape: tuple[int, ...]) -> Array:
    steps = np.arange(1, math.prod(shape) + 1, dtype=np.uint64) * _GAMMA
    steps.flags.writeable = False
    return steps


@lru_cache(maxsize=4096)
def _word(what: str) -> int:
    return int.from_bytes(blake2b(what.encode(), digest_size=8).digest(), "little")


@dataclass(frozen=True)
class Stream:
    """The random numbers of one name. `key` has the batch shape; each draw adds `shape` to it."""

    key: Array

    def bits(self, shape: tuple[int, ...] = ()) -> Array:
        """Uniform 64-bit words, shape batch + `shape`."""
        words = _mix(self.key[..., None] + _steps(shape))
        return words.reshape(self.key.shape + shape)

    def uniform(self, shape: tuple[int, ...] = ()) -> Array:
        """Uniform on [0, 1), 53 random bits."""
        return as_uniform(self.bits(shape))

    def normal(self, shape: tuple[int, ...] = ()) -> Array:
        """Standard normal numbers, within NORMAL_MOST."""
        return as_normal(self.uniform(shape))

    def apart(self, shape: tuple[int, ...]) -> Stream:
        """As many streams as `shape` has places, keys of shape batch + `shape`, derived one way.

        Of a number drawn from one of them nobody computes those drawn from the others. A single
        number (shape `()`) is alone in its stream as it is.
        """
        return Stream(self.bits_apart(shape)) if shape else self

    def bits_apart(self, shape: tuple[int, ...] = ()) -> Array:
        """Uniform 64-bit words, shape batch + `shape`. No word tells another one."""
        places = self.key[..., None] + _steps(shape)
        words: Array = _mix(places) ^ places
        return words.reshape(self.key.shape + shape)

    def without(self, count: int) -> Stream:
        """The same stream without its first `count` words; `key` must have at least one axis."""
        return Stream(self.key + _steps((count,))[-1]) if count else self

    def order(self, count: int) -> Array:
        """A uniformly random permutation of 0 .. count - 1."""
        return as_order(self.bits((count,)))


def as_uniform(words: Array) -> Array:
    """64-bit words as numbers uniform on [0, 1), 53 random bits each."""
    reals: Array = (words >> np.uint64(11)) * 2.0**-53
    return reals


def inside(reals: Array) -> Array:
    """Move uniform numbers on [0, 1) off both ends, so that their logarithms are finite."""
    return np.minimum(reals + _LEAST, 1.0 - 2.0**-53)


def as_normal(reals: Array) -> Array:
    """Turn uniform numbers on [0, 1) into standard normal ones, within NORMAL_MOST.

    It is the inverse of the distribution function.
    """
    from scipy.special import ndtri  # a sixth of the start of a server, and few draw any

    normal: Array = ndtri(inside(reals))
    return normal


def as_order(words: Array) -> Array:
    """64-bit words as a uniformly random permutation of their indices along the last axis."""
    return np.argsort(words, axis=-1, kind="stable")


def as_halves(words: Array) -> Array:
    """64-bit words as twice as many uniform 32-bit words along the last axis, low half first."""
    halves: Array = np.ascontiguousarray(words, dtype="<u8").view("<u4")
    return halves


def stream(seed: Any, what: str, period: Any = 0, seat: Any = None) -> Stream:
    """The stream named `what` of a play in a period, and of a seat where each has its own.

    `seed` is an int, or an array of ints for a batch of plays; `period` and `seat` are ints or
    arrays that broadcast with it (period -1 is the time before the first period).
    """
    return Chance(seed, period)(what, seat)


@dataclass(frozen=True)
class Chance:
    """All streams of one period: `chance("noise").normal()`."""

    seed: Any
    period: Any

    @cached_property
    def _base(self) -> tuple[Array, Array]:
        """What all streams of the period have in common: of the seed, and of the period."""
        base = _mix(np.asarray(self.seed, dtype=np.uint64) + _GAMMA)
        return base, np.asarray(self.period, dtype=np.int64).astype(np.uint64) * _M1

    def __call__(self, what: str, seat: Any = None) -> Stream:
        with np.errstate(over="ignore"):
            base, when = self._base
            secret = _mix(base ^ np.uint64(_word(what)))
            if seat is not None:
                when = when + np.asarray(seat, dtype=np.int64).astype(np.uint64) * _M2
            return Stream(_mix(secret + when) ^ secret)


def generator(seed: int, what: str, period: int = 0) -> np.random.Generator:
    """A numpy generator named like a stream, for those who draw an unknown number of times.

    Its key is hashed from the name in plain Python: one is made for every decision of a bot.
    """
    hashed = blake2b(f"{seed} {what} {period}".encode(), digest_size=16).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(hashed, "little")))


def play_seeds(seed: int, numbers: Any) -> Array:
    """The seeds of many plays that follow from one, by number: from 0 to 2**63 - 1."""
    return (stream(seed, "plays", numbers).bits() >> np.uint64(1)).astype(np.int64)


def group_seed(seed: int, number: int) -> int:
    """The seed of the play of a session's group with this number (from 1), from the session's.

    Below 2**53, so that no spreadsheet rounds it.
    """
    return int(stream(seed, "play of group", number).bits()) >> 11
