"""Helpers that set up and play the sanctions game in tests.

`HALF` is the steepness at which a gap of one point makes tanh exactly one half: tanh(ln(3) / 2) =
(3 - 1) / (3 + 1). At steepness 1, tanh is 1 to the last bit for gaps of 20 and more.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period

HALF = math.log(3) / 2
STILL = {"lambda_plus": 0, "lambda_minus": 0, "mu_R": 0, "delta_R": 0}
"""Parameters that keep trust and reputation at their initial values."""
PLAIN = {"theta": 0, "synergy": 0, "reward": "private"}
"""Parameters under which a seat earns only what it keeps, plus the effects."""


def sanctions(**core: Any) -> engine.Game[Any]:
    return engine.make("sanctions", **core)


def steps(game: engine.Game[Any], *contributions: Any, seed: int = 0) -> list[Period]:
    """Play, and return the steps. Contributions are given by period, as a list by seat or as one
    number for all seats.
    """
    episode = Episode(game, seed)
    return [episode.step(acts(game, amounts)) for amounts in contributions]


def states(game: engine.Game[Any], *contributions: Any) -> list[dict[str, Any]]:
    """Play, and return the true state after each period, as arrays."""
    episode, reached = Episode(game), []
    for amounts in contributions:
        episode.step(acts(game, amounts))
        reached.append({name: np.array(value) for name, value in episode.state_record().items()})
    return reached


def acts(game: engine.Game[Any], contributions: Any) -> dict[str, list[float]]:
    return {
        "contribution": (np.zeros(game.seats) + np.asarray(contributions, dtype=float)).tolist()
    }
