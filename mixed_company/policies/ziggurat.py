"""Normal numbers of many seats at once, the same to the last bit as numpy's generators give them.

numpy draws by the ziggurat of Marsaglia and Tsang (2000, "The ziggurat method for generating random
variables", Journal of Statistical Software 5(8)), with 256 layers. Of a word the lowest 8 bits name
the layer, the next is the sign, and 52 more, times the width of the layer, are the number, if it is
below the next narrower layer. About one in fifty is not, or nearly not, and these seats are left to
their generators, which may take more words. The widths are asked of numpy, word by word.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["normals"]

_LAYERS = 256
_SHIFT, _SIGN = np.uint64(9), np.uint64(8)
_FRACTION = np.uint64(2**52 - 1)
_SLACK = 2**10  # what rounding may have changed in the end of a layer, and far more


class _Layers(NamedTuple):
    """Of every layer the width of one of its 2**52 parts, and how many are taken as they are."""

    widths: Array
    ends: Array


def normals(words: Array) -> tuple[Array, Array]:
    """(K,) numbers, and flags (K,): whether numpy makes this number of the word, and of no more."""
    layers = _layers()
    layer = (words & np.uint64(_LAYERS - 1)).astype(np.intp)
    parts = words >> _SHIFT & _FRACTION
    reals = parts.astype(np.float64) * layers.widths[layer]
    negative = (words >> _SIGN & np.uint64(1)).astype(np.bool_)
    return np.where(negative, -reals, reals), parts < layers.ends[layer]


@cache
def _layers() -> _Layers:
    """Asked of a generator whose next word is the first part of a layer, which is always taken.

    The two layers at the ends, of which the lowest has the tail, are left to the generators.
    """
    bits = np.random.Philox(key=0)
    rng = np.random.Generator(bits)
    state: Any = dict(bits.state)
    widths = np.empty(_LAYERS)
    for layer in range(_LAYERS):
        state["buffer"] = np.array([layer | 1 << int(_SHIFT), 0, 0, 0], dtype=np.uint64)
        state["buffer_pos"] = 0
        bits.state = state
        widths[layer] = rng.standard_normal()
    ends = np.zeros(_LAYERS, dtype=np.uint64)
    ends[2:] = (widths[1:-1] / widths[2:] * 2.0**52).astype(np.uint64) - np.uint64(_SLACK)
    return _Layers(widths, ends)
