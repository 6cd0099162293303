"""Sets of cells of K windows at once, with a bit for each cell: (words, K) numbers of 64 bits.

A step of all cells of a set is a shift. The cells inside the frame are numbered row by row, and
behind each row comes a cell of the frame, so that no step leads from the end of a row to the next.
"""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["Numbering", "any_of", "first_of", "last_of", "shifted"]

_BITS = 64


class Numbering:
    """How the cells of a framed window of so many cells a row are numbered as bits."""

    def __init__(self, width: int) -> None:
        self.width, self.stride = width, width - 1
        self.bits = (width - 2) * self.stride
        self.words = -(-self.bits // _BITS)

    def inner(self, cells: Array, beyond: int = 0) -> Array:
        """(K, 64 * words) what is on cells (K, C), in the order of their bits."""
        side = self.width - 2
        framed = cells.reshape(-1, self.width, self.width)
        inner = np.full((len(framed), _BITS * self.words), beyond, dtype=cells.dtype)
        inner[:, : self.bits].reshape(-1, side, self.stride)[:, :, :side] = framed[:, 1:-1, 1:-1]
        return inner

    def packed(self, inner: Array) -> Array:
        """(words, K) the set of the cells that are flagged."""
        packed = np.packbits(inner.reshape(-1), bitorder="little").view("<u8")
        return np.ascontiguousarray(packed.reshape(-1, self.words).T)

    def cell(self, bits: Array) -> Array:
        """The numbers that the cells of these bits have in the framed window."""
        row, column = np.divmod(bits, self.stride)
        return np.asarray((row + 1) * self.width + column + 1)

    def bit(self, cell: int) -> int:
        """The bit of a cell of the framed window."""
        row, column = divmod(cell, self.width)
        return (row - 1) * self.stride + column - 1


def shifted(sets: Array, by: int) -> Array:
    """(..., words, K) the cells so many bits further; `by` is less than 64 either way."""
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
    """(..., K) is any cell in the set?"""
    return np.asarray(sets[..., 0, :] != 0 if sets.shape[-2] == 1 else (sets != 0).any(axis=-2))


def first_of(sets: Array) -> Array:
    """(K,) the first bit of sets (words, K) of a cell at least."""
    word = (sets != 0).argmax(axis=0)
    own = sets[word, np.arange(sets.shape[1])]
    below = (own & (~own + np.uint64(1))) - np.uint64(1)
    return np.asarray(_BITS * word + np.bitwise_count(below))


def last_of(sets: Array) -> Array:
    """(K,) the last bit of sets (words, K) of a cell at least."""
    whole = (
        sum(word << _BITS * place for place, word in enumerate(words)) for words in sets.T.tolist()
    )
    return np.array([bits.bit_length() - 1 for bits in whole], dtype=np.int64)
