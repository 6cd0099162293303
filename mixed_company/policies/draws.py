"""Random draws for policies, for one seat or for many at once.

    draws.random()              (K,) numbers, uniform on [0, 1)
    draws.uniform(low, high)    (K,) numbers, uniform from low to high
    draws.integers(count)       (K,) whole numbers from 0 to count - 1
    draws.normal()              (K,) standard normal numbers

`random` and `normal` draw (K, m) numbers with `shape=(m,)`. All methods take `where`, flags (K,)
for the seats that draw. The other seats get 0 and keep their next numbers.

A number depends on the seed of its play, its seat, its period, and how many numbers the seat has
already drawn in this period (`engine.contract.chance`). So a seat draws the same numbers whether or
not it draws together with other seats. Numbers are computed only when they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import (
    MAX_SEED,
    Stream,
    as_normal,
    as_uniform,
    generator,
    key_of_one,
    one_apart,
    stream,
)
from mixed_company.engine.contract.space import Array

Numbers = Sequence[int] | Array


class Draws:
    """Random draws for K seats; the seeds of their plays, the seats and the periods are (K,)."""

    def __init__(self, seeds: Numbers, seats: Numbers, periods: Numbers) -> None:
        self._seeds, self._seats, self._periods = seeds, seats, periods
        self.count = len(seeds)
        self._key: int | None = None  # of a single seat, without the numbers drawn so far

    @classmethod
    def of(cls, rng: np.random.Generator | Draws) -> Draws:
        """Convert a generator to the draws of one seat; return Draws unchanged."""
        if type(rng) is Draws:
            return rng
        return seat_chance(int(rng.integers(MAX_SEED)), 0, 0)

    def anew(self) -> Draws:
        """Return a copy that starts over at the first number."""
        return Draws(self._seeds, self._seats, self._periods)

    def of_row(self, row: int) -> Draws:
        """Return the draws for the seat in this row, starting from its first number."""
        return seat_chance(*self._name(row))

    def generator(self, row: int) -> np.random.Generator:
        """Return a new numpy generator for the seat in this row, for `Policy.act`.

        Its numbers are independent of those drawn by the other methods.
        """
        seed, seat, period = self._name(row)
        return generator(seed, f"policy of seat {seat}", period)

    def random(self, where: Array | None = None, shape: tuple[int, ...] = ()) -> Array:
        """Draw (K, *shape) numbers, uniform on [0, 1)."""
        return _only(self._drawn(where, shape), where)

    def uniform(self, low: Any, high: Any, where: Array | None = None) -> Array:
        """Draw (K,) numbers, uniform from low to high; both are numbers or (K,)."""
        return _only(low + (high - low) * self._drawn(where), where)

    def normal(self, where: Array | None = None, shape: tuple[int, ...] = ()) -> Array:
        """Draw (K, *shape) standard normal numbers."""
        return _only(as_normal(self._drawn(where, shape)), where)

    def integers(self, count: Any, where: Array | None = None) -> Array:
        """Draw (K,) whole numbers from 0 to count - 1; count is a number or (K,).

        The probabilities of two results differ by less than 2**-53.
        """
        return _only((self._drawn(where) * count).astype(np.int64), where)

    def _name(self, row: int) -> tuple[int, int, int]:
        return int(self._seeds[row]), int(self._seats[row]), int(self._periods[row])

    @cached_property
    def _left(self) -> Stream:
        """The seats' random streams after the numbers drawn so far, key (K,)."""
        return stream(self._seeds, "policy of seat", self._periods, self._seats)

    def _drawn(self, where: Array | None, shape: tuple[int, ...] = ()) -> Array:
        """Draw (K, *shape) uniform numbers on [0, 1) from the streams of the flagged seats."""
        if where is not None and not where.any():
            return np.zeros((self.count, *shape))
        if self.count != 1:
            before = self._left
            after = before.without(prod(shape))
            self._left = after if where is None else Stream(np.where(where, after.key, before.key))
            return as_uniform(before.bits_apart(shape))
        if self._key is None:
            seed, seat, period = self._name(0)
            self._key = key_of_one(seed, "policy of seat", period, seat)
        kept = where is None or bool(where[0])
        if not shape:
            number, key = one_apart(self._key)
            self._key = key if kept else self._key
            return np.array([number])
        left = Stream(np.array([self._key], np.uint64))
        self._key = left.without(prod(shape)).key.item() if kept else self._key
        return as_uniform(left.bits_apart(shape))


def _only(drawn: Array, where: Array | None) -> Array:
    """Return the flagged seats' numbers, and 0 for the other seats, shape (K, ...)."""
    if where is None:
        return drawn
    if drawn.ndim > 1:
        where = where.reshape(-1, *(1,) * (drawn.ndim - 1))
    return np.where(where, drawn, 0)


def seat_chance(seed: int, seat: int, period: int) -> Draws:
    """Return the draws for the policy in one seat of a play."""
    return Draws([seed], [seat], [period])
