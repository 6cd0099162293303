"""Plans as the engine plays them: any plan, every seat taking the most, and all seats alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import GAME, CommonsCore

__all__ = ["Alike", "Decide", "Path", "best_alike", "open_access_path", "path"]

Decide = Callable[[int, float, float, float], tuple[float, float]]
"""(period, stock, wealth, pool) -> the sums that the planned seats ask for and pay."""


@dataclass(frozen=True)
class Path:
    """A play of `planned` seats against the others, as the engine plays it.

    requests, contributions   (T,) sums over the planned seats, as sent
    stocks                    (played + 1,) stock before each period and after the last
    value                     discounted return of the planned seats together, in points
    planned                   how many seats share it equally
    error                     by how much the best plan may earn more, in points; NaN: not known
    """

    requests: Array
    contributions: Array
    stocks: Array
    value: float
    planned: int
    error: float = np.nan

    @property
    def harvests(self) -> Array:
        """Return (played,) harvests of all seats together, where all seats are planned."""
        before = self.stocks[:-1]
        return np.minimum(self.requests[: len(before)], before)


def path(core: CommonsCore, planned: int, decide: Decide, others: Array, paid: Array) -> Path:
    """Play through the engine; `others` and `paid` are the sums of the other seats, (T,) each."""
    quiet = core.model_copy(update={"stock_noise": 0.0, "observation": "full"})
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


def _spread(own: float, theirs: float, seats: int, planned: int) -> Array:
    """Return the number of every seat: planned seats share `own` equally, the others `theirs`."""
    shares = np.full(seats, theirs / max(seats - planned, 1))
    shares[:planned] = own / planned
    return shares


@lru_cache(maxsize=64)
def open_access_path(core: CommonsCore) -> Path:
    """Play every seat asking for the most it may, every period, and paying nothing."""
    most, none = core.seats * core.max_harvest, np.zeros(core.periods)
    return path(core, core.seats, lambda t, stock, held, pool: (most, 0.0), none, none)


@dataclass(frozen=True)
class Alike:
    """A play in which each seat asks for `request` in every period; nobody pays into a pool.

    request   fish, of each seat
    points    what each seat earns in the whole play, not discounted
    periods   how many periods were played
    """

    request: float
    points: float
    periods: int


def best_alike(core: CommonsCore, requests: Sequence[float]) -> Alike:
    """Return the request that brings each seat most, the least of equally good ones.

    Raises ValueError without any.
    """
    if not requests:
        raise ValueError("requests = []: at least one")
    plays = [_alike(core, request) for request in sorted(requests)]
    return max(plays, key=lambda play: round(play.points, 9))


@lru_cache(maxsize=1024)
def _alike(core: CommonsCore, request: float) -> Alike:
    together, nothing = request * core.seats, np.zeros(core.periods)
    plain = core.model_copy(update={"discount": 1.0})
    play = path(plain, core.seats, lambda *_: (together, 0.0), nothing, nothing)
    return Alike(request, play.value / core.seats, len(play.stocks) - 1)
