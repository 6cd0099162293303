"""The best group plan: a plan that can be played, and a bound on any better one.

A concave programme gives a plan and prices (`programme`), and prices give a bound on all plays
(`bound`). If growth overshoots, or a play collapses early, the plan can earn less than the bound.
In that case this module also uses the bound and the plan from a grid (`grid`), and programmes for
plays that end in the period with the largest bound. The value is what the best of these plans earns
when the engine plays it. With exponential growth the best plan is known exactly (`escapement`).
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.bound import Bound, bound
from mixed_company.engine.solutions.commons_game.escapement import best_escapement
from mixed_company.engine.solutions.commons_game.grid import Grid
from mixed_company.engine.solutions.commons_game.path import Decide, Path, path
from mixed_company.engine.solutions.commons_game.programme import Group, Programme, solved

_CLOSE = 1e-9
_EDGE = 1e-9  # margin, in capacities, that a plan keeps above the stock at which a play ends
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

        Without discounting, a play that ends early is no better than the same play started later.
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
    """Return the plan that follows the grid's best choice from the current stock."""

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
