"""Solutions of the commons game: sustainable yield, best group plan, open access, best response.

    from mixed_company.engine.solutions import commons_game as solutions
    solutions.maximum_sustainable_yield(core)      -> stock and yield per period
    solutions.best_group_plan(core)                -> the most the group can earn in T periods
    solutions.open_access_path(core)               -> the play in which every seat is greedy
    solutions.best_response(core, requests)        -> one seat's best reply to fixed opponents
    solutions.best_alike(core, requests)           -> the best constant request of all seats

The best group plan is played in the engine, and its `error` bounds how much better any other plan
can be. The best response is found on a grid (`response`); its error is unknown. The modules build
on each other. `programme` sums the rules over the seats and solves them as a concave programme.
`bound` turns the programme's prices into a bound on all plays, and `grid` helps if growth is
chaotic. `plan` combines them, and solves exponential growth exactly.

The best plan is also known if there are roles. Limits and bars on harvesting change only the
group's total request. Limits and bars on contributions do not matter if no seat can contribute.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixed_company.engine.contract.arrays import total
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.commons_game import CommonsCore, growth
from mixed_company.engine.solutions import Best, Solution, as_without_layers, own_components, shares
from mixed_company.engine.solutions.commons_game.path import (
    best_alike,
    open_access_path,
)
from mixed_company.engine.solutions.commons_game.plan import best_group_plan
from mixed_company.engine.solutions.commons_game.response import best_response

__all__ = [
    "SOLUTION",
    "best_alike",
    "best_group_plan",
    "best_response",
    "efficiency",
    "group_most",
    "maximum_sustainable_yield",
    "open_access_path",
    "periods_survived",
    "returns",
    "share_of_best",
]


def maximum_sustainable_yield(core: CommonsCore) -> tuple[float, float]:
    """Return the stock with the largest sustainable harvest, and the size of that harvest per
    period.

    Logistic growth is largest at K/2, where it is gamma K / 4; linear growth is gamma at every
    stock. With exponential growth, a full stock is best: gamma K / (1 + gamma) is taken, and the
    remaining K / (1 + gamma) grow back to K.
    """
    if core.growth == "exponential":
        return core.capacity, core.capacity * core.growth_rate / (1.0 + core.growth_rate)
    if core.growth == "linear":
        return core.capacity, core.growth_rate
    return core.capacity / 2, float(growth(core, core.capacity / 2))


def returns(core: CommonsCore, rewards: Array) -> tuple[Array, Array]:
    """Return the seats' undiscounted and discounted returns in points, (n,) each, given rewards (T,
    n).
    """
    weights = core.discount ** np.arange(len(rewards))
    discounted: Array = weights @ rewards
    return rewards.sum(axis=0), discounted


def efficiency(core: CommonsCore, rewards: Array, group_limit: float | None = None) -> Array:
    """Return the discounted group return of a play as `shares` of the best plan's, shape (2,).

    `rewards` is (T, n); `group_limit` as in `best_group_plan`. NaN if nothing can be earned.
    """
    best = best_group_plan(core, group_limit)
    _, discounted = returns(core, rewards)
    return shares(discounted.sum(), best.value, best.error)


def periods_survived(core: CommonsCore, stocks: Array) -> int:
    """Return the number of periods until the stock collapsed, or T if it did not.

    `stocks` contains the stock after each period.
    """
    run = 0
    for period, stock in enumerate(stocks, start=1):
        run = run + 1 if stock == 0 else 0
        if stock < core.collapse_stock or run >= core.collapse_zero_periods:
            return period
    return core.periods


def group_most(game: Game[CommonsCore]) -> float:
    """Return the largest total request that the seats can make in a period within their roles'
    limits.
    """
    state, _ = game.reset(0)
    return float(game.allowed(state).high["harvest"].sum())


def share_of_best(
    game: Game[CommonsCore], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """Return the `efficiency` of plays, shape (B, 2); see `engine.solutions.share_of_best`.

    Peer points, which move points between seats or burn them, are not counted.
    """
    limit = group_most(game)
    names = [part.name for part in own_components(game)]
    earned = ({name: parts[name] for name in names} for parts in components)
    rewards = np.stack([total(parts) for parts in earned], axis=1)
    return np.array([efficiency(game.core, play, limit) for play in rewards])


def _best(game: Game[CommonsCore], seed: int) -> Best:
    """Return the best group plan's value in the engine, discounted to period 0, in points."""
    plan = best_group_plan(game.core, group_most(game))
    how = "a concave programme, with a grid where growth overshoots; the bound comes from prices"
    if game.core.growth == "exponential":
        how = "the stock to leave in each period, by backward induction"
    return Best("the best group plan", plan.value, plan.error, how)


def _holds(game: Game[CommonsCore]) -> bool:
    """Return whether the best plan is known: roles may change only the group's total request."""
    free = {"harvest"} if game.core.governance != "none" else {"harvest", "contribution"}
    limits = game.config.layers.power.limits.values()
    paid = {field.name for field in own_components(game)}
    return (
        paid == {"harvest", "contribution"}
        and all(names.keys() <= free for names in limits)
        and as_without_layers(game, barred=free, layers=("power",))
    )


SOLUTION = Solution[CommonsCore](best=_best, share_of_best=share_of_best, holds=_holds)
