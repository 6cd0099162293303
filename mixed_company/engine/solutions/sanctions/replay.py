"""What one seat earns among others who do what is given, in many plays at once.

All by the game's own step: nothing of the rules is written here a second time. The seat is seat 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.engine.games.sanctions.rules import SanctionsGame

__all__ = ["Replayed", "constant", "gains", "replayed", "returns"]


@dataclass(frozen=True)
class Replayed:
    """Seat 0 in B plays of T periods, each (B, T).

    rewards    points it earns
    sanctions  what of them is reciprocity: below 0 if it loses
    averages   what is remembered of it, points
    stake      points it would lose or gain by a full response, at the trust in it
    """

    rewards: Array
    sanctions: Array
    averages: Array
    stake: Array


def replayed(game: SanctionsGame, own: Array, others: Array | float) -> Replayed:
    """Plays in which seat 0 gives `own` (B, T), and each other seat `others`.

    `others` is a number, one path (T,) for all plays, or one for each, (B, T).

    Raises ConfigError for a game with layers, which may change anything.
    """
    if game.layers:
        names = ", ".join(layer.name for layer in game.layers)
        raise ConfigError(f"layers: {names}: replies are solved for a game without layers only")
    plays, periods = own.shape
    path = np.broadcast_to(np.asarray(others, dtype=np.float64), own.shape)
    weight = Reciprocity(game.core).weight[:, 0]
    state, _ = game.reset(np.zeros(plays, dtype=np.int64))
    columns = []
    for period in range(periods):
        given = np.repeat(path[:, period, None], game.seats, axis=1)
        given[:, 0] = own[:, period]
        state, outcome = game.step(state, {"contribution": given}, {})
        columns.append(
            (
                outcome.rewards[:, 0],
                outcome.components["sanctions"][:, 0],
                state["memory_averages"][:, 0],
                over_seats(state["trust"][:, :, 0] * weight),
            )
        )
    rewards, sanctions, averages, stake = np.moveaxis(np.array(columns), 0, -1)
    return Replayed(rewards, sanctions, averages, stake)


def returns(game: SanctionsGame, own: Array, others: Array | float, discount: float = 1.0) -> Array:
    """(B,) what seat 0 earns in each play, period t weighted by discount^t."""
    rewards = replayed(game, own, others).rewards
    total: Array = over_seats(rewards * discount ** np.arange(rewards.shape[1]))
    return total


def gains(game: SanctionsGame, path: Array, instead: Array, first: int, length: int) -> Array:
    """(A,) what a seat gains by leaving a path that all give, once, and coming back to it.

    Each of `instead` (A,) is given in `length` periods from period `first` on, all others go on
    giving the path (T,). Exact, for these deviations and no others.
    """
    plays = np.repeat(path[None], len(instead) + 1, axis=0)
    plays[1:, first : first + length] = instead[:, None]
    earned = returns(game, plays, path)
    gained: Array = earned[1:] - earned[0]
    return gained


def constant(game: SanctionsGame, levels: int) -> tuple[Array, Array]:
    """(levels,) contributions from 0 to the whole endowment, and the plays (levels, T) of each."""
    given = np.linspace(0.0, float(per_seat(game.core.endowment, game.seats)[0]), levels)
    return given, np.repeat(given[:, None], game.horizon, axis=1)
