"""Points of integrals over what is normal between people, by Gauss and Hermite."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["points"]

_LIGHT = 1e-7
"""Points with less weight are left out."""


@lru_cache
def points(first: int, second: int = 1) -> tuple[Array, Array]:
    """(Q, 2) points for two standard normal numbers, and (Q,) the logarithms of their weights.

    So many nodes for each; with one node a number is 0 throughout. Nobody writes into them.
    """
    ones = [np.polynomial.hermite_e.hermegauss(count) for count in (first, second)]
    places = np.stack(np.meshgrid(*(own for own, _ in ones), indexing="ij"), -1).reshape(-1, 2)
    weights = np.multiply.outer(*(own / own.sum() for _, own in ones)).ravel()
    kept = weights > _LIGHT
    return places[kept], np.log(weights[kept] / weights[kept].sum())
