"""Functions that read observations for the policies of the commons game."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore, growth
from mixed_company.engine.solutions.commons_game import maximum_sustainable_yield
from mixed_company.policies.seats import Seats, mean_where


def mean_of_others(seats: Seats) -> Array:
    """Return the mean harvest last period of visible other seats, (K,); NaN if there are none."""
    harvest = seats.seen["harvest"]
    shown = ~np.isnan(harvest) & (seats.period > 0)[:, None]
    shown[seats.rows, seats.seat] = False
    return mean_where(shown, harvest)


def most_taken(seats: Seats) -> Array:
    """Return the largest visible harvest last period, (K,); NaN if none is visible."""
    harvest = seats.seen["harvest"]
    largest = np.where(np.isnan(harvest), -np.inf, harvest).max(axis=1)
    return np.where((seats.period > 0) & (largest >= 0.0), largest, np.nan)


def own_wealth(seats: Seats) -> Array:
    """Return the points of each seat, shape (K,); 0 if they are not shown."""
    wealth: Array = seats.seen["wealth"][seats.rows, seats.seat]
    return np.where(np.isnan(wealth), 0.0, wealth)


def stock_seen(seats: Seats, rules: CommonsCore) -> Array:
    """Return the stock as shown, (K,), clipped to its range; half the capacity if it is hidden."""
    stock = seats.seen["stock"]
    in_range = np.minimum(np.maximum(stock, 0.0), rules.capacity)
    return np.where(np.isnan(stock), rules.capacity / 2, in_range)


def sustainable_share(rules: CommonsCore, stock: Array) -> Array:
    """Return an equal share of each stock's growth, (K,).

    The share never exceeds `max_harvest` or an equal share of the maximum sustainable yield. Stocks
    above the best one count as the best one.
    """
    best, _ = maximum_sustainable_yield(rules)
    regrown = growth(rules, np.minimum(stock, best))
    if rules.growth == "linear":  # the same for every stock
        regrown = np.full(stock.shape, regrown)
    if rules.growth == "exponential":  # each fish left in the lake becomes 1 + gamma fish
        regrown = regrown / (1.0 + rules.growth_rate)
    share: Array = np.minimum(regrown / rules.seats, rules.max_harvest)
    return share


def yield_share(rules: CommonsCore) -> float:
    """Return an equal share of the maximum sustainable yield, at most `max_harvest`."""
    return min(maximum_sustainable_yield(rules)[1] / rules.seats, rules.max_harvest)
