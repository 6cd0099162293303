"""The best reply of one seat in the repeated game, and paths that are their own best reply.

A reply is searched for on the contributions of every period and replayed by the engine, so what it
earns can be earned: a lower end. `bound` has the upper end.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.sanctions.core import per_seat
from mixed_company.engine.games.sanctions.rules import SanctionsGame
from mixed_company.engine.solutions.sanctions.bound import reply_bound
from mixed_company.engine.solutions.sanctions.replay import Replayed, constant, replayed, returns

__all__ = ["Reply", "best_reply", "symmetric_path"]

_LEVELS = 201  # contributions of the constant paths that a search starts from
_STEPS = (0.1, 0.02, 0.004, 0.001)  # of the endowment
_MOVES = np.array([-3, -2, -1, 1, 2, 3])
_ROUNDS = 300
_ROUNDS_OF_REPLIES = 50


@dataclass(frozen=True)
class Reply:
    """What seat 0 best gives, as far as it is known.

    contributions  (T,) the best path found, points
    value          what it earns in the whole play, points
    bound          what no path earns more than, points; math.inf where none is known
    """

    contributions: Array
    value: float
    bound: float


def best_reply(game: SanctionsGame, others: Array | float, climb: bool = True) -> Reply:
    """The best path found if each other seat gives `others`, whatever happens: a number or (T,).

    It starts from the best constant path, or from what is best in every period by itself, and
    with `climb` moves single contributions up and down, by less and less, while that pays.
    """
    path, value = _searched(game, others, climb)
    return Reply(path, value, reply_bound(game, others))


def _searched(game: SanctionsGame, others: Array | float, climb: bool) -> tuple[Array, float]:
    given, plays = constant(game, _LEVELS)
    table = replayed(game, plays, others)
    starts = np.stack(
        [plays[table.rewards.sum(axis=1).argmax()], _period_by_period(game, given, table)]
    )
    values = returns(game, starts, others)
    path, value = starts[values.argmax()], float(values.max())
    if climb:
        for step in _STEPS:
            path, value = _climbed(game, path, value, others, step * given[-1])
    return path, value


def symmetric_path(game: SanctionsGame, climb: bool = True) -> Reply:
    """A path from which nobody gains more than `bound` - `value` by leaving it alone.

    All give it; its value is what one of them earns. It is what replies to replies come to, from
    the baseline on. Raises ValueError if they come to nothing.
    """
    others: Array = np.full(game.horizon, float(per_seat(game.core.baseline, game.seats)[0]))
    close = 1e-6 * float(per_seat(game.core.endowment, game.seats)[0])
    for _ in range(_ROUNDS_OF_REPLIES):
        path, value = _searched(game, others, climb)
        if np.abs(path - others).max() <= close:
            return Reply(path, value, reply_bound(game, others))
        others = path
    raise ValueError(f"replies to replies still differ after {_ROUNDS_OF_REPLIES} rounds")


def _period_by_period(game: SanctionsGame, given: Array, table: Replayed) -> Array:
    """(T,) what is best in each period apart from sanctions of the seat: tops of parabolas."""
    own = table.sanctions if game.core.falls_on == "deviator" else 0.0
    alone = (table.rewards - own).T
    periods, top = np.arange(len(alone)), np.clip(alone.argmax(axis=1), 1, len(given) - 2)
    left, middle, right = (alone[periods, top + move] for move in (-1, 0, 1))
    bend = 2.0 * middle - left - right
    shift = np.where(bend > 1e-12, (right - left) / np.where(bend > 1e-12, 2.0 * bend, 1.0), 0.0)
    inner = given[top] + np.clip(shift, -1.0, 1.0) * (given[1] - given[0])
    ends = alone.argmax(axis=1)
    path: Array = np.where((ends == 0) | (ends == len(given) - 1), given[ends], inner)
    return path


def _climbed(
    game: SanctionsGame, path: Array, value: float, others: Array | float, step: float
) -> tuple[Array, float]:
    """The path after moves of single contributions by one to three steps, while they pay."""
    most, periods = float(per_seat(game.core.endowment, game.seats)[0]), len(path)
    places = np.arange(periods)
    for _ in range(_ROUNDS):
        moved = np.clip(path[:, None] + step * _MOVES, 0.0, most)  # (T, moves)
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
