"""What seats draw by chance, each from a generator of its own, for many seats in one go.

    draws.random()              (K,) numbers, uniform on [0, 1)
    draws.uniform(low, high)    (K,) numbers, uniform from low to high
    draws.integers(count)       (K,) whole numbers from 0 to count - 1
    draws.normal()              (K,) standard normal numbers
    draws.apiece(draw)          (K, ...) whatever else: draw(generator, row)

All take `where`, flags (K,): only these seats draw, the others get 0 and their chance stays where
it is. Seat i gets what its own generator (`policies.chance.seat_chance`) would have given it, to
the last bit: who draws alone or with others draws the same. Nothing is made before it is used.

`Draws` asks the generators. `Words` computes their words for all seats at once: they are those of
Philox (Salmon, Moraes, Dror and Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3", SC11,
section 3.3), of 4 words of 64 bits and 10 rounds, as numpy has it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import as_uniform
from mixed_company.engine.contract.space import Array
from mixed_company.policies.ziggurat import normals

__all__ = ["Draws", "Words", "philox"]

_ROUNDS = 10
_FACTORS = np.array([[0xD2E7470EE14C6C93], [0xCA5A826395121157]], dtype=np.uint64)
_STEPS = np.array([[0x9E3779B97F4A7C15], [0xBB67AE8584CAA73B]], dtype=np.uint64)
_HALF = np.uint64(32)
_LOW = np.uint64(2**32 - 1)
_OVER, _UNDER = _FACTORS >> _HALF, _FACTORS & _LOW
_BLOCK = 4  # words that Philox gives at a time


class Draws:
    """The chance of `count` seats; `make` gives the generator of one of them."""

    def __init__(self, count: int, make: Callable[[int], np.random.Generator]) -> None:
        self.count, self._make = count, make
        self._generators: dict[int, np.random.Generator] = {}

    @classmethod
    def of(cls, generators: Sequence[np.random.Generator]) -> Draws:
        """The chance that these generators give."""
        return cls(len(generators), generators.__getitem__)

    def anew(self) -> Draws:
        """The same chance, of which nothing has been drawn."""
        return Draws(self.count, self._make)

    def generator(self, row: int) -> np.random.Generator:
        """The generator of one seat, until another one is asked for."""
        if row not in self._generators:
            self._generators[row] = self._make(row)
        return self._generators[row]

    def apiece(
        self, draw: Callable[[np.random.Generator, int], Any], where: Array | None = None
    ) -> Array:
        """(K, ...) what each seat draws, one after the other."""
        rows = self._rows(where)
        drawn = [draw(self.generator(row), row) for row in rows.tolist()]
        return self._spread(rows, np.array(drawn, dtype=np.float64))

    def random(self, where: Array | None = None) -> Array:
        """(K,) numbers, uniform on [0, 1)."""
        return self.apiece(lambda rng, _: rng.random(), where)

    def uniform(self, low: Any, high: Any, where: Array | None = None) -> Array:
        """(K,) numbers, uniform from low to high: numbers or (K,)."""
        drawn = low + (high - low) * self.random(where)
        return np.asarray(drawn if where is None else np.where(where, drawn, 0.0))

    def normal(self, where: Array | None = None) -> Array:
        """(K,) standard normal numbers."""
        return self.apiece(lambda rng, _: rng.standard_normal(), where)

    def integers(self, count: Any, where: Array | None = None) -> Array:
        """(K,) whole numbers from 0 to count - 1, a number or (K,)."""
        counts = np.broadcast_to(count, (self.count,)).tolist()
        return self.apiece(lambda rng, row: rng.integers(counts[row]), where).astype(np.int64)

    def _rows(self, where: Array | None) -> Array:
        return np.arange(self.count) if where is None else np.flatnonzero(where)

    def _spread(self, rows: Array, drawn: Array) -> Array:
        """(K, ...) with what was drawn at these rows, 0 elsewhere."""
        if len(rows) == self.count:
            return drawn
        every = np.zeros((self.count, *drawn.shape[1:]), dtype=drawn.dtype)
        every[rows] = drawn
        return every


class Words(Draws):
    """The chance of many seats, computed from the keys (K, 2) of their generators.

    `keys` is asked for those of the seats that draw, by their numbers, when they first do. One
    generator serves all seats: it is brought to where each seat is.
    """

    def __init__(self, count: int, keys: Callable[[Array], Array]) -> None:
        super().__init__(count, self._brought)
        self._make_keys = keys
        self._keys = np.zeros((count, 2), dtype=np.uint64)
        self._keyed = np.zeros(count, dtype=np.bool_)
        self._taken = np.zeros(count, dtype=np.int64)  # words
        self._half = np.zeros(count, dtype=np.uint64)
        self._halved = np.zeros(count, dtype=np.bool_)  # is half of a word left
        self._blocks: dict[int, tuple[Array, Array]] = {}  # words, and of which seats

    def anew(self) -> Draws:
        return Words(self.count, self._make_keys)

    def random(self, where: Array | None = None) -> Array:
        rows = self._rows(where)
        return self._spread(rows, as_uniform(self._next(rows)))

    def normal(self, where: Array | None = None) -> Array:
        rows = self._rows(where)
        drawn, final = normals(self._next(rows))
        for place in np.flatnonzero(~final).tolist():
            row = int(rows[place])
            self._taken[row] -= 1
            drawn[place] = self._brought(row).standard_normal()
            self._count(row)
        return self._spread(rows, drawn)

    def integers(self, count: Any, where: Array | None = None) -> Array:
        """By multiplication: Lemire (2019), ACM Trans. Modeling and Computer Simulation 29(1)."""
        counts = np.broadcast_to(np.asarray(count, dtype=np.uint64), (self.count,))
        drawn = np.zeros(self.count, dtype=np.int64)
        rows = self._rows(where)
        rows = rows[counts[rows] > 1]
        while len(rows):
            among = counts[rows]
            products = self._next_half(rows) * among
            fair = (products & _LOW) >= (_LOW + np.uint64(1) - among) % among
            drawn[rows[fair]] = (products[fair] >> _HALF).astype(np.int64)
            rows = rows[~fair]
        return drawn

    def generator(self, row: int) -> np.random.Generator:
        """The generator, brought to where this seat is; what is drawn from it is not counted."""
        return self._brought(row)

    def apiece(
        self, draw: Callable[[np.random.Generator, int], Any], where: Array | None = None
    ) -> Array:
        rows, drawn = self._rows(where), []
        for row in rows.tolist():
            drawn.append(draw(self._brought(row), row))
            self._count(row)
        return self._spread(rows, np.array(drawn, dtype=np.float64))

    # -- words ----------------------------------------------------------------------------

    def _keys_of(self, rows: Array) -> Array:
        """(R, 2) the keys of these seats."""
        new = rows[~self._keyed[rows]]
        if len(new):
            self._keys[new], self._keyed[new] = self._make_keys(new), True
        return np.asarray(self._keys[rows])

    def _block(self, number: int, rows: Array) -> Array:
        """(count, 4) the words with the numbers 4 * number and on, filled in for these seats."""
        if number not in self._blocks:
            blank = np.zeros((self.count, _BLOCK), dtype=np.uint64)
            self._blocks[number] = blank, np.zeros(self.count, dtype=np.bool_)
        words, of_these = self._blocks[number]
        new = rows[~of_these[rows]]
        if len(new):
            words[new], of_these[new] = philox(self._keys_of(new), number + 1), True
        return words

    def _next(self, rows: Array) -> Array:
        """The next word of each of these seats."""
        if not len(rows):
            return np.zeros(0, dtype=np.uint64)
        at = self._taken[rows]
        self._taken[rows] = at + 1
        blocks, places = np.divmod(at, _BLOCK)
        least, most = int(blocks.min()), int(blocks.max())
        if least == most:
            return np.asarray(self._block(least, rows)[rows, places])
        words = np.empty(len(rows), dtype=np.uint64)
        for number in range(least, most + 1):
            here = np.flatnonzero(blocks == number)
            words[here] = self._block(number, rows[here])[rows[here], places[here]]
        return words

    def _next_half(self, rows: Array) -> Array:
        """The next 32 bits of each of these seats: half a word, the low one first."""
        kept = self._halved[rows]
        halves = self._half[rows]
        fresh = rows[~kept]
        words = self._next(fresh)
        halves[~kept] = words & _LOW
        self._half[fresh] = words >> _HALF
        self._halved[rows] = ~kept
        return halves

    # -- the one generator ----------------------------------------------------------------

    @cached_property
    def _shared(self) -> tuple[np.random.Generator, dict[str, Any]]:
        bits = np.random.Philox(key=0)
        return np.random.Generator(bits), dict(bits.state)

    def _brought(self, row: int) -> np.random.Generator:
        rng, state = self._shared
        block, place = divmod(int(self._taken[row]), _BLOCK)
        one = np.array([row])
        if not self._keyed[row]:  # who is asked for one generator is asked for the others next
            self._keys_of(np.arange(self.count))
        state["state"]["key"] = self._keys[row]
        state["state"]["counter"][0] = block + (place > 0)
        if place:
            state["buffer"] = self._block(block, one)[row]
        state["buffer_pos"] = place or _BLOCK
        state["has_uint32"], state["uinteger"] = int(self._halved[row]), int(self._half[row])
        rng.bit_generator.state = state
        return rng

    def _count(self, row: int) -> None:
        """Keep where the seat has come to by what was drawn from the generator."""
        state: Any = self._shared[0].bit_generator.state
        blocks = int(state["state"]["counter"][0]) - 1
        self._taken[row] = _BLOCK * blocks + state["buffer_pos"]
        self._halved[row], self._half[row] = state["has_uint32"], state["uinteger"]


def philox(keys: Array, counter: int) -> Array:
    """(K, 4) words: a block of each generator with one of these keys, (K, 2) words."""
    key = keys.T.copy()
    even, odd = np.zeros((2, 2, len(keys)), dtype=np.uint64)
    even[0] = counter
    for number in range(_ROUNDS):
        if number:
            key += _STEPS
        upper, lower = _multiplied(even)
        even, odd = upper[::-1] ^ odd ^ key, lower[::-1]
    return np.stack((even[0], odd[0], even[1], odd[1]), axis=1)


def _multiplied(words: Array) -> tuple[Array, Array]:
    """(2, K) the upper and the lower words of the products of 128 bits with the two factors."""
    upper, lower = words >> _HALF, words & _LOW
    cross, other = _UNDER * upper, _OVER * lower
    carry = _UNDER * lower >> _HALF
    carry += cross & _LOW
    carry += other & _LOW
    product = _OVER * upper
    for part in (cross, other, carry):
        part >>= _HALF
        product += part
    return product, words * _FACTORS
