"""A plan as the engine plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.commons_game import GAME, CommonsCore

__all__ = ["Decide", "Path", "path"]

Decide = Callable[[int, float, float, float], tuple[float, float]]
"""(period, stock, wealth, pool) -> what the planned seats ask for and pay, all in all."""


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
        """(played,) what all took together, where all seats are planned: no more than there was."""
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
    """Per seat: the planned ones share `own` equally, the others `theirs`."""
    shares = np.full(seats, theirs / max(seats - planned, 1))
    shares[:planned] = own / planned
    return shares
