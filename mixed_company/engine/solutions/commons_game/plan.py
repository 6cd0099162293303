"""The best group plan: a plan that can be played, and a bound on any better plan.

A concave programme yields a plan and prices (`programme`), and prices yield a bound on all plays
(`bound`). If growth overshoots, or a play collapses early, the plan can earn less than the bound.
In that case, this module also uses the bound and the plan from a grid (`grid`), and programmes for
plays that end in the period with the largest bound. The value is what the best of these plans earns
when the engine plays it. With exponential growth, the best plan is known exactly.

**Exponential growth**: how many fish to leave, solved exactly.

The group takes h of the stock R, and the rest grows to R' = min(K, (1 + gamma) (R - h)). The play
ends if that is less than the collapse stock c. Let V_j(R) be the most that can be earned in j more
periods, discounted to the first of them, if the play lasts that long:

    V_1(R) = min(limit, R)
    V_j(R) = max of h + delta V_j-1(R')  over 0 <= h <= limit with R' >= c

Each V_j is concave and piecewise linear. A fish left in the lake is worth the slope of the second
term, and a fish taken is worth 1. So fish are left while that slope is above 1. Then the group
takes fish up to the limit, and leaves any others. V_j therefore has the lines of the second term
and one more, with slope 1 and the length of the limit. No grid is needed.

A play that ends early is the same as a play with fewer periods, so the best value is the largest of
V_1 to V_T at the initial stock. Source: Reed (1979), Journal of Environmental Economics and
Management 6(4), for the policy of leaving a constant stock, which is best here if there is neither
a harvest limit nor a collapse.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.bound import Bound, bound
from mixed_company.engine.solutions.commons_game.grid import Grid
from mixed_company.engine.solutions.commons_game.path import Decide, Path, path
from mixed_company.engine.solutions.commons_game.programme import Group, Programme, solved

_ROUNDING = 1e-12
"""Margin, in capacities, that keeps a plan above the stock at which a play ends, despite rounding.
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
        """Return the value of the stock after a harvest, given its value after growth."""
        steep = 1.0 + core.growth_rate
        nodes = np.clip(self.nodes, floor, core.capacity)
        some = np.diff(nodes) > 0
        nodes = np.append(nodes[:1], nodes[1:][some]) / steep
        least = core.discount * self.of(floor)
        return _Worth(nodes, core.discount * steep * self.slopes[some], least)

    def with_harvest(self, limit: float) -> _Worth:
        """Return the value of the stock before a harvest, given the value of the stock after it."""
        first = self.kept
        nodes = np.append(self.nodes[: first + 1], self.nodes[first:] + limit)
        return _Worth(nodes, np.insert(self.slopes, first, 1.0), self.least)

    @property
    def kept(self) -> int:
        """Number of lines on which leaving a fish is worth more than taking it."""
        return int(np.count_nonzero(self.slopes > 1.0))


def best_escapement(core: CommonsCore, group_limit: float) -> Path:
    """Return the best plan, and the rounding error in its value."""
    floor = core.collapse_stock if core.terminate_on_collapse else 0.0
    stock, limit = float(core.initial_stock or 0.0), min(group_limit, core.capacity)
    after = _Worth(np.zeros(1), np.zeros(0))  # fish left by the last harvest have no value
    targets, values = [0.0], []
    for _ in range(core.periods):
        worth = after.with_harvest(limit)
        values.append(worth.of(stock))
        after = worth.left(core, floor)
        least = (floor + _ROUNDING * core.capacity) / (1.0 + core.growth_rate) if floor else 0.0
        targets.append(max(float(after.nodes[after.kept]), least))
    best = max(range(core.periods), key=lambda number: (values[number], number))

    def decide(t: int, fish: float, _held: float, _pool: float) -> tuple[float, float]:
        return min(max(fish - targets[max(best - t, 0)], 0.0), group_limit), 0.0

    none = np.zeros(core.periods)
    plan = path(core, core.seats, decide, none, none)
    return replace(plan, error=max(values[best] - plan.value, 0.0))


_CLOSE = 1e-9
_EDGE = 1e-9  # margin, in capacities, that keeps a plan above the stock at which a play ends
_NOTHING_LEFT = 1e-13  # discount below which later periods are ignored
_PROGRAMMES = 5


@lru_cache(maxsize=64)
def best_group_plan(core: CommonsCore, group_limit: float | None = None) -> Path:
    """Return the plan that earns the group the most, with equal shares for all seats.

    `group_limit`: the largest total request in a period, if it is less than `max_harvest` for each
    seat.
    """
    group_limit = core.seats * core.max_harvest if group_limit is None else group_limit
    if core.growth == "exponential":
        return best_escapement(core, group_limit)
    return _Search(core, group_limit).best()


