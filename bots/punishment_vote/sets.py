"""Sets of cells in K windows at once, as (words, K) 64-bit numbers with one bit per cell.

A bit shift moves all cells of a set by one step. The cells inside the frame are numbered row by
row. Each row ends with a frame cell, so that no step leads from the end of one row to the next.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array

_BITS = 64


class Numbering:
    """Bit numbers of the cells of a framed window with `width` cells per row."""

    def __init__(self, width: int) -> None:
        self.width, self.stride = width, width - 1
        self.bits = (width - 2) * self.stride
        self.words = -(-self.bits // _BITS)

    def inner(self, cells: Array, beyond: int = 0) -> Array:
        """Return cell values (K, C) in bit order, (K, 64 * words), padded with `beyond`."""
        side = self.width - 2
        framed = cells.reshape(-1, self.width, self.width)
        inner = np.full((len(framed), _BITS * self.words), beyond, dtype=cells.dtype)
        inner[:, : self.bits].reshape(-1, side, self.stride)[:, :, :side] = framed[:, 1:-1, 1:-1]
        return inner

    def packed(self, inner: Array) -> Array:
        """Return the set (words, K) of the flagged cells."""
        packed = np.packbits(inner.reshape(-1), bitorder="little").view("<u8")
        return np.ascontiguousarray(packed.reshape(-1, self.words).T)

    def cell(self, bits: Array) -> Array:
        """Return the indices, in the framed window, of the cells with these bits."""
        row, column = np.divmod(bits, self.stride)
        return np.asarray((row + 1) * self.width + column + 1)

    def bit(self, cell: int) -> int:
        """Return the bit for a cell of the framed window."""
        row, column = divmod(cell, self.width)
        return (row - 1) * self.stride + column - 1


def shifted(sets: Array, by: int) -> Array:
    """Return the sets (..., words, K) with cells shifted by `by` bits, less than 64 either way."""
    if by > 0:
        moved = sets << np.uint64(by)
        if sets.shape[-2] > 1:
            moved[..., 1:, :] |= sets[..., :-1, :] >> np.uint64(_BITS - by)
    else:
        moved = sets >> np.uint64(-by)
        if sets.shape[-2] > 1:
            moved[..., :-1, :] |= sets[..., 1:, :] << np.uint64(_BITS + by)
    return np.asarray(moved)


def any_of(sets: Array) -> Array:
    """Return flags (..., K) for the sets that are not empty."""
    return np.asarray(sets[..., 0, :] != 0 if sets.shape[-2] == 1 else (sets != 0).any(axis=-2))


def first_of(sets: Array) -> Array:
    """Return the first bit, (K,), of nonempty sets (words, K)."""
    word = (sets != 0).argmax(axis=0)
    bits = sets[word, np.arange(sets.shape[1])]
    below = (bits & (~bits + np.uint64(1))) - np.uint64(1)
    return np.asarray(_BITS * word + np.bitwise_count(below))


def last_of(sets: Array) -> Array:
    """Return the last bit, (K,), of nonempty sets (words, K)."""
    whole = (
        sum(word << _BITS * place for place, word in enumerate(words)) for words in sets.T.tolist()
    )
    return np.array([bits.bit_length() - 1 for bits in whole], dtype=np.int64)
