"""The best answer of one seat to others whose requests and payments are fixed.

Found by dynamic programming backwards over a grid of the stock (and, with governance, of the
seat's wealth and of an accumulating pool). `value` is what the engine pays for it: a plan that can
be played, not a bound.

Where a run of `collapse_zero_periods` > 1 empty periods is allowed, the grid does not count the
run (the judging rules do).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.ndimage import map_coordinates

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore, growth
from mixed_company.engine.solutions.commons_game.path import Path, path

__all__ = ["best_response", "open_access_path"]


@lru_cache(maxsize=64)
def open_access_path(core: CommonsCore) -> Path:
    """Every seat asks for the most it may, every period, and pays nothing."""
    most, none = core.seats * core.max_harvest, np.zeros(core.periods)
    return path(core, core.seats, lambda t, stock, held, pool: (most, 0.0), none, none)


def best_response(
    core: CommonsCore,
    requests: Sequence[float] | Array,
    contributions: Sequence[float] | Array | float = 0.0,
) -> Path:
    """The best plan of one seat if the others together send `requests` (one number per period).

    The opponents are fixed: they do not react. Raises ValueError if a sequence is not T long.
    """
    for numbers in (requests, contributions):
        if np.ndim(numbers) and np.shape(numbers) != (core.periods,):
            raise ValueError(
                f"{np.shape(numbers)} numbers of the others, there are {core.periods} periods"
            )
    others = [np.zeros(core.periods) + np.asarray(numbers) for numbers in (requests, contributions)]
    return _plan(core, 1, *others)


def _plan(core: CommonsCore, planned: int, others: Array, paid: Array) -> Path:
    grid = _Grid(core, planned)
    values = grid.backwards(others, paid)
    requests, contributions = grid.forwards(values, others, paid)

    def decide(t: int, stock: float, held: float, pool: float) -> tuple[float, float]:
        return float(requests[t]), float(contributions[t])

    return path(core, planned, decide, others, paid)


class _Grid:
    """States (stock, wealth of the planned seats, pool); axes that do not matter have length 1."""

    def __init__(self, core: CommonsCore, planned: int) -> None:
        self.core, self.planned = core, planned
        governed = core.governance != "none"
        keeps = core.governance == "accumulating"
        low = core.collapse_stock if core.terminate_on_collapse else 0.0
        most = core.max_harvest * planned
        rich = planned * core.initial_wealth + min(
            core.periods * most, 4 * core.capacity if governed else 0.0
        )
        pool = core.capacity / max(core.pool_effect, 1e-9)
        self.stocks = np.linspace(low, core.capacity, 41 if keeps else 81 if governed else 401)
        self.wealths = np.linspace(0.0, max(rich, 1e-9), 15) if governed else np.zeros(1)
        self.pools = np.linspace(0.0, pool, 15) if keeps else np.zeros(1)
        self.shares = np.linspace(0.0, 1.0, 25 if governed else 201)
        self.gifts = np.linspace(0.0, 1.0, 9) if governed else np.zeros(1)

    def backwards(self, others: Array, paid: Array) -> list[Array]:
        """The value of every state before each period; the last entry is after the end."""
        shape = (len(self.stocks), len(self.wealths), len(self.pools))
        states = np.meshgrid(self.stocks, self.wealths, self.pools, indexing="ij")
        values = [np.zeros(shape)]
        for period in reversed(range(self.core.periods)):
            best = np.full(shape, -np.inf)
            for gift in self.gifts:
                for share in self.shares:
                    worth = self._worth(
                        values[0], states, share, gift, others[period], paid[period]
                    )
                    np.maximum(best, worth, out=best)
            values.insert(0, best)
        return values

    def forwards(self, values: list[Array], others: Array, paid: Array) -> tuple[Array, Array]:
        """Follow the best choices from the start; choices are searched more finely here."""
        core = self.core
        most = core.max_harvest * self.planned
        shares, gifts = np.meshgrid(
            np.linspace(0, 1, 1001), np.linspace(0, 1, 41) if len(self.gifts) > 1 else np.zeros(1)
        )
        state = (float(core.initial_stock or 0.0), self.planned * core.initial_wealth, 0.0)
        requests, contributions = np.zeros(core.periods), np.zeros(core.periods)
        for period in range(core.periods):
            worth = self._worth(
                values[period + 1], state, shares, gifts, others[period], paid[period]
            )
            at = np.unravel_index(int(np.argmax(worth)), worth.shape)
            requests[period] = shares[at] * most
            contributions[period] = gifts[at] * state[1]
            after, _ = self._next(state, shares[at], gifts[at], others[period], paid[period])
            state = (float(after[0]), float(after[1]), float(after[2]))
        return requests, contributions

    def _next(self, state: Any, share: Any, gift: Any, requested: float, given: float) -> Any:
        """The state after, and the reward, by rules [2] to [8] for groups of seats."""
        core = self.core
        stock, wealth, pool = state
        request, gift = share * core.max_harvest * self.planned, gift * wealth
        total = request + requested
        taken = request * np.minimum(1.0, stock / np.maximum(total, 1e-300))
        if core.governance == "none":
            pool = np.zeros_like(pool)
        else:
            keep = core.pool_decay if core.governance == "accumulating" else 0.0
            pool = keep * pool + gift + given
        lost = np.minimum(stock, total)
        grown = stock - lost + growth(core, stock, lost) + core.pool_effect * pool
        after = np.clip(grown, 0.0, core.capacity)
        return (after, wealth + taken - gift, pool), taken - gift

    def _worth(
        self, later: Array, state: Any, share: Any, gift: Any, requested: float, given: float
    ) -> Array:
        after, reward = self._next(state, share, gift, requested, given)
        coordinates = np.broadcast_arrays(
            *(_index(x, g) for x, g in zip(after, self._axes(), strict=True))
        )
        value = map_coordinates(later, coordinates, order=1, mode="nearest")
        core = self.core
        if core.terminate_on_collapse:
            over = after[0] < core.collapse_stock + _edge(core)
            if core.collapse_zero_periods == 1:
                over = over | (after[0] == 0.0)
            value = np.where(over, 0.0, value)
        worth: Array = reward + core.discount * value
        return worth

    def _axes(self) -> tuple[Array, Array, Array]:
        return self.stocks, self.wealths, self.pools


def _index(value: Any, axis: Array) -> Any:
    if len(axis) == 1:
        return np.zeros_like(value)
    return np.clip((value - axis[0]) / (axis[1] - axis[0]), 0, len(axis) - 1)


def _edge(core: CommonsCore) -> float:
    """How far a plan keeps above the threshold, so that rounding does not push it below."""
    return 1e-6 * core.capacity if core.collapse_stock else 0.0
