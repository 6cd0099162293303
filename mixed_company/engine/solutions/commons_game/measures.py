"""Measures of a play of the commons: returns, efficiency, periods survived."""

from __future__ import annotations

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.plan import best_group_plan

__all__ = ["efficiency", "periods_survived", "returns"]


def returns(core: CommonsCore, rewards: Array) -> tuple[Array, Array]:
    """(plain, discounted) return of each seat, (n,) points each; `rewards` is (T, n)."""
    weights = core.discount ** np.arange(len(rewards))
    discounted: Array = weights @ rewards
    return rewards.sum(axis=0), discounted


def efficiency(core: CommonsCore, rewards: Array, most: float | None = None) -> float:
    """Discounted group return of a play, rewards (T, n), over that of the best group plan.

    `most` as of `best_group_plan`. NaN where nothing can be earned.
    """
    best = best_group_plan(core, most).value
    _, discounted = returns(core, rewards)
    return float(discounted.sum()) / best if best else float("nan")


def periods_survived(core: CommonsCore, stocks: Array) -> int:
    """Periods until the stock first collapsed; T if it never did. `stocks` after each period."""
    run = 0
    for period, stock in enumerate(stocks, start=1):
        run = run + 1 if stock == 0 else 0
        if stock < core.collapse_stock or run >= core.collapse_zero_periods:
            return period
    return core.periods
