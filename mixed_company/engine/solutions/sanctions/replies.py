"""One seat's best reply in the repeated game, and paths that are best replies to themselves.

The search varies the contributions of all periods, and the engine replays each reply, so its value
can actually be earned and is a lower bound on the best. `bound` computes the upper bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions.sanctions.bound import reply_bound
from mixed_company.engine.solutions.sanctions.replay import Replayed, constant, replayed, returns

_LEVELS = 201  # number of constant paths from which a search starts
_STEPS = (0.1, 0.02, 0.004, 0.001)  # share of the endowment
_MOVES = np.array([-3, -2, -1, 1, 2, 3])
_ROUNDS = 300
_ROUNDS_OF_REPLIES = 50


@dataclass(frozen=True)
class Reply:
    """Best contributions known for seat 0.

    contributions  (T,) the best path found, points
    value          its points over the play
    bound          upper bound on any path, points; math.inf if unknown
    """

    contributions: Array
    value: float
    bound: float


def best_reply(game: SanctionsGame, others: Array | float, climb: bool = True) -> Reply:
    """Return the best path known if every other seat gives `others`, a number or (T,).

    The search starts from the best constant path, or from the best contribution in each period
    separately. With `climb`, it then moves single contributions up and down, in smaller and smaller
    steps, for as long as that pays.
    """
    path, value = _searched(game, others, climb)
    return Reply(path, value, reply_bound(game, others))


def _searched(game: SanctionsGame, others: Array | float, climb: bool) -> tuple[Array, float]:
    levels, plays = constant(game, _LEVELS)
    table = replayed(game, plays, others)
    starts = np.stack(
        [plays[table.rewards.sum(axis=1).argmax()], _period_by_period(game, levels, table)]
    )
    values = returns(game, starts, others)
    path, value = starts[values.argmax()], float(values.max())
    if climb:
        for step in _STEPS:
            path, value = _climbed(game, path, value, others, step * levels[-1])
    return path, value


def symmetric_path(game: SanctionsGame, climb: bool = True) -> Reply:
    """Return a path on which no seat can gain more than `bound` - `value` by deviating alone.

    All seats follow the path, and its value is the points of one seat. The path is the limit of
    repeated best replies, starting from the baseline. Raises ValueError if they do not converge.
    """
    others: Array = np.full(game.horizon, float(per_seat(game.core.baseline, game.seats)[0]))
    close = 1e-6 * float(per_seat(game.core.endowment, game.seats)[0])
    for _ in range(_ROUNDS_OF_REPLIES):
        path, value = _searched(game, others, climb)
        if np.abs(path - others).max() <= close:
            return Reply(path, value, reply_bound(game, others))
        others = path
    raise ValueError(f"best replies still differ after {_ROUNDS_OF_REPLIES} rounds")


def _period_by_period(game: SanctionsGame, levels: Array, table: Replayed) -> Array:
    """Return each period's best contribution without sanctions, (T,), by fitting parabolas."""
    removed = table.sanctions if game.core.falls_on == "deviator" else 0.0
    alone = (table.rewards - removed).T
    periods, top = np.arange(len(alone)), np.clip(alone.argmax(axis=1), 1, len(levels) - 2)
    left, middle, right = (alone[periods, top + move] for move in (-1, 0, 1))
    bend = 2.0 * middle - left - right
    shift = np.where(bend > 1e-12, (right - left) / np.where(bend > 1e-12, 2.0 * bend, 1.0), 0.0)
    inner = levels[top] + np.clip(shift, -1.0, 1.0) * (levels[1] - levels[0])
    ends = alone.argmax(axis=1)
    path: Array = np.where((ends == 0) | (ends == len(levels) - 1), levels[ends], inner)
    return path


def _climbed(
    game: SanctionsGame, path: Array, value: float, others: Array | float, step: float
) -> tuple[Array, float]:
    """Return path and value after moving contributions one to three steps while that pays."""
    endowment, periods = float(per_seat(game.core.endowment, game.seats)[0]), len(path)
    places = np.arange(periods)
    for _ in range(_ROUNDS):
        moved = np.clip(path[:, None] + step * _MOVES, 0.0, endowment)  # (T, moves)
        plays = np.repeat(path[None], periods * len(_MOVES), axis=0)
        plays[np.arange(len(plays)), np.repeat(places, len(_MOVES))] = moved.ravel()
        values = returns(game, plays, others).reshape(periods, -1)
        best = values.argmax(axis=1)
        pays = values.max(axis=1) > value + 1e-9
        if not pays.any():
            break
        every = np.where(pays, moved[places, best], path)
        single = plays[values.argmax()]
        both = np.stack([every, single])
        earned = returns(game, both, others)
        path, value = both[earned.argmax()], float(earned.max())
    return path, value
