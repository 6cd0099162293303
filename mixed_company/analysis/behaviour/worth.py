"""What an action makes a person expect, by the rules of the engine.

The belief: all others, and the person in all other action fields, do again what they did last. The
state is the one before the period, as it was. What chance brings after the decision is taken at its
expectation where `engine.solutions` knows it (in gem mining the chance of every gem); in the other
games chance does not change what is earned in the same period.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company.analysis import games
from mixed_company.analysis.behaviour.panel import Panel
from mixed_company.engine import solutions
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game

__all__ = ["expected_points", "future_points", "unkept"]

AT_ONCE = 2000
"""Decisions in one call of the engine."""


def unkept(game: Game[Any]) -> str:
    """Which action the state of a game says nothing of afterwards, a sentence; empty: none."""
    kept = {field.name for field in game.declaration.state}
    lost = [field.name for field in game.declaration.actions if field.name not in kept]
    return f"{lost[0]}: the state keeps nothing of what was done last" if lost else ""


def expected_points(panel: Panel) -> Array:
    """(D, A) points of one's own in this period; NaN without an action, if not to be explained, or
    if not to be known (`unkept`).

    pi_i(a, s_t, a_-i,t-1): one step of the engine, layers included, for each action a.
    """
    return _by_game(panel, _points)


def future_points(panel: Panel) -> Array:
    """(D, A) an equal share of what the group can still earn after this period, in points.

    What the state that the engine leaves after action a is worth, as the game declares it
    (`analysis.games.Future`); ConfigError for a game that does not.
    """
    return _by_game(panel, _future)


def _by_game(panel: Panel, worth: Any) -> Array:
    """`worth` of the open actions of many decisions under the same game in one call."""
    values = np.full(panel.actions.shape, np.nan)
    for game, rows in panel.by_game():
        if unkept(game):
            continue
        decisions = rows[panel.why[rows] == ""]
        for start in range(0, len(decisions), AT_ONCE):
            some = decisions[start : start + AT_ONCE]
            values[some] = _of_some(panel.take(some), game, worth)
    return values


def _of_some(panel: Panel, game: Game[Any], worth: Any) -> Array:
    row, column = np.nonzero(np.isfinite(panel.actions))
    states, by_row = panel.states()
    before, seats = {name: value[row] for name, value in states.items()}, by_row[row]
    # all actions of the period before: state fields of the same names
    actions = {field.name: before[field.name] for field in game.declaration.actions}
    chosen = np.array(actions[panel.field])
    chosen[np.arange(len(row)), seats] = panel.actions[row, column]
    values = np.full(panel.actions.shape, np.nan)
    values[row, column] = worth(game, before, {**actions, panel.field: chosen}, seats)
    return values


def _points(game: Game[Any], states: Arrays, actions: Arrays, seats: Array) -> Array:
    expected = solutions.find(game.id).expected_points
    if expected is None:
        _, outcome = game.step(states, actions, game.draw_chance(0, 0))
        return np.asarray(outcome.rewards[np.arange(len(seats)), seats])
    points = np.empty(len(seats))
    for row in range(len(seats)):
        before = {name: value[row] for name, value in states.items()}
        after = {**before, **{name: value[row] for name, value in actions.items()}}
        points[row] = expected(game, before, after)
    return points


def _future(game: Game[Any], states: Arrays, actions: Arrays, seats: Array) -> Array:
    future = games.find(game.id).future
    if future is None:
        raise ConfigError(f"{game.id}: says nowhere what its future is worth")
    after, _ = game.step(states, actions, game.draw_chance(0, 0))
    return future.worth(game, after)
