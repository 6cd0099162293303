"""How the errors of a fit hang together, type by type."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixed_company.engine.contract.space import Array

__all__ = ["blocks", "of_means"]

_LEAST = 0.005
"""Weaker ones are not written down."""


def blocks(variance: Array, sizes: Sequence[int]) -> list[Array]:
    """The correlations within each type, whose numbers follow each other; NaN: none is known."""
    ends = np.cumsum(sizes).tolist()
    with np.errstate(invalid="ignore", divide="ignore"):
        errors = np.sqrt(np.diag(variance))
        related = variance / np.outer(errors, errors)
    return [
        related[end - size : end, end - size : end] for end, size in zip(ends, sizes, strict=True)
    ]


def of_means(names: Sequence[str], related: Array) -> dict[str, dict[str, float]]:
    """As a population's file has them, of the numbers with these names, which come first."""
    own: dict[str, dict[str, float]] = {}
    for place, name in enumerate(names):
        pairs = zip(names[place + 1 :], related[place, place + 1 :].tolist(), strict=False)
        others = {other: float(value) for other, value in pairs if abs(value) >= _LEAST}
        own |= {name: others} if others else {}
    return own