class _Search:
    """Search for the best plan. Values are in points and fish, but those of `group` are in
    capacities.
    """

    def __init__(self, core: CommonsCore, group_limit: float) -> None:
        self.core, self.group = core, Group.of(core, group_limit)
        self.horizon, self.late = _horizon(self.group)
        self.ends = np.full(self.horizon, np.inf)
        self.plan = self.played(lambda t, stock, held, pool: (0.0, 0.0))

    def best(self) -> Path:
        programme, prices = self.programme(self.horizon)
        if not self.close():
            self.grids(programme, prices)
        self.early_ends()
        error = (self.top() + self.late) * self.core.capacity - self.plan.value
        return replace(self.plan, error=max(error, 0.0))

    def programme(self, end: int) -> tuple[Programme, Bound]:
        """Solve the programme for plays that end after `end` periods, and try its plans."""
        programme = solved(self.group, end)
        prices = bound(self.group, programme.prices, programme.thrift)
        self.ends[:end] = np.minimum(self.ends[:end], prices.totals)
        for stocks in (programme.stocks, prices.stocks):
            self.offer(_by_stocks(self.group, stocks, programme.gifts))
            if self.close():
                break
        return programme, prices

    def grids(self, programme: Programme, prices: Bound) -> None:
        """Apply the grid's bound, and try its plans, with and without payments."""
        grid = Grid(self.group, programme, prices)
        self.offer(_by_grid(self.group, grid))
        if self.group.stock >= self.group.floor:  # the grid has no nodes below the floor
            self.ends = np.minimum(self.ends, grid.value())
        if self.group.pays and not self.close():
            alone = replace(self.group, pays=False, effect=0.0)
            free = bound(alone, programme.prices, np.zeros(self.horizon))
            self.offer(_by_grid(alone, Grid(alone, programme, free)))

    def early_ends(self) -> None:
        """Solve the programmes for plays that end in the period with the largest bound.

        Without discounting, a play that ends early is no better than the same play with a later
        start.
        """
        if self.group.floor == 0 or self.group.discount == 1.0:
            return
        solved_ends = {self.horizon}
        while not self.close() and len(solved_ends) < _PROGRAMMES:
            end = int(self.ends.argmax()) + 1
            if end in solved_ends:
                break
            solved_ends.add(end)
            self.programme(end)

    def top(self) -> float:
        return max(float(self.ends.max()), 0.0)

    def close(self) -> bool:
        value = self.plan.value / self.core.capacity
        return self.top() - value <= _CLOSE * max(value, 1.0)

    def offer(self, decide: Decide) -> None:
        plan = self.played(decide)
        if plan.value > self.plan.value:
            self.plan = plan

    def played(self, decide: Decide) -> Path:
        """Play a plan in the engine; `decide` uses capacities."""
        unit, none = self.core.capacity, np.zeros(self.core.periods)

        def scaled(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
            request, gift = decide(t, stock / unit, held / unit, pool / unit)
            return request * unit, gift * unit

        return path(self.core, self.core.seats, scaled, none, none)


def _horizon(group: Group) -> tuple[int, float]:
    """Return the number of planned periods, and the maximum that later periods can earn."""
    periods = len(group.reach())
    if group.discount == 1.0:
        return periods, 0.0
    short = min(periods, math.ceil(math.log(_NOTHING_LEFT) / math.log(group.discount)))
    late = group.discount ** np.arange(short, periods)
    return short, float(late.sum()) * group.limit


def _by_stocks(group: Group, stocks: Array, gifts: Array) -> Decide:
    """Return the plan that leaves these stocks, if possible, and pays these gifts."""
    targets = np.maximum(stocks, group.floor + _EDGE)
    targets[-1] = 0.0

    def decide(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
        if t >= len(targets):
            return min(group.limit, stock), 0.0
        gift = max(min(float(gifts[t]), held), 0.0) if group.pays else 0.0
        bonus = group.effect * (group.keep * pool + gift)
        spare = float(group.grown(stock)) + bonus - float(targets[t])
        return min(max(spare, 0.0), group.limit, stock), gift

    return decide


def _by_grid(group: Group, grid: Grid) -> Decide:
    """Return the plan that makes the grid's best choice at the current stock."""

    def decide(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
        if t >= grid.periods:
            return min(group.limit, stock), 0.0
        _, left = grid.choice(t, stock)
        request = min(max(float(group.grown(stock)) - left, 0.0), group.limit, stock)
        if not group.pays:
            return request, 0.0
        gift = grid.bonus(t, left) / group.effect - group.keep * pool
        return request, min(max(gift, 0.0), held)

    return decide
