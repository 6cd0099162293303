"""Solutions of the commons game: sustainable yield, best group plan, open access, best response.

    from mixed_company.engine.solutions import commons_game as solutions
    solutions.maximum_sustainable_yield(core)      -> stock and yield per period
    solutions.best_group_plan(core)                -> what the group can earn at most in T periods
    solutions.open_access_path(core)               -> what happens if every seat is greedy
    solutions.best_response(core, requests)        -> one seat's best answer to fixed opponents
    solutions.best_alike(core, requests)           -> the best that all can ask for, always the same

The best group plan is one that the engine has played, and comes with its `error`: by how much any
other may be better. The best response is found on a grid (`response`), with an error that is not
known. The modules, in the order in which they build on each other: `group` sums the rules over the
seats, `programme` solves them as a concave programme, `bound` makes of its prices what no play can
exceed, `grid` helps where growth is chaotic, `escapement` is for exponential growth, and `plan`
puts them together.

The best holds under roles too: limits and bars of harvesting only change what the group may ask
for together, and so do those of paying where nobody can pay.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from mixed_company.engine.contract.arrays import total
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.commons_game import CommonsCore, growth
from mixed_company.engine.solutions import Best, Solution, as_without_layers
from mixed_company.engine.solutions.commons_game.alike import Alike, best_alike
from mixed_company.engine.solutions.commons_game.measures import (
    efficiency,
    periods_survived,
    returns,
)
from mixed_company.engine.solutions.commons_game.path import Path
from mixed_company.engine.solutions.commons_game.plan import best_group_plan
from mixed_company.engine.solutions.commons_game.response import best_response, open_access_path

__all__ = [
    "SOLUTION",
    "Alike",
    "Path",
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
    """(stock, yield): the largest harvest per period that leaves the stock as it is.

    Logistic growth is largest at K/2, gamma K / 4; linear growth is gamma at every stock. Where it
    is exponential, K / (1 + gamma) is to be left of a full stock: gamma K / (1 + gamma) is taken.
    """
    if core.growth == "exponential":
        return core.capacity, core.capacity * core.growth_rate / (1.0 + core.growth_rate)
    if core.growth == "linear":
        return core.capacity, core.growth_rate
    return core.capacity / 2, float(growth(core, core.capacity / 2))


def group_most(game: Game[CommonsCore]) -> float:
    """What all seats together may ask for in a period, with the limits and bars of their roles."""
    state, _ = game.reset(0)
    return float(game.allowed(state).high["harvest"].sum())


def share_of_best(
    game: Game[CommonsCore], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """(B,) `efficiency` of plays; see `engine.solutions.share_of_best`."""
    rewards, most = np.stack([total(parts) for parts in components], axis=1), group_most(game)
    return np.array([efficiency(game.core, play, most) for play in rewards])


def _best(game: Game[CommonsCore], seed: int) -> Best:
    """The best group plan: what the engine pays for it, in points of period 0."""
    plan = best_group_plan(game.core, group_most(game))
    how = "a concave programme, and a grid where growth overshoots; bounded by prices"
    if game.core.growth == "exponential":
        how = "a constant escapement; bounded by what a full stock earns"
    return Best("the best group plan", plan.value, plan.error, how)


def _holds(game: Game[CommonsCore]) -> bool:
    """Do roles change no more than how much the group may ask for?"""
    free = {"harvest"} if game.core.governance != "none" else {"harvest", "contribution"}
    limits = game.config.layers.power.limits.values()
    paid = {field.name for field in game.declaration.components}
    return (
        paid == {"harvest", "contribution"}
        and all(names.keys() <= free for names in limits)
        and as_without_layers(game, barred=free, layers=("power",))
    )


SOLUTION = Solution[CommonsCore](best=_best, share_of_best=share_of_best, holds=_holds)
