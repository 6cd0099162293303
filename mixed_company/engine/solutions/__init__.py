"""What is best, selfish or efficient in a game, one module per game, named like it.

A module's `SOLUTION` says which of its functions are for everybody; it is found by the id of the
game. A game without a module has the neutral one, in which every part is missing:

    solutions.find("sanctions").best                  None, or a function
    solutions.best(game, seed)                        what a group can come to at most, if known
    solutions.has_best(game)                          is there a best to compare plays with
    solutions.share_of_best(game, states, components) what plays came to, as a share of that
    solutions.judged(game), solutions.judge(...)      how good the decisions of a period were
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Generic, Literal, TypeVar

from mixed_company.engine.contract import space
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game

__all__ = [
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
    "share_of_best",
]

CoreT = TypeVar("CoreT", bound=Core)
State = Mapping[str, Any]

_LEAVE_THE_BEST = {"information", "hierarchy"}
"""Layers under which the best a group can do is what it is without them."""


@dataclass(frozen=True)
class Best:
    """The most a group can come to in a whole play, in points of all seats together.

    what    who earns it, in words: `the best group plan`
    value   what it earns
    error   how far the true best may be from `value`, in points: above that of a plan, below that
            of a bound; 0.0 for an exact one (rounding aside), NaN where no more is known
    how     how it was found, in a few words: `the largest of all joint choices`
    kind    `plan`: it can be played, and earns `value`; `bound`: nobody can earn more
    """

    what: str
    value: float
    error: float
    how: str
    kind: Literal["plan", "bound"] = "plan"


def as_without_layers(
    game: Game[Any], barred: Iterable[str] = (), layers: Iterable[str] = ()
) -> bool:
    """Return whether a group can come to what it could without layers, roles and endings of seats.

    That is so if its layers change only what is seen, no role bars an action, nothing is paid
    besides what the game itself pays, nobody is put out of the play, and none is won before its
    time. (Who leaves gives up a part of what could be had.) `barred`: action fields whose bars do
    not matter to the best; `layers`: further layers that do not.
    """
    own = game.declare()
    return (
        {layer.name for layer in game.layers} <= {*_LEAVE_THE_BEST, *layers}
        and game.barred.keys() <= set(barred)
        and not game.closed
        and not own.seat_endings
        and "success" not in own.endings.values()
        and game.declaration.components == own.components
    )


@dataclass(frozen=True)
class Solution(Generic[CoreT]):
    """What is known of a game, as functions of it; None: not known.

    best             (game, seed) -> Best; None where a search would take too long
    share_of_best    (game, states, components) -> (B,) what B plays came to, as a share of the
                     best; arguments as of `share_of_best` below
    holds            game -> do these two hold under its layers, roles and endings of seats
    judged           game -> the fields that a period is judged by
    judge            (game, before, after) -> their values, for the period between two states
    expected_points  (game, before, after) -> what every seat is to expect of a period before
                     chance decides; None: the rewards themselves, since chance comes later
    """

    best: Callable[[Game[CoreT], int], Best | None] | None = None
    share_of_best: Callable[[Game[CoreT], Sequence[Arrays], Sequence[Arrays]], Array] | None = None
    holds: Callable[[Game[CoreT]], bool] = as_without_layers
    judged: Callable[[Game[CoreT]], tuple[Field, ...]] | None = None
    judge: Callable[[Game[CoreT], State, State], dict[str, Any]] | None = None
    expected_points: Callable[[Game[CoreT], State, State], float] | None = None


def find(game_id: str) -> Solution[Any]:
    """Return the solution of a game, by its id; the neutral one for a game that has none."""
    name = f"{__name__}.{game_id}"
    if find_spec(name) is None:
        return Solution()
    solution: Solution[Any] = import_module(name).SOLUTION
    return solution


def judged(game: Game[Any]) -> tuple[Field, ...]:
    """Return the fields that periods of a game are judged by; none for most games."""
    fields = find(game.id).judged
    return () if fields is None else fields(game)


def judge(game: Game[Any], before: State, after: State) -> dict[str, Any]:
    """Return the values of `judged` for the period between two states (plain JSON), if any."""
    values = find(game.id).judge
    return {} if values is None else values(game, before, after)


def judge_play(game: Game[Any], seed: int, states: Iterable[State]) -> Iterator[dict[str, Any]]:
    """Give `judge` of each period of a play; `states` are those after each, from the first on."""
    before = first_state(game, seed)
    for after in states:
        yield judge(game, before, after)
        before = after


def has_best(game: Game[Any]) -> bool:
    """Return whether plays of this game, with its layers and roles, have a best to compare with."""
    solution = find(game.id)
    return solution.share_of_best is not None and solution.holds(game)


def best(game: Game[Any], seed: int = 0) -> Best | None:
    """Return the most the group can come to in the play of this seed; None: not known."""
    solution = find(game.id)
    if solution.best is None or not solution.holds(game):
        return None
    return solution.best(game, seed)


def share_of_best(
    game: Game[Any], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array | None:
    """Return (B,) what plays came to, as a share of the best; None for a game without `has_best`.

    `states` are those before the first period and after each, `components` the reward components
    of each. A play that ended before the others stands still. NaN where nothing can be earned.
    """
    shares = find(game.id).share_of_best
    if shares is None or not has_best(game):
        return None
    return shares(game, states, components)


def first_state(game: Game[Any], seed: int) -> State:
    """Return the state before the first period, as plain JSON values."""
    state, _ = game.reset(seed)
    return space.to_json({field.name: state[field.name] for field in game.declaration.state})
