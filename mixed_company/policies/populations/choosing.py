"""How a choice follows from what each is worth: the logit response, drawn by chance."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.policies.draws import Draws

__all__ = ["chosen", "column"]


def chosen(worth: Array, among: Array, draws: Draws) -> Array:
    """(K,) choices drawn with chances in proportion to exp(worth), of those `among` (K, A) flags.

    Sums are taken one by one, so that a seat chooses alone as it would among others.
    """
    worth = np.where(among, worth, -np.inf)
    chances = np.cumsum(np.exp(worth - worth.max(axis=1, keepdims=True)), axis=1)
    drawn = draws.random()[:, None] * chances[:, -1:]
    return np.asarray((drawn >= chances).sum(axis=1))


def column(number: float | Array) -> Array:
    """A number for all, or (K,) numbers, as a column beside (K, A) numbers."""
    return np.reshape(number, (-1, 1))
