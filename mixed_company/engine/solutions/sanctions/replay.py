"""Earnings of a seat if its partners' contributions are fixed, in many plays or one period ahead.

Everything uses the game's own step, so no rule is implemented twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mixed_company.engine.contract.arrays import over_seats
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.equations import Reciprocity
from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions import without_points


@dataclass(frozen=True)
class Replayed:
    """Seat 0 in B plays of T periods, each (B, T).

    rewards    its points
    sanctions  the part of the rewards from reciprocity: negative for a loss
    averages   remembered averages, points
    stake      the largest possible effect of reciprocity at the current trust in the seat, points
    """

    rewards: Array
    sanctions: Array
    averages: Array
    stake: Array


def replayed(game: SanctionsGame, path: Array, others: Array | float) -> Replayed:
    """Play games without peer points, in which seat 0 gives `path` (B, T) and the others `others`.

    `others` is a number, one path (T,) for all plays, or one for each, (B, T).

    Raises ConfigError for a game with layers, because they may change anything.
    """
    if game.layers:
        names = ", ".join(layer.name for layer in game.layers)
        raise ConfigError(
            f"layers: {names}: best replies can be computed only for games without layers"
        )
    game = without_points(game)
    plays, periods = path.shape
    others_path = np.broadcast_to(np.asarray(others, dtype=np.float64), path.shape)
    weight = Reciprocity(game.core).weight[:, 0]
    state, _ = game.reset(np.zeros(plays, dtype=np.int64))
    columns = []
    for period in range(periods):
        contributions = np.repeat(others_path[:, period, None], game.seats, axis=1)
        contributions[:, 0] = path[:, period]
        state, outcome = game.step(state, {"contribution": contributions}, {})
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


def returns(
    game: SanctionsGame, path: Array, others: Array | float, discount: float = 1.0
) -> Array:
    """Return the points of seat 0 in the plays, shape (B,); period t is weighted by discount^t."""
    rewards = replayed(game, path, others).rewards
    total: Array = over_seats(rewards * discount ** np.arange(rewards.shape[1]))
    return total


def gains(game: SanctionsGame, path: Array, instead: Array, first: int, length: int) -> Array:
    """Return seat 0's gains, (A,), from deviating once from a common path and returning to it.

    Seat 0 gives one of the amounts `instead` (A,) for `length` periods from period `first` on,
    while all others stay on the path (T,). The gains are exact only for these deviations.
    """
    plays = np.repeat(path[None], len(instead) + 1, axis=0)
    plays[1:, first : first + length] = instead[:, None]
    earned = returns(game, plays, path)
    gained: Array = earned[1:] - earned[0]
    return gained


def constant(game: SanctionsGame, levels: int) -> tuple[Array, Array]:
    """Return amounts up to the endowment, (levels,), and paths that repeat them, (levels, T)."""
    contributions = np.linspace(0.0, float(per_seat(game.core.endowment, game.seats)[0]), levels)
    return contributions, np.repeat(contributions[:, None], game.horizon, axis=1)


def foreseen(
    game: SanctionsGame, seat: int, before: Arrays, amounts: Array, others: Array
) -> dict[str, Array]:
    """Return the reward components of a seat in the next period in points, (v,) each.

    The seat gives `amounts` (v,) while the others give `others` (v, n), in which its column is
    ignored. `before` contains the required state of one play: `period`, `contributions`, `trust`
    and `reputation`. Changes by layers and chance are not included.
    """
    sent = np.array(others, dtype=np.float64)
    sent[:, seat] = amounts
    used = {"contribution": sent}
    after = {**game.transition(before, used, {}), "period": before["period"] + 1}
    components = game.reward(before, used, after)
    everywhere = np.broadcast_arrays(sent, *components.values())[1:]
    return {name: part[:, seat] for name, part in zip(components, everywhere, strict=True)}


@lru_cache(maxsize=64)
def best_alike(game: SanctionsGame, amounts: tuple[float, ...]) -> tuple[float, tuple[float, ...]]:
    """Return the amount that earns the most if all seats give it every period, and a seat's points.

    The points are the mean over seats, accumulated up to each period.

    Use it only for games without shocks. Peer points are left out.
    """
    game = without_points(game)
    sent = np.repeat(np.array(amounts)[:, None], game.seats, axis=1)
    state, _ = game.reset(np.zeros(len(amounts), dtype=np.int64))
    earned = []
    for _period in range(game.horizon):
        state, outcome = game.step(state, {"contribution": sent}, {})
        earned.append(outcome.rewards.mean(axis=1))
    points = np.cumsum(earned, axis=0)
    best = int(points[-1].argmax())
    return amounts[best], tuple(points[:, best].tolist())
