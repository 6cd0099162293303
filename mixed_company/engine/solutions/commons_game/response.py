"""The best reply of one seat if the others' requests and payments are fixed.

It is found by backward dynamic programming over a grid of the stock (and, with governance, of the
seat's wealth and an accumulating pool). `value` is what the plan earns when the engine plays it,
not a bound.

If `collapse_zero_periods` > 1, the engine counts consecutive empty periods, but the grid does not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.ndimage import map_coordinates

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import CommonsCore, growth
from mixed_company.engine.solutions.commons_game.path import Path, path


def best_response(
    core: CommonsCore,
    requests: Sequence[float] | Array,
    contributions: Sequence[float] | Array | float = 0.0,
) -> Path:
    """Return one seat's best plan when `requests` are the sums of the others' requests, one per
    period.

    The others do not react. Raises ValueError if a sequence is not T long.
    """
    for numbers in (requests, contributions):
        if np.ndim(numbers) and np.shape(numbers) != (core.periods,):
            raise ValueError(
                f"the others' numbers have shape {np.shape(numbers)}: should be one number for "
                f"each of {core.periods} periods"
            )
    others, paid = (
        np.zeros(core.periods) + np.asarray(numbers) for numbers in (requests, contributions)
    )
    requests, gifts = _Grid(core, others, paid).plan()
    return path(core, 1, lambda t, *_: (float(requests[t]), float(gifts[t])), others, paid)


class _Grid:
    """States (stock, the seat's wealth, pool); irrelevant axes have length 1."""

    def __init__(self, core: CommonsCore, others: Array, paid: Array) -> None:
        self.core, self.others, self.paid = core, others, paid
        governed = core.governance != "none"
        keeps = core.governance == "accumulating"
        low = core.collapse_stock if core.terminate_on_collapse else 0.0
        rich = core.initial_wealth + min(
            core.periods * core.max_harvest, 4 * core.capacity if governed else 0.0
        )
        pool = core.capacity / max(core.pool_effect, 1e-9)
        self.axes = (
            np.linspace(low, core.capacity, 41 if keeps else 81 if governed else 401),
            np.linspace(0.0, max(rich, 1e-9), 15) if governed else np.zeros(1),
            np.linspace(0.0, pool, 15) if keeps else np.zeros(1),
        )
        self.shares = np.linspace(0.0, 1.0, 25 if governed else 201)
        self.gifts = np.linspace(0.0, 1.0, 9) if governed else np.zeros(1)

    def plan(self) -> tuple[Array, Array]:
        """Return the best requests and payments, (T,) each.

        The plan follows the grid's values from the initial state, using a finer grid of choices.
        """
        core, later = self.core, self._values()
        shares, parts = np.meshgrid(
            np.linspace(0, 1, 1001), np.linspace(0, 1, 41) if len(self.gifts) > 1 else np.zeros(1)
        )
        state = (float(core.initial_stock or 0.0), core.initial_wealth, 0.0)
        requests, gifts = np.zeros(core.periods), np.zeros(core.periods)
        for t in range(core.periods):
            worth = self._worth(later[t], t, state, shares, parts)
            best = np.unravel_index(int(np.argmax(worth)), worth.shape)
            requests[t], gifts[t] = shares[best] * core.max_harvest, parts[best] * state[1]
            after, _ = self._next(t, state, shares[best], parts[best])
            state = (float(after[0]), float(after[1]), float(after[2]))
        return requests, gifts

    def _values(self) -> list[Array]:
        """Return the value of every state after each period; it is 0 after the last."""
        states = np.meshgrid(*self.axes, indexing="ij")
        values = [np.zeros(states[0].shape)]
        for t in reversed(range(1, self.core.periods)):
            best = np.full(states[0].shape, -np.inf)
            for gift in self.gifts:
                for share in self.shares:
                    np.maximum(best, self._worth(values[0], t, states, share, gift), out=best)
            values.insert(0, best)
        return values

    def _next(self, t: int, state: Any, share: Any, gift: Any) -> Any:
        """Return the state after period t, and the reward, by rules [2] to [8]."""
        core = self.core
        stock, wealth, pool = state
        request, paid = share * core.max_harvest, gift * wealth
        total = request + self.others[t]
        taken = request * np.minimum(1.0, stock / np.maximum(total, 1e-300))
        if core.governance == "none":
            pool = np.zeros_like(pool)
        else:
            keep = core.pool_decay if core.governance == "accumulating" else 0.0
            pool = keep * pool + paid + self.paid[t]
        lost = np.minimum(stock, total)
        grown = stock - lost + growth(core, stock, lost) + core.pool_effect * pool
        after = np.clip(grown, 0.0, core.capacity)
        return (after, wealth + taken - paid, pool), taken - paid

    def _worth(self, later: Array, t: int, state: Any, share: Any, gift: Any) -> Array:
        """Return the value of choices in period t: the reward plus the discounted later value."""
        core = self.core
        after, reward = self._next(t, state, share, gift)
        places = [_place(value, axis) for value, axis in zip(after, self.axes, strict=True)]
        value = map_coordinates(later, np.broadcast_arrays(*places), order=1, mode="nearest")
        if core.terminate_on_collapse:
            # Stay slightly above the threshold, so rounding does not push the plan below it.
            edge = 1e-6 * core.capacity if core.collapse_stock else 0.0
            over = after[0] < core.collapse_stock + edge
            if core.collapse_zero_periods == 1:
                over = over | (after[0] == 0.0)
            value = np.where(over, 0.0, value)
        worth: Array = reward + core.discount * value
        return worth


def _place(value: Any, axis: Array) -> Any:
    """Return the position of a value on an axis, in grid steps."""
    if len(axis) == 1:
        return np.zeros_like(value)
    return np.clip((value - axis[0]) / (axis[1] - axis[0]), 0, len(axis) - 1)
