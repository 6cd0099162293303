"""Best, selfish and efficient play in each game. Each game's module is named after it.

A module's `SOLUTION` contains its functions for general use, and is looked up by the game's id. A
game without a module has an empty solution, in which every part is None:

    solutions.find("sanctions").best                  None, or a function
    solutions.best(game, seed)                        the most a group can earn, if known
    solutions.has_best(game)                          whether plays can be compared with a best
    solutions.share_of_best(game, states, components) results of plays, as shares of the best
    solutions.judged(game), solutions.judge(...)      how good the decisions of a period were
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, Literal, TypeVar

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game

__all__ = [
    "PEER_PARTS",
    "Best",
    "Solution",
    "as_without_layers",
    "best",
    "find",
    "first_state",
    "has_best",
    "judge",
    "judge_play",
    "judged",
    "own_components",
    "points_only_take",
    "share_of_best",
    "shares",
    "without_points",
]

CoreT = TypeVar("CoreT", bound=Core)
GameT = TypeVar("GameT", bound=Game[Any])
State = Mapping[str, Any]

_NOTHING = 1e-6
"""A best result below this many points is only a rounding error."""

PEER_PARTS = ("peer_cost", "peer_received")
"""Reward components of peer points."""

_LEAVE_THE_BEST = {"information", "hierarchy"}
"""Layers that do not change a group's best result."""


@dataclass(frozen=True)
class Best:
    """The most that a group can earn in a complete play, in points of all seats together.

    name    its description, as the subject of a sentence: `the best group plan`
    value   points
    error   how far the true best may be from `value`, in points: above a plan, below a bound; 0.0
            if it is exact (apart from rounding), NaN if unknown
    how     the method, in a few words: `the largest of all joint choices`
    kind    `plan`: it can be played, and earns `value`; `bound`: no group can earn more
    """

    name: str
    value: float
    error: float
    how: str
    kind: Literal["plan", "bound"] = "plan"


def as_without_layers(
    game: Game[Any], barred: Iterable[str] = (), layers: Iterable[str] = ()
) -> bool:
    """Return whether the game's best result would be the same without its layers, roles and seat
    endings.

    This is true if the layers change only observations, no role bars an action, and only the game
    itself pays. No rule may end a seat, or end a play early with a success. (A seat that leaves
    forgoes part of the best result.) Peer points may only take points, because with rewards a group
    can earn more than without peer points. `barred` lists action fields that a role may bar without
    changing the best result, and `layers` lists more layers that do not change it.
    """
    base = game.declare()
    return (
        {layer.name for layer in game.layers} <= {*_LEAVE_THE_BEST, *layers}
        and game.barred.keys() <= set(barred)
        and not game.closed
        and not base.seat_endings
        and "success" not in base.endings.values()
        and own_components(game) == base.components
        and points_only_take(game)
    )


def own_components(game: Game[Any]) -> tuple[Field, ...]:
    """Return the reward components without those of peer points."""
    return tuple(part for part in game.declaration.components if part.name not in PEER_PARTS)


def without_points(game: GameT) -> GameT:
    """Return the game without peer points, or the game itself if it has none."""
    if game.peers is None:
        return game
    config = game.config.model_dump(mode="json")
    core = {key: value for key, value in config["core"].items() if not key.startswith("peer")}
    return type(game)(game.config_from({**config, "core": core}))


def points_only_take(game: Game[Any]) -> bool:
    """Return whether no seat can gain from peer points; True for a game without peer points.

    Punishment by a share of income benefits seats with a negative income.
    """
    if game.peers is None:
        return True
    peers = game.peers.core
    lowest = sum(part.low for part in own_components(game))
    return peers.peer == "punishment" and (peers.peer_effect_share is None or lowest >= 0)


@dataclass(frozen=True)
class Solution(Generic[CoreT]):
    """Known results for a game, as functions of it; None if unknown.

    best             (game, seed) -> Best; None if a search would take too long
    share_of_best    (game, states, components) -> (B, 2) `shares` of the best of B plays; the
                     arguments of `share_of_best` below, without the components of peer points
    holds            game -> whether these two hold under its layers, roles and seat endings
    judged           game -> the fields used to judge a period
    judge            (game, before, after) -> their values, for the period between two states
    expected_points  (game, before, after) -> expected points of every seat in a period, before
                     chance decides; None if rewards do not depend on chance
    """

    best: Callable[[Game[CoreT], int], Best | None] | None = None
    share_of_best: Callable[[Game[CoreT], Sequence[Arrays], Sequence[Arrays]], Array] | None = None
    holds: Callable[[Game[CoreT]], bool] = as_without_layers
    judged: Callable[[Game[CoreT]], tuple[Field, ...]] | None = None
    judge: Callable[[Game[CoreT], State, State], dict[str, Any]] | None = None
    expected_points: Callable[[Game[CoreT], State, State], float] | None = None


def find(game_id: str) -> Solution[Any]:
    """Return a game's solution by its id, or an empty one."""
    name = f"{__name__}.{game_id}"
    if find_spec(name) is None:
        return Solution()
    solution: Solution[Any] = import_module(name).SOLUTION
    return solution


def judged(game: Game[Any]) -> tuple[Field, ...]:
    """Return the fields used to judge a game's periods; most games have none."""
    fields = find(game.id).judged
    return () if fields is None else fields(game)


def judge(game: Game[Any], before: State, after: State) -> dict[str, Any]:
    """Return the values of `judged` for the period between two states (plain JSON), if any."""
    values = find(game.id).judge
    return {} if values is None else values(game, before, after)


def judge_play(game: Game[Any], seed: int, states: Iterable[State]) -> Iterator[dict[str, Any]]:
    """Yield `judge` of each period of a play, given the states after each period."""
    before = first_state(game, seed)
    for after in states:
        yield judge(game, before, after)
        before = after


def has_best(game: Game[Any]) -> bool:
    """Return whether plays of this game, with its layers and roles, can be compared with a best
    result.
    """
    solution = find(game.id)
    return solution.share_of_best is not None and solution.holds(game)


def best(game: Game[Any], seed: int = 0) -> Best | None:
    """Return the most that a group can earn in the play with this seed; None if unknown."""
    solution = find(game.id)
    if solution.best is None or not solution.holds(game):
        return None
    return solution.best(game, seed)


def share_of_best(
    game: Game[Any], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array | None:
    """Return plays' `shares` of the best result, (B, 2); None for games without `has_best`.

    `states` contains the states before the first period and after each period, and `components` the
    reward components of each period. A play that has ended repeats its last state.
    """
    share = find(game.id).share_of_best
    if share is None or not has_best(game):
        return None
    game_parts = [
        {name: parts[name] for name in parts if name not in PEER_PARTS} for parts in components
    ]
    return share(game, states, game_parts)


def shares(earned: Array, best: Array | float, error: float = 0.0) -> Array:
    """Return the smallest and largest possible share of the best result that was earned, (..., 2).

    The true best is between `best` and `best + error`, and is at least what was earned. So no share
    is above 1, and the two shares are equal if the error is 0. NaN if nothing can be earned.
    """
    low, high = np.maximum(best, earned), np.maximum(np.add(best, error), earned)
    high = np.where(high > _NOTHING, high, np.nan)
    low = np.where(low > _NOTHING, low, high)
    return np.sort(np.stack([earned / high, earned / low], axis=-1), axis=-1)


def first_state(game: Game[Any], seed: int) -> State:
    """Return the state before the first period, as plain JSON values."""
    state, _ = game.reset(seed)
    return space.to_json({field.name: state[field.name] for field in game.declaration.state})
