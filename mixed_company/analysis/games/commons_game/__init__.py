"""Analysis of the commons game: stock, harvest, contributions to a pool, and the worth of a
stock to a group that harvests optimally from then on."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.analysis.games import (
    POINTS,
    Contribution,
    Cooperation,
    Future,
    GameAnalysis,
    Pattern,
    PolicyTable,
    Quantity,
    Sample,
    Trial,
)
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.play.period import play_period

STOCKS, SHARES = 201, 101
"""Numbers of grid points for the stock and for the requested share, for computing a stock's
worth."""


def refuses(game: Game[Any]) -> str:
    """Return the reason why a stock's worth is unknown for a configuration; '' if it is known."""
    if game.core.governance != "none":
        return "core.governance: future points depend on the pool"
    for layer in game.layers:
        if layer.name not in ("information", "hierarchy"):
            return f"layers.{layer.name}: a stock's worth cannot be computed with this layer"
    return ""


def worth(game: Game[Any], after: Arrays) -> Array:
    """Return an equal share of what the group can still earn from these states, shape (B,).

    V_t(R) / n, where R is the stock, t the period and V from `stock_worth`; 0 after the end.
    """
    stocks, values = stock_worth(game)
    over = after["reason"] > 0
    shares = np.zeros(len(over))
    for period in np.unique(after["period"]).tolist():
        rows = (after["period"] == period) & ~over
        if rows.any():
            shares[rows] = np.interp(after["stock"][rows], stocks, values[period])
    return shares / game.seats


@lru_cache(maxsize=64)
def stock_worth(game: Game[Any]) -> tuple[Array, Array]:
    """Return a grid of stocks, and the most points that a group can earn from each stock in the
    remaining periods, shape (T + 1, stocks).

    V_T = 0, V_t(R) = max_h [n h' + V_{t+1}(R')] over equal requests h of all seats, where h' and R'
    are computed by the engine; 0 after a collapse that ends the game. V is computed by backward
    induction on a grid of stocks (Bellman 1957), with linear interpolation.
    """
    core = game.core
    stocks = np.linspace(0.0, core.capacity, STOCKS)
    requests = np.linspace(0.0, core.max_harvest, SHARES)
    stock, request = (grid.ravel() for grid in np.meshgrid(stocks, requests, indexing="ij"))
    start, _ = game.reset(np.zeros(len(stock), dtype=np.int64))
    harvest = np.repeat(request[:, None], game.seats, axis=1)
    actions = {"harvest": harvest, "contribution": np.zeros_like(harvest)}
    values = [np.zeros(STOCKS)]
    for period in reversed(range(game.horizon)):
        now = {**start, "stock": stock, "period": np.full(len(stock), period)}
        after, outcome = play_period(game, now, actions, game.draw_chance(0, 0))
        later = np.interp(after["stock"], stocks, values[0])
        later = np.where(outcome.done, 0.0, later)
        total = outcome.rewards.sum(axis=1) + later
        values.insert(0, total.reshape(STOCKS, SHARES).max(axis=1))
    return stocks, np.array(values)


__all__ = ["ANALYSIS"]


_QUOTA = {"power": {"intensity": 1.0, "limits": {"member": {"harvest": 2.5}}}}
_POOL = {"governance": "per_step", "pool_effect": 2.0}
_LASTING = {"periods": 20, "growth_rate": 0.8}

_PATTERN = Pattern(
    title="Over-harvesting under open access, and governance as a remedy",
    says="Without rules, the stock collapses; a pool that replenishes it, or a quota, sustains it. "
    "The "
    "pool also raises earnings; the quota only preserves the stock.",
    source="Gordon (1954), Journal of Political Economy 62(2); Ostrom (1990), Governing "
    "the Commons",
    people=("greedy", "half_capacity", "noisy_person", "steward"),
    treatments={"open access": {}, "pool": _POOL, "quota": {"layers": _QUOTA}},
    expected={
        "periods_survived": ("open access", "pool"),
        "stock_share": ("open access", "pool", "quota"),
        "mean_points": ("open access", "pool"),
    },
    course="stock_share",
    archetype="lab_0_7",
)

ANALYSIS = GameAnalysis(
    main=(
        *("efficiency", "mean_points", "periods_survived", "stock_share", "harvest"),
        *("contribution", "gini"),
    ),
    series=("stock_share", "harvest", "contribution"),
    lasting=("periods_survived", "collapsed"),
    quantities=(
        Quantity("periods", "after_stock", "stock"),
        Quantity("decisions", "used_harvest", "harvest"),
        Quantity("decisions", "used_contribution", "contribution"),
        POINTS,
    ),
    cooperation=Cooperation("used_harvest"),
    contribution=Contribution("used_contribution", lambda game: game.core.governance != "none"),
    future=Future("harvest", refuses, worth),
    trials=(
        Trial("conditional_cooperation", {"intercept": 0.5, "slope": 0.7, "noise": 1}, _LASTING),
        Trial("quantal_response", {"precision": 0.3}, _LASTING),
        Trial(
            "quantal_response_future",
            {"precision": 0.6, "future": 0.8},
            {"periods": 20, "growth_rate": 0.4},
        ),
    ),
    policies=PolicyTable(archetypes=("lab", "governed")),
    pattern=_PATTERN,
    sample=Sample("commons_quota", groups=5),
)
