"""What is within reach of a step: how much can be collected per step in each direction."""

from __future__ import annotations

import numpy as np

from bots.punishment_vote.reading import gains, known, seen_around
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import ACTIONS, MOVES, VoteCore
from mixed_company.policies.policy import Seats

__all__ = ["points_per_step", "votes"]


def votes(rules: VoteCore) -> Array:
    """(A,) flags: the actions that are votes, whatever else they do."""
    return np.array([name.endswith("crease") for name in ACTIONS[rules.actions]])


def points_per_step(seats: Seats, rules: VoteCore) -> Array:
    """(K, A) the most points per step of all cells in view, if the first step is this one.

    A cell that is k steps from where the step leads, as the crow walks, is worth its points, less
    the punishment to be expected for them, by k + 1. A step onto what costs points is worth those;
    one that leads nowhere, a vote and standing still are worth nothing.
    """
    around = seen_around(seats, rules)
    level = known(seats, "level", rules.initial_level)
    values = np.array([resource.value for resource in rules.resources.values()])
    gain = gains(around, values - level[:, None] * np.array(rules.penalties))
    steps = [_of_step(gain, around.far, int(around.ahead(np.array(move)))) for move in range(4)]
    names = ACTIONS[rules.actions]
    worth = np.zeros((seats.count, len(names)))
    for number, name in enumerate(names):
        way = name.split("_")[0]
        if way in MOVES:
            worth[:, number] = steps[MOVES.index(way)]
    return worth


def _of_step(gain: Array, far: Array, cell: int) -> Array:
    """(K,) what a step onto this cell is worth, from what cells gain (K, C)."""
    best = (gain / (far[cell] + 1)).max(axis=1)
    there = gain[:, cell]
    return np.where(np.isinf(there), 0.0, np.where(there < 0, there, np.maximum(best, 0.0)))
