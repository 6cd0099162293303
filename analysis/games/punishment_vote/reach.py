"""What is within reach of a step: how much a person can collect per step in each direction."""

from __future__ import annotations

from typing import Any

import numpy as np

from analysis.games import Reach
from bots.draws import Draws
from bots.scripted.punishment_vote.reading import gains, known, seen_around
from bots.seats import Gathered, Seats
from engine.contract.space import Array, Arrays
from engine.game import Game
from engine.games.punishment_vote import ACTIONS, MOVES

__all__ = ["REACH"]


def _names(game: Game[Any]) -> tuple[str, ...]:
    return tuple(ACTIONS[game.core.actions])


def _votes(game: Game[Any]) -> Array:
    """(A,) flags: the actions that are votes, whatever else they do."""
    return np.array([name.endswith("crease") for name in _names(game)])


def _refuses(game: Game[Any]) -> str:
    return "" if game.core.vision > 0 else "vision = 0: nobody sees what is within reach"


def _worth(game: Game[Any], states: Arrays, seats: Array) -> Array:
    """(B, A) the most points per step of all cells in view, if the first step is this one.

    A cell that is k steps from where the step leads, as the crow walks, is worth its points, less
    the punishment to be expected for them, by k + 1. A step onto what costs points is worth those;
    one that leads nowhere, a vote and standing still are worth nothing.
    """
    rules, plays = game.core, np.arange(len(seats))
    seen_by_all = game.observe(states, game.draw_chance(0, 0))
    seen = Gathered(game.declaration.observations, seen_by_all, plays, seats)
    view = Seats(seen, {}, Draws(len(seats), np.random.default_rng))
    around = seen_around(view, rules)
    level = known(view, "level", rules.initial_level)
    values = np.array([resource.value for resource in rules.resources.values()])
    gain = gains(around, values - level[:, None] * np.array(rules.penalties))
    steps = [_of_step(gain, around.far, int(around.ahead(np.array(move)))) for move in range(4)]
    worth = np.zeros((len(seats), len(_names(game))))
    for number, name in enumerate(_names(game)):
        way = name.split("_")[0]
        if way in MOVES:
            worth[:, number] = steps[MOVES.index(way)]
    return worth


def _of_step(gain: Array, far: Array, cell: int) -> Array:
    """(B,) what a step onto this cell is worth, from what cells gain (B, C)."""
    best = (gain / (far[cell] + 1)).max(axis=1)
    there = gain[:, cell]
    return np.where(np.isinf(there), 0.0, np.where(there < 0, there, np.maximum(best, 0.0)))


REACH = Reach("action", _votes, _refuses, _worth)
