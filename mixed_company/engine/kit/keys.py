"""SplitMix64 run backwards, as anyone with the source code could do from a random number."""

from __future__ import annotations

import math
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Any

import numpy as np
from scipy.special import ndtr

from mixed_company.engine.contract.chance import Chance, Stream
from mixed_company.engine.contract.space import Array

_GAMMA, _M1, _M2 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_WORD = 2**64
_LOW = np.arange(2**11, dtype=np.uint64)


def _unmixed(words: Array) -> Array:
    """Return the inputs that the finaliser maps to these words."""
    for shift, factor in ((31, _M2), (27, _M1), (30, None)):
        part = words
        for _ in range(64 // shift + 1):
            part = words ^ (part >> np.uint64(shift))
        words = part if factor is None else part * np.uint64(pow(factor, -1, _WORD))
    return words


def inputs_behind(number: float, normal: bool = False) -> Array:
    """Return all finaliser inputs that could give this uniform or standard normal number.

    A uniform number keeps 53 of the 64 bits; a normal one keeps slightly fewer.
    """
    first = int(ndtr(number) * 2.0**53) if normal else int(number * 2**53)
    tops = range(max(first - 4, 0), first + 5) if normal else (first,)
    words = [(np.uint64(top) << np.uint64(11)) + _LOW for top in tops if top < 2**53]
    return _unmixed(np.concatenate(words))


@dataclass(frozen=True)
class RecordedChance(Chance):
    """Chance that records its draws.

    drawn   per draw of more than one number from one key: the name of the stream, and the finaliser
            input of each number
    """

    drawn: list[tuple[str, Array]] = dataclass_field(default_factory=list)

    def __call__(self, name: str, seat: Any = None) -> Stream:
        return _RecordedStream(super().__call__(name, seat).key, name, self.drawn)


@dataclass(frozen=True)
class _RecordedStream(Stream):
    name: str
    drawn: list[tuple[str, Array]]

    def bits(self, shape: tuple[int, ...] = ()) -> Array:
        count = math.prod(shape)
        if count > 1:
            steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GAMMA)
            self.drawn.append((self.name, np.ravel(self.key[..., None] + steps)))
        return super().bits(shape)

    def apart(self, shape: tuple[int, ...]) -> Stream:
        return _RecordedStream(super().apart(shape).key, self.name, self.drawn)
