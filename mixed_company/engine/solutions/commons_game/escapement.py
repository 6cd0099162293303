"""The best group plan under exponential growth: how many fish to leave, solved exactly.

The group takes h of the stock R, and the rest grows to R' = min(K, (1 + gamma) (R - h)). The play
ends if that is less than the collapse stock c. Let V_j(R) be the most that can be earned in j more
periods if the play lasts that long, discounted to the first of them:

    V_1(R) = min(limit, R)
    V_j(R) = max of h + delta V_j-1(R')  over 0 <= h <= limit with R' >= c

Each V_j is concave and piecewise linear. A fish left in the lake is worth the slope of the second
term, and a fish taken is worth 1. So fish are left while that slope is above 1; then the group
takes fish up to the limit, and any others are left: the lines of V_j are those of the second term
and one more, with slope 1 and the length of the limit. No grid is needed.

A play that ends early is a play with fewer periods, so the best value is the largest of V_1 to V_T
at the initial stock. Source: Reed (1979), Journal of Environmental Economics and Management 6(4),
for the policy of leaving a constant stock, which is best here if there is neither a harvest limit
nor a collapse.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.path import Path, path

_EDGE = 1e-12
"""Margin, in capacities, that a plan keeps above the stock at which a play ends, because of
rounding.
"""


@dataclass(frozen=True)
class _Worth:
    """Value V_j of a stock in points, a piecewise linear function.

    nodes    (m + 1,) breakpoints in fish; the first is the smallest stock that lasts j periods
    slopes   (m,) points per fish between breakpoints, decreasing; 0 beyond the last
    least    value of the smallest stock
    """

    nodes: Array
    slopes: Array
    least: float = 0.0

    def of(self, stock: float) -> float:
        """Return the value of a stock, or minus infinity if it is too small to last j periods."""
        if stock < self.nodes[0]:
            return -np.inf
        lengths = np.diff(np.minimum(self.nodes, stock))
        return self.least + float(self.slopes @ lengths)

    def left(self, core: CommonsCore, floor: float) -> _Worth:
        """Return the value of the stock that a harvest leaves, given the value of the stock after
        growth.
        """
        steep = 1.0 + core.growth_rate
        nodes = np.clip(self.nodes, floor, core.capacity)
        some = np.diff(nodes) > 0
        nodes = np.append(nodes[:1], nodes[1:][some]) / steep
        least = core.discount * self.of(floor)
        return _Worth(nodes, core.discount * steep * self.slopes[some], least)

    def with_harvest(self, limit: float) -> _Worth:
        """Return the value of the stock before a harvest, given that of the stock it leaves."""
        first = self.kept
        nodes = np.append(self.nodes[: first + 1], self.nodes[first:] + limit)
        return _Worth(nodes, np.insert(self.slopes, first, 1.0), self.least)

    @property
    def kept(self) -> int:
        """Number of lines on which leaving a fish is worth more than taking it."""
        return int(np.count_nonzero(self.slopes > 1.0))


def best_escapement(core: CommonsCore, group_limit: float) -> Path:
    """Return the best plan, and the error that rounding leaves in its value."""
    floor = core.collapse_stock if core.terminate_on_collapse else 0.0
    stock, limit = float(core.initial_stock or 0.0), min(group_limit, core.capacity)
    after = _Worth(np.zeros(1), np.zeros(0))  # fish left by the last harvest have no value
    targets, values = [0.0], []
    for _ in range(core.periods):
        worth = after.with_harvest(limit)
        values.append(worth.of(stock))
        after = worth.left(core, floor)
        least = (floor + _EDGE * core.capacity) / (1.0 + core.growth_rate) if floor else 0.0
        targets.append(max(float(after.nodes[after.kept]), least))
    best = max(range(core.periods), key=lambda number: (values[number], number))

    def decide(t: int, fish: float, _held: float, _pool: float) -> tuple[float, float]:
        return min(max(fish - targets[max(best - t, 0)], 0.0), group_limit), 0.0

    none = np.zeros(core.periods)
    plan = path(core, core.seats, decide, none, none)
    return replace(plan, error=max(values[best] - plan.value, 0.0))
