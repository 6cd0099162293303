"""Exact best plan of a group on a small grid, found by trying every joint action in every state.

Turn by turn, the search keeps all reachable states, each with the most points that the group can
have by then. It calls the game's rules (`transition`, `reward`). Random events are known in
advance, as for a bound, so this is the optimum in hindsight.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.arrays import total
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote import VoteCore

_MATTERS = ("grid", "row", "column", "level", "harm")
"""Parts of a state, apart from the turn, that affect future points."""


@dataclass(frozen=True)
class Plan:
    """Actions of each seat in each turn, (T, n), and the total points of all seats."""

    actions: Array
    points: float


def best_plan(game: Game[VoteCore], seed: int, most_states: int = 200_000) -> Plan | None:
    """Return the best plan for the play with a seed, or None if it needs more than
    `most_states`."""
    actions = np.array(list(itertools.product(*_choices(game))))
    state, _ = game.reset(np.array([seed]))
    points, steps = np.zeros(1), []
    for turn in range(game.horizon):
        size = points.size * len(actions)
        if size > most_states:
            return None
        chance = game.draw_chance(np.full(size, seed), turn)
        before = {name: np.repeat(value, len(actions), axis=0) for name, value in state.items()}
        used = {"action": np.tile(actions, (points.size, 1))}
        after = {
            **before,
            **game.transition(before, used, chance),
            "period": np.full(size, turn + 1),
        }
        earned = total(game.reward(before, used, after)).sum(axis=-1)
        points = np.repeat(points, len(actions)) + earned
        kept = _best_of_equal(after, points)
        steps.append(kept)
        state, points = {name: value[kept] for name, value in after.items()}, points[kept]
    best = int(points.argmax())
    return Plan(_traced(steps, best, actions), float(points[best]))


def _choices(game: Game[VoteCore]) -> list[list[int]]:
    """Return each seat's effective choices; a role may bar the field or close some."""
    [field] = game.declaration.actions
    state, _ = game.reset(0)
    return [
        (int(field.low) + np.flatnonzero(flags)).tolist()
        for flags in game.allowed(state).open(field)
    ]


def _best_of_equal(state: Arrays, points: Array) -> Array:
    """Return the index of the state with the most points among states with the same future."""
    order = np.argsort(-points, kind="stable")
    content = [
        np.ascontiguousarray(state[name][order]).reshape(order.size, -1).view(np.uint8)
        for name in _MATTERS
    ]
    _, first = np.unique(np.hstack(content), axis=0, return_index=True)
    return np.asarray(order[first])


def _traced(steps: list[Array], last: int, actions: Array) -> Array:
    """Return the joint actions that lead to a state of the last turn."""
    done = []
    for kept in reversed(steps):
        last, number = divmod(int(kept[last]), len(actions))
        done.append(actions[number])
    return np.array(done[::-1])
