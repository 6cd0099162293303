"""The best group plan: one that can be played, and by how much another may be better.

A concave programme gives a plan and prices (`programme`), and prices a bound on all plays
(`bound`). Where these two are apart by little, the programme is solved more closely. Where they are
apart still, since growth overshoots or a collapse comes early, the bound and the plan of a grid are
looked at as well (`grid`), and programmes of plays that end where the bound is largest. What the
engine pays for the best of these plans is the value.
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
from mixed_company.engine.solutions.commons_game.group import Group
from mixed_company.engine.solutions.commons_game.path import Decide, Path, path
from mixed_company.engine.solutions.commons_game.programme import Programme, solved

__all__ = ["best_group_plan"]

_CLOSE = 1e-9
_ROUNDING = 1e-5  # a plan and a bound that are no further apart may be so by rounding alone
_EDGE = 1e-9  # how far a plan keeps above the stock at which a play ends, in capacities
_NOTHING_LEFT = 1e-13  # the weight of periods that are too late to be planned
_PROGRAMMES = 5


@lru_cache(maxsize=64)
def best_group_plan(core: CommonsCore, most: float | None = None) -> Path:
    """The plan that earns the group most, each seat doing its share of it.

    `most`: what all seats may ask for in a period, if that is less than `max_harvest` of each.
    """
    most = core.seats * core.max_harvest if most is None else most
    if core.growth == "exponential":
        return best_escapement(core, most)
    return _Search(core, most).best()


class _Search:
    """Plans and bounds found so far, in points and fish; those of the group in capacities."""

    def __init__(self, core: CommonsCore, most: float) -> None:
        self.core, self.group = core, Group.of(core, most)
        self.horizon, self.late = _horizon(self.group)
        self.ends = np.full(self.horizon, np.inf)
        self.plan = self.played(lambda t, stock, held, pool: (0.0, 0.0))

    def best(self) -> Path:
        programme, prices = self.programme(self.horizon)
        if self.close(self.top(), _ROUNDING) and not self.close(self.top()):
            self.programme(self.horizon, closely=True)
        if not self.close(self.top()):
            grid = Grid(self.group, programme, prices)
            self.offer(_by_grid(self.group, grid))
            if self.group.stock >= self.group.floor:  # below it the grid has no nodes
                self.ends = np.minimum(self.ends, grid.value())
        if not self.close(self.top()) and self.group.pays:
            alone = replace(self.group, pays=False, effect=0.0)
            free = bound(alone, programme.prices, np.zeros(self.horizon))
            self.offer(_by_grid(alone, Grid(alone, programme, free)))
        solved_ends = {self.horizon}
        # without discount a play that ends early is no better than the same play begun later
        early = self.group.floor > 0 and self.group.discount < 1.0
        while early and not self.close(self.top()) and len(solved_ends) < _PROGRAMMES:
            end = int(self.ends.argmax()) + 1
            if end in solved_ends:
                break
            solved_ends.add(end)
            self.programme(end)
        error = (self.top() + self.late) * self.core.capacity - self.plan.value
        return replace(self.plan, error=max(error, 0.0))

    def programme(self, end: int, *, closely: bool = False) -> tuple[Programme, Bound]:
        """Plans and bounds from the programme of plays that end after so many periods."""
        programme = solved(self.group, end, closely=closely)
        prices = bound(self.group, programme.prices, programme.thrift)
        self.ends[:end] = np.minimum(self.ends[:end], prices.totals)
        for stocks in (programme.stocks, prices.stocks):
            self.offer(_by_stocks(self.group, stocks, programme.gifts))
            if self.close(self.top()):
                break
        return programme, prices

    def top(self) -> float:
        return max(float(self.ends.max()), 0.0)

    def close(self, top: float, share: float = _CLOSE) -> bool:
        value = self.plan.value / self.core.capacity
        return top - value <= share * max(value, 1.0)

    def offer(self, decide: Decide) -> None:
        plan = self.played(decide)
        if plan.value > self.plan.value:
            self.plan = plan

    def played(self, decide: Decide) -> Path:
        """What the engine makes of a plan in capacities."""
        unit, none = self.core.capacity, np.zeros(self.core.periods)

        def scaled(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
            request, gift = decide(t, stock / unit, held / unit, pool / unit)
            return request * unit, gift * unit

        return path(self.core, self.core.seats, scaled, none, none)


def _horizon(group: Group) -> tuple[int, float]:
    """How many periods are planned, and what those after them can bring at most."""
    periods = len(group.reach())
    if group.discount == 1.0:
        return periods, 0.0
    short = min(periods, math.ceil(math.log(_NOTHING_LEFT) / math.log(group.discount)))
    late = group.discount ** np.arange(short, periods)
    return short, float(late.sum()) * group.most


def _by_stocks(group: Group, stocks: Array, gifts: Array) -> Decide:
    """Harvest down to these stocks, as far as it can be done, and pay these gifts."""
    targets = np.maximum(stocks, group.floor + _EDGE)
    targets[-1] = 0.0

    def decide(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
        if t >= len(targets):
            return min(group.most, stock), 0.0
        gift = max(min(float(gifts[t]), held), 0.0) if group.pays else 0.0
        bonus = group.effect * (group.keep * pool + gift)
        spare = float(group.grown(stock)) + bonus - float(targets[t])
        return min(max(spare, 0.0), group.most, stock), gift

    return decide


def _by_grid(group: Group, grid: Grid) -> Decide:
    """What the grid says is best from the stock there is."""

    def decide(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
        if t >= grid.periods:
            return min(group.most, stock), 0.0
        _, left = grid.choice(t, stock)
        request = min(max(float(group.grown(stock)) - left, 0.0), group.most, stock)
        if not group.pays:
            return request, 0.0
        gift = grid.bonus(t, left) / group.effect - group.keep * pool
        return request, min(max(gift, 0.0), held)

    return decide
