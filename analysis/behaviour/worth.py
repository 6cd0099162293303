"""What an action makes a person expect, by the rules of the engine.

The belief: all others, and the person in all other action fields, do again what they did last. The
state is the one before the period, as it was. What chance brings after the decision is taken at its
expectation: in gem mining by `engine.solutions`, which knows the chance of every gem; in the other
games chance does not change what is earned in the same period.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from analysis.behaviour.panel import Panel
from engine import solutions
from engine.contract.space import Array, Arrays
from engine.game import Game

__all__ = ["expected_points", "future_points"]

STOCKS, SHARES = 201, 101
"""Of the grid on which the worth of a stock is computed."""
AT_ONCE = 2000
"""Decisions in one call of the engine."""


def expected_points(panel: Panel) -> Array:
    """(D, A) points of one's own in this period; NaN without an action, or if not to be explained.

    pi_i(a, s_t, a_-i,t-1): one step of the engine, layers included, for each action a.
    """
    return _by_game(panel, _points)


def future_points(panel: Panel) -> Array:
    """(D, A) an equal share of what the group can still earn after this period, in the commons.

    V_{t+1}(R_{t+1}) / n, where R_{t+1} is the stock that the engine leaves after action a, and V
    what the group earns at most from then on (`stock_worth`).
    """
    return _by_game(panel, _future)


def _by_game(panel: Panel, worth: Any) -> Array:
    """`worth` of the open actions of many decisions under the same game in one call."""
    games = {id(each.game): each.game for each in panel.faced}
    own = np.array([id(each.game) for each in panel.faced])
    found = np.full(panel.actions.shape, np.nan)
    for key, game in games.items():
        decisions = np.flatnonzero((own == key) & (panel.why == ""))
        for start in range(0, len(decisions), AT_ONCE):
            some = decisions[start : start + AT_ONCE]
            found[some] = _of_some(panel.take(some), game, worth)
    return found


def _of_some(panel: Panel, game: Game[Any], worth: Any) -> Array:
    row, column = np.nonzero(np.isfinite(panel.actions))
    before = {
        name: np.stack([each.state[name] for each in panel.faced])[row]
        for name in panel.faced[0].state
    }
    seats = np.array([each.seat for each in panel.faced])[row]
    actions = _repeated(game, before)
    chosen = np.array(actions[panel.field])
    chosen[np.arange(len(row)), seats] = panel.actions[row, column]
    found = np.full(panel.actions.shape, np.nan)
    found[row, column] = worth(game, before, {**actions, panel.field: chosen}, seats)
    return found


def _repeated(game: Game[Any], states: Arrays) -> dict[str, Array]:
    """The actions of the period before: state fields of the same names."""
    return {field.name: np.asarray(states[field.name]) for field in game.declaration.actions}


def _points(game: Game[Any], states: Arrays, actions: Arrays, seats: Array) -> Array:
    if any(field.name == "expected_points" for field in solutions.judged(game)):
        return _judged(game, states, actions)
    _, outcome = game.step(states, actions, game.draw_chance(0, 0))
    return np.asarray(outcome.rewards[np.arange(len(seats)), seats])


def _judged(game: Game[Any], states: Arrays, actions: Arrays) -> Array:
    found = []
    for row in range(len(states["period"])):
        before = {name: value[row] for name, value in states.items()}
        after = {**before, **{name: value[row] for name, value in actions.items()}}
        found.append(solutions.judge(game, before, after)["expected_points"])
    return np.array(found)


# -- what a stock is worth ------------------------------------------------------------------------


def _future(game: Game[Any], states: Arrays, actions: Arrays, seats: Array) -> Array:
    after, _ = game.step(states, actions, game.draw_chance(0, 0))
    stocks, values = stock_worth(game)
    over = after["reason"] > 0
    worth = np.zeros(len(seats))
    for period in np.unique(after["period"]).tolist():
        here = (after["period"] == period) & ~over
        if here.any():
            worth[here] = np.interp(after["stock"][here], stocks, values[period])
    return worth / game.seats


@lru_cache(maxsize=64)
def stock_worth(game: Game[Any]) -> tuple[Array, Array]:
    """(stocks, values): what a group earns at most from each stock on, (T + 1, stocks) points.

    V_T = 0, V_t(R) = max_h [n h' + V_{t+1}(R')] over equal requests h of all seats, where h' and
    R' are what the engine gives; 0 after a collapse that ends the play. By backward induction on a
    grid of the stock (Bellman 1957), between whose points it is linear.
    """
    core = game.core
    stocks = np.linspace(0.0, core.capacity, STOCKS)
    requests = np.linspace(0.0, core.max_harvest, SHARES)
    stock, request = (each.ravel() for each in np.meshgrid(stocks, requests, indexing="ij"))
    start, _ = game.reset(np.zeros(len(stock), dtype=np.int64))
    harvest = np.repeat(request[:, None], game.seats, axis=1)
    actions = {"harvest": harvest, "contribution": np.zeros_like(harvest)}
    values = [np.zeros(STOCKS)]
    for period in reversed(range(game.horizon)):
        now = {**start, "stock": stock, "period": np.full(len(stock), period)}
        after, outcome = game.step(now, actions, game.draw_chance(0, 0))
        later = np.interp(after["stock"], stocks, values[0])
        later = np.where(outcome.done, 0.0, later)
        total = outcome.rewards.sum(axis=1) + later
        values.insert(0, total.reshape(STOCKS, SHARES).max(axis=1))
    return stocks, np.array(values)
