"""Shares of time by strength of selection and by population size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.learning.metagame.dynamics import alpha_rank, moran
from mixed_company.learning.metagame.game import MetaGame
from mixed_company.learning.tournament.tables import csv_text

ALPHAS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0)
POPULATIONS = (5, 10, 20, 50, 100, 200, 500)


class Setting(NamedTuple):
    """Shares of time, (m,) each, at one strength of selection and one population size."""

    varied: str
    alpha: float
    population: int
    moran: Array
    alpha_rank: Array


def check(seats: int, population: int, alpha: float) -> None:
    """Raise ConfigError for a population smaller than a group, or a negative or infinite alpha."""
    if population < seats:
        raise ConfigError(f"population = {population}: should be at least the {seats} seats")
    if not 0 <= alpha < math.inf:
        raise ConfigError(f"alpha = {alpha}: should be 0 or more, and finite")


def swept(game: MetaGame, population: int, alpha: float) -> list[Setting]:
    """Return the shares for all alphas at this population size, then for all sizes at this
    alpha."""
    alphas = [("alpha", value, population) for value in sorted({*ALPHAS, alpha})]
    sizes = sorted({*filter(lambda size: size >= game.seats, POPULATIONS), population})
    return [
        Setting(*setting, *(rank(game, setting[2], setting[1]) for rank in (moran, alpha_rank)))
        for setting in [*alphas, *(("population", alpha, size) for size in sizes)]
    ]


def sweep_csv(policies: Sequence[str], settings: Sequence[Setting]) -> str:
    """Return a CSV row for each setting and policy."""
    return csv_text(
        [
            {
                **dict(zip(Setting._fields[:3], setting[:3], strict=True)),
                "policy": policy,
                "moran": float(setting.moran[place]),
                "alpha_rank": float(setting.alpha_rank[place]),
            }
            for setting in settings
            for place, policy in enumerate(policies)
        ]
    )
