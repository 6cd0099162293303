"""Plans played in the engine: any plan, greedy seats, and identical seats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import GAME, CommonsCore

Decide = Callable[[int, float, float, float], tuple[float, float]]
"""(period, stock, wealth, pool) -> total request and payment of the planned seats."""


@dataclass(frozen=True)
class Path:
    """A play in the engine, with the `planned` seats against the others.

    requests, contributions   (T,) sums over the planned seats, as sent
    stocks                    (played + 1,) stock before each period and after the last
    value                     discounted return of the planned seats together, in points
    planned                   number of planned seats; they share the value equally
    error                     upper bound on how much more the best plan may earn, in points; NaN:
                              unknown
    """

    requests: Array
    contributions: Array
    stocks: Array
    value: float
    planned: int
    error: float = np.nan

    @property
    def harvests(self) -> Array:
        """Harvests (played,) of all seats together, if all seats are planned."""
        before = self.stocks[:-1]
        return np.minimum(self.requests[: len(before)], before)


def path(core: CommonsCore, planned: int, decide: Decide, others: Array, paid: Array) -> Path:
    """Play a plan; `others` and `paid` are the sums over the other seats, (T,) each."""
    quiet = core.model_copy(update={"stock_noise": 0.0, "observation": "full", "peer": "none"})
    game = GAME(GAME.resolve(None, 0, {}, **quiet.model_dump()))
    state, _ = game.reset(0)
    stocks, value = [float(state["stock"])], 0.0
    requests, gifts = np.zeros(core.periods), np.zeros(core.periods)
    while not state["reason"]:
        t = int(state["period"])
        held = float(state["wealth"][:planned].sum())
        requests[t], gifts[t] = decide(t, stocks[-1], held, float(state["pool"]))
        actions = {
            "harvest": _spread(requests[t], others[t], core.seats, planned),
            "contribution": _spread(gifts[t], paid[t], core.seats, planned),
        }
        state, outcome = game.step(state, actions, game.draw_chance(0, t))
        value += core.discount**t * float(outcome.rewards[:planned].sum())
        stocks.append(float(state["stock"]))
    return Path(requests, gifts, np.array(stocks), value, planned)


def _spread(planned_sum: float, other_sum: float, seats: int, planned: int) -> Array:
    """Return each seat's amount: planned seats share `planned_sum`, and the others share
    `other_sum`.
    """
    shares = np.full(seats, other_sum / max(seats - planned, 1))
    shares[:planned] = planned_sum / planned
    return shares


@lru_cache(maxsize=64)
def open_access_path(core: CommonsCore) -> Path:
    """Play with every seat requesting the maximum every period and paying nothing."""
    request, none = core.seats * core.max_harvest, np.zeros(core.periods)
    return path(core, core.seats, lambda t, stock, held, pool: (request, 0.0), none, none)


@dataclass(frozen=True)
class Alike:
    """Play in which every seat makes the same `request` in every period and pays nothing into a
    pool.

    request   fish, of each seat
    points    undiscounted points of each seat over the play
    periods   number of periods played
    """

    request: float
    points: float
    periods: int


def best_alike(core: CommonsCore, requests: Sequence[float]) -> Alike:
    """Return the request that earns the most points per seat; in a tie, the smallest one.

    Raises ValueError for an empty list.
    """
    if not requests:
        raise ValueError("requests = []: should contain at least one request")
    plays = [_alike(core, request) for request in sorted(requests)]
    return max(plays, key=lambda play: round(play.points, 9))


@lru_cache(maxsize=1024)
def _alike(core: CommonsCore, request: float) -> Alike:
    together, nothing = request * core.seats, np.zeros(core.periods)
    plain = core.model_copy(update={"discount": 1.0})
    play = path(plain, core.seats, lambda *_: (together, 0.0), nothing, nothing)
    return Alike(request, play.value / core.seats, len(play.stocks) - 1)
