"""Solutions of the commons game: sustainable yield, best group plan, open access, best response.

    from engine.solutions import commons_game as solutions
    solutions.maximum_sustainable_yield(core)      -> stock and yield per period
    solutions.best_group_plan(core)                -> what the group can earn at most in T periods
    solutions.open_access_path(core)               -> what happens if every seat is greedy
    solutions.best_response(core, requests)        -> one seat's best answer to fixed opponents

Plans are found by dynamic programming backwards over a grid of the stock (and, with governance,
of the wealth and of an accumulating pool); a group plan of up to 60 periods is then refined by
sequential quadratic programming. `value` is always what the engine itself pays for the plan: a
plan that can be played, not a bound.

Where a run of `collapse_zero_periods` > 1 empty periods is allowed, the grid does not count the
run (the judging rules do).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.ndimage import map_coordinates
from scipy.optimize import minimize

from engine.contract.arrays import total
from engine.contract.space import Array, Arrays
from engine.games.commons_game import GAME, CommonsCore, growth
from engine.solutions import Best, Solution

__all__ = [
    "SOLUTION",
    "Path",
    "best_group_plan",
    "best_response",
    "efficiency",
    "maximum_sustainable_yield",
    "open_access_path",
    "periods_survived",
    "returns",
    "share_of_best",
]


_REFINED_PERIODS = 60  # beyond, the quadratic programmes cost more than they gain


@dataclass(frozen=True)
class Path:
    """A play of `planned` seats against the others, as the engine plays it.

    requests, contributions   (T,) sums over the planned seats, as sent
    stocks                    (played + 1,) stock before each period and after the last
    value                     discounted return of the planned seats together, in points
    planned                   how many seats share it equally
    """

    requests: Array
    contributions: Array
    stocks: Array
    value: float
    planned: int


def maximum_sustainable_yield(core: CommonsCore) -> tuple[float, float]:
    """(stock, yield): the largest harvest per period that leaves the stock as it is.

    Logistic growth is largest at K/2, gamma K / 4; linear growth is gamma at every stock.
    """
    if core.growth == "linear":
        return core.capacity, core.growth_rate
    return core.capacity / 2, float(growth(core, core.capacity / 2))


@lru_cache(maxsize=64)
def best_group_plan(core: CommonsCore) -> Path:
    """The plan that earns the group most, each seat doing the same share of it."""
    none = np.zeros(core.periods)
    plan = _plan(core, core.seats, none, none)
    return _refine(core, plan) if core.periods <= _REFINED_PERIODS else plan


@lru_cache(maxsize=64)
def open_access_path(core: CommonsCore) -> Path:
    """Every seat asks for the most it may, every period, and pays nothing."""
    most = np.full(core.periods, core.seats * core.max_harvest)
    none = np.zeros(core.periods)
    return _judge(core, core.seats, most, none, none, none)


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


# -- measures of a play -------------------------------------------------------------------


def returns(core: CommonsCore, rewards: Array) -> tuple[Array, Array]:
    """(plain, discounted) return of each seat, (n,) points each; `rewards` is (T, n)."""
    weights = core.discount ** np.arange(len(rewards))
    discounted: Array = weights @ rewards
    return rewards.sum(axis=0), discounted


def efficiency(core: CommonsCore, rewards: Array) -> float:
    """Discounted group return of a play, rewards (T, n), over that of the best group plan.

    NaN where nothing can be earned.
    """
    best = best_group_plan(core).value
    _, discounted = returns(core, rewards)
    return float(discounted.sum()) / best if best else float("nan")


def share_of_best(
    core: CommonsCore, states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """(B,) `efficiency` of plays; see `engine.solutions.share_of_best`."""
    rewards = np.stack([total(parts) for parts in components], axis=1)
    return np.array([efficiency(core, play) for play in rewards])


def periods_survived(core: CommonsCore, stocks: Array) -> int:
    """Periods until the stock first collapsed; T if it never did. `stocks` after each period."""
    run = 0
    for period, stock in enumerate(stocks, start=1):
        run = run + 1 if stock == 0 else 0
        if stock < core.collapse_stock or run >= core.collapse_zero_periods:
            return period
    return core.periods


# -- dynamic programming ------------------------------------------------------------------


def _plan(core: CommonsCore, planned: int, others: Array, paid: Array) -> Path:
    grid = _Grid(core, planned)
    values = grid.backwards(others, paid)
    requests, contributions = grid.forwards(values, others, paid)
    return _judge(core, planned, requests, contributions, others, paid)


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
        grown = stock - np.minimum(stock, total) + growth(core, stock) + core.pool_effect * pool
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


# -- judged by the true rules -------------------------------------------------------------


def _judge(
    core: CommonsCore, planned: int, requests: Array, gifts: Array, others: Array, paid: Array
) -> Path:
    """Play a plan through the engine."""
    quiet = core.model_copy(update={"stock_noise": 0.0, "observation": "full"})
    game = GAME(GAME.resolve(None, 0, {}, **quiet.model_dump()))
    state, _ = game.reset(0)
    stocks, value = [float(state["stock"])], 0.0
    while not state["reason"]:
        t = int(state["period"])
        actions = {
            "harvest": _spread(requests[t], others[t], core.seats, planned),
            "contribution": _spread(gifts[t], paid[t], core.seats, planned),
        }
        state, outcome = game.step(state, actions, game.draw_chance(0, t))
        value += core.discount**t * float(outcome.rewards[:planned].sum())
        stocks.append(float(state["stock"]))
    return Path(requests, gifts, np.array(stocks), value, planned)


def _spread(own: float, theirs: float, seats: int, planned: int) -> Array:
    """Per seat: the planned ones share `own` equally, the others `theirs`."""
    shares = np.full(seats, theirs / max(seats - planned, 1))
    shares[:planned] = own / planned
    return shares


def _refine(core: CommonsCore, start: Path) -> Path:
    """Improve a group plan by sequential quadratic programming on the equations of the game.

    Unknowns: requests H, contributions C and stocks R after each period, tied by the step rules.
    Stock may be left unused (the rules hold as inequalities): that makes it a concave programme
    whose optimum no plan of the group beats. The engine judges the result; `start` is kept
    where it earns more.
    """
    periods, group = core.periods, core.seats
    keep = core.pool_decay if core.governance == "accumulating" else 0.0
    lags = np.subtract.outer(np.arange(periods), np.arange(periods))
    pools = np.where(lags >= 0, keep ** np.maximum(lags, 0).astype(float), 0.0)
    weights = core.discount ** np.arange(periods)
    held = np.tril(np.ones((periods, periods)), -1)

    def slack(x: Array) -> Array:
        requests, gifts, stocks = x.reshape(3, periods)
        before = np.concatenate([[core.initial_stock or 0.0], stocks[:-1]])
        room = before - requests + growth(core, before) + core.pool_effect * (pools @ gifts)
        wealth = group * core.initial_wealth + held @ (requests - gifts)
        return np.concatenate([room - stocks, before - requests, wealth - gifts])

    low = core.collapse_stock + _edge(core) if core.terminate_on_collapse else 0.0
    free = (0.0, None) if core.governance != "none" else (0.0, 0.0)
    most, full = core.max_harvest * group, core.capacity
    bounds: list[Any] = [(0.0, most)] * periods + [free] * periods
    bounds += [(low, full)] * (periods - 1) + [(0.0, full)]
    rules: Any = {"type": "ineq", "fun": slack}
    stocks = np.resize(start.stocks[1:], periods)
    optimum: Any = minimize(  # type: ignore[call-overload]
        lambda x: -weights @ (x[:periods] - x[periods : 2 * periods]),
        np.concatenate([start.requests, start.contributions, stocks]),
        method="SLSQP",
        bounds=bounds,
        constraints=rules,
        options={"maxiter": 300, "ftol": 1e-10},
    )
    requests, gifts, _ = np.maximum(optimum.x, 0.0).reshape(3, periods)
    none = np.zeros(periods)
    refined = _judge(core, group, requests, gifts, none, none)
    return refined if refined.value > start.value else start


# -- for everybody ------------------------------------------------------------------------


def _best(core: CommonsCore, state: Mapping[str, Any]) -> Best:
    """The best group plan: what the engine pays for it. How much better another is, is unknown."""
    return Best("the best group plan", best_group_plan(core).value, error=math.nan)


SOLUTION = Solution[CommonsCore](best=_best, share_of_best=share_of_best)
