"""The expected points of actions, under the engine's rules.

It is assumed that the others repeat their last actions, and that the person does so in all other
action fields of the stage. It is also assumed that nobody acts in later stages of the period. The
state is the true state before the period. If chance plays a role after the decision, the
expectation from `engine.solutions` is used if there is one (in gem mining, the probability of every
gem). In the other games, chance does not affect points in the same period.
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
from mixed_company.engine.play.period import play_period

AT_ONCE = 2000
"""Maximum number of decisions in one call to the engine."""


def unkept(game: Game[Any]) -> str:
    """Return an error if the state does not record a field's last action; an empty string if it
    does."""
    recorded = {field.name for field in game.declaration.state}
    fields = [field.name for field in game.declaration.actions if not field.stage]
    unrecorded = [name for name in fields if name not in recorded]
    return f"{unrecorded[0]}: the state does not record the last action" if unrecorded else ""


def expected_points(panel: Panel) -> Array:
    """Return the points that the person can expect in this period from each action, shape (D, A).

    pi_i(a, s_t, a_-i,t-1): computed by one step of the engine, including layers, for each action a.
    The points are NaN for missing actions, decisions that are not explained, and unknown last
    actions (`unkept`).
    """
    return _by_game(panel, _points)


def future_points(panel: Panel) -> Array:
    """Return an equal share of what the group can still earn after this period, shape (D, A).

    This is the worth of the state after each action, as the game declares it
    (`analysis.games.Future`). Raises ConfigError if the game does not declare it.
    """
    return _by_game(panel, _future)


def _by_game(panel: Panel, worth: Any) -> Array:
    """Evaluate `worth` for all possible actions; one call handles many decisions in a game."""
    values = np.full(panel.actions.shape, np.nan)
    for game, rows in panel.by_game():
        if unkept(game):
            continue
        decisions = rows[panel.why[rows] == ""]
        for start in range(0, len(decisions), AT_ONCE):
            batch = decisions[start : start + AT_ONCE]
            values[batch] = _of_batch(panel.take(batch), game, worth)
    return values


def _of_batch(panel: Panel, game: Game[Any], worth: Any) -> Array:
    row, column = np.nonzero(np.isfinite(panel.actions))
    states, by_row = panel.states()
    before, seats = {name: value[row] for name, value in states.items()}, by_row[row]
    # the state has the previous period's actions under the same names
    fields = (field for field in game.declaration.actions if not field.stage)
    actions = {field.name: before[field.name] for field in fields}
    chosen = np.array(actions[panel.field])
    chosen[np.arange(len(row)), seats] = panel.actions[row, column]
    values = np.full(panel.actions.shape, np.nan)
    values[row, column] = worth(game, before, {**actions, panel.field: chosen}, seats)
    return values


def _points(game: Game[Any], states: Arrays, actions: Arrays, seats: Array) -> Array:
    expected = solutions.find(game.id).expected_points
    if expected is None:
        _, outcome = play_period(game, states, actions, game.draw_chance(0, 0))
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
        raise ConfigError(
            f"{game.id}: no `future` is declared, so points after this period cannot be computed"
        )
    after, _ = play_period(game, states, actions, game.draw_chance(0, 0))
    return future.worth(game, after)
