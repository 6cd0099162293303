"""What a group can do in the commons, as one decision maker: the rules summed over the seats.

Of a period only three numbers matter to the group: the stock R, the wealth W of all seats together
and the pool P. It takes h and pays c, and with f(R) = R + growth(R)

    P' = keep P + c,   R' = min(1, f(R) - h + effect P'),   W' = W + h - c
    0 <= h <= min(most, R),   0 <= c <= W,   earned: h - c

in which stock and points are counted in capacities. Whatever the group does so, seats can do:
each takes its share of h by the largest request it may make, and of c by its wealth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore

__all__ = ["Group"]


@dataclass(frozen=True)
class Group:
    """The parameters of these equations. `floor`: the least stock with which a play goes on;
    `pays`: can anything be gained by paying."""

    periods: int
    stock: float
    wealth: float
    most: float
    rate: float
    linear: bool
    pays: bool
    keep: float
    effect: float
    floor: float
    discount: float

    @classmethod
    def of(cls, core: CommonsCore, most: float) -> Group:
        """A group whose seats may ask for `most` fish together."""
        unit = core.capacity
        pays = core.governance != "none" and core.pool_effect > 0
        linear = core.growth == "linear"
        return cls(
            periods=core.periods,
            stock=float(core.initial_stock or 0.0) / unit,
            wealth=core.seats * core.initial_wealth / unit if pays else 0.0,
            most=min(most / unit, 1.0),
            rate=core.growth_rate / unit if linear else core.growth_rate,
            linear=linear,
            pays=pays,
            keep=core.pool_decay if core.governance == "accumulating" else 0.0,
            effect=core.pool_effect if pays else 0.0,
            floor=core.collapse_stock / unit if core.terminate_on_collapse else 0.0,
            discount=core.discount,
        )

    def grown(self, stock: Any) -> Any:
        """f(R), the stock with its growth."""
        return stock + (self.rate if self.linear else self.rate * stock * (1.0 - stock))

    def slope(self, stock: Any) -> Any:
        """f'(R)."""
        return 1.0 + (0.0 * stock if self.linear else self.rate * (1.0 - 2.0 * stock))

    def reach(self) -> Array:
        """(periods,) a stock before each period that no play exceeds; shorter if all collapse."""
        stocks, held, pool = [self.stock], self.wealth, 0.0
        for _ in range(1, self.periods):
            stock = stocks[-1]
            pool = self.keep * pool + held
            peak = stock
            if not self.linear and self.rate > 1.0:
                peak = min(stock, (1.0 + self.rate) / (2.0 * self.rate))
            after = min(1.0, self.grown(peak) + self.effect * pool)
            if after < self.floor:
                break
            held += min(self.most, stock) if self.pays else 0.0
            stocks.append(after)
        return np.array(stocks)
