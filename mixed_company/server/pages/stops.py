"""The values at which the slider of a page can stop: those of which a table of outcomes speaks."""

from __future__ import annotations

import math
from typing import Any

from mixed_company.engine.game import Game

__all__ = ["stops"]

MOST_STOPS = 400
"""Longer tables would be more to send than a page needs; the words beside the slider stay away."""
_PLACES = 9  # of a stop: 3 * 0.1 is 0.3
_ALMOST = 1e-9  # of a step: so much may be missing to the highest


def stops(game: Game[Any], name: str, low: float, high: float) -> list[float]:
    """The values of an action field from `low` to `high` by its grain; whole numbers without one.

    None where there are more than MOST_STOPS, or no end.
    """
    field = next(own for own in game.declaration.actions if own.name == name)
    step = field.grain or 1.0
    count = (high - low) / step
    if not count < MOST_STOPS:
        return []
    return [round(low + k * step, _PLACES) for k in range(math.floor(count + _ALMOST) + 1)]
