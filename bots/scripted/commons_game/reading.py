"""How the policies of the commons game read their screen."""

from __future__ import annotations

import numpy as np

from bots.policy import Observation
from engine.games.commons_game import CommonsCore
from engine.solutions.commons_game import maximum_sustainable_yield

__all__ = ["first_period", "mean_of_others", "own_wealth", "stock_seen", "sustainable_share"]


def first_period(observation: Observation) -> bool:
    """Is there no last period to look back on?"""
    return int(observation["period"]) == 0


def mean_of_others(observation: Observation) -> float | None:
    """What the other seats one can see took last period, on average; None if there are none."""
    harvest = np.delete(observation["harvest"], int(observation["seat"]))
    shown = harvest[~np.isnan(harvest)]
    return float(shown.mean()) if shown.size and not first_period(observation) else None


def own_wealth(observation: Observation) -> float:
    """The points this seat holds (0 if they are not shown)."""
    return float(np.nan_to_num(observation["wealth"][int(observation["seat"])]))


def stock_seen(observation: Observation, rules: CommonsCore) -> float:
    """The stock as read, brought into its range; half the capacity if it is not shown."""
    stock = float(observation["stock"])
    return rules.capacity / 2 if np.isnan(stock) else min(max(stock, 0.0), rules.capacity)


def sustainable_share(rules: CommonsCore) -> float:
    """An equal share of the maximum sustainable yield, within what may be asked for."""
    return min(maximum_sustainable_yield(rules)[1] / rules.seats, rules.max_harvest)
