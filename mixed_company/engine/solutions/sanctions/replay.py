"""What a seat earns among others whose contributions are fixed: in many plays, or a period ahead.

All by the game's own step: nothing of the rules is written here a second time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.engine.games.sanctions.rules import SanctionsGame

__all__ = ["Replayed", "constant", "foreseen", "gains", "replayed", "returns"]


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
    """Play games in which seat 0 gives `own` (B, T), and each other seat `others`.

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
    """Return (B,) what seat 0 earns in the plays, period t weighted by discount^t."""
    rewards = replayed(game, own, others).rewards
    total: Array = over_seats(rewards * discount ** np.arange(rewards.shape[1]))
    return total


def gains(game: SanctionsGame, path: Array, instead: Array, first: int, length: int) -> Array:
    """Return (A,) what seat 0 gains by leaving a path that all give, once, and coming back to it.

    Each of `instead` (A,) is given in `length` periods from period `first` on, all others go on
    giving the path (T,). Exact, for these deviations and no others.
    """
    plays = np.repeat(path[None], len(instead) + 1, axis=0)
    plays[1:, first : first + length] = instead[:, None]
    earned = returns(game, plays, path)
    gained: Array = earned[1:] - earned[0]
    return gained


def constant(game: SanctionsGame, levels: int) -> tuple[Array, Array]:
    """Return (levels,) contributions up to the whole endowment, and their plays (levels, T)."""
    given = np.linspace(0.0, float(per_seat(game.core.endowment, game.seats)[0]), levels)
    return given, np.repeat(given[:, None], game.horizon, axis=1)


def foreseen(
    game: SanctionsGame, seat: int, before: Arrays, own: Array, others: Array
) -> dict[str, Array]:
    """Return the reward components of a seat in the next period, (v,) points each.

    It gives `own` (v,) where others give (v, n); its place in `others` is not read. `before` has
    what counts of the state of one play: `period`, `contributions`, `trust` and `reputation`.
    Layers may change what is paid of it, and chance what becomes of it; neither is here.
    """
    given = np.array(others, dtype=np.float64)
    given[:, seat] = own
    used = {"contribution": given}
    after = {**game.transition(before, used, {}), "period": before["period"] + 1}
    components = game.reward(before, used, after)
    return {name: np.broadcast_to(part, given.shape)[:, seat] for name, part in components.items()}
