"""Random legal plays for the conformance kit, and comparison of arrays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from mixed_company.engine.contract import space
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game, Outcome

AnyGame = Game[Any]
SEEDS = (0, 1, 20_261)
PERIODS = 25


def actions_for(game: AnyGame, state: Arrays, seed: int, number: int) -> dict[str, Array]:
    """Return random actions that the state allows; `number` selects the draw."""
    generator = np.random.default_rng((seed, number))
    return game.allowed(state).sample(generator)


def chance_now(game: AnyGame, seed: Any, state: Arrays) -> Arrays:
    """Return the current period's random arrays."""
    return game.draw_chance(seed, state["period"])


def is_anonymous(game: AnyGame) -> bool:
    """Return whether seats are anonymous, which excludes layers and sequential decisions."""
    return game.peers is not None and game.peers.shuffles


def first_stages(game: AnyGame, seed: int = 0) -> Iterator[Arrays]:
    """Yield the state before each stage of the first period of a random play."""
    state, _ = game.reset(seed)
    for number in range(len(game.stages.names)):
        yield state
        actions = actions_for(game, state, seed, number)
        state, _ = game.step(state, actions, chance_now(game, seed, state))


def so_far(game: AnyGame, state: Arrays, chance: Arrays) -> Arrays:
    """Return the state as it would be if the period ended after the stages played so far."""
    if not game.stages.several or not state["stage"]:
        return state
    return {**game.so_far(state, chance), **game.stages.initial((), game.seats)}


def walk(
    game: AnyGame, seed: int, periods: int = PERIODS
) -> Iterator[tuple[Arrays, Arrays, Outcome]]:
    """Yield (state before, state after, outcome) of each step of a random play."""
    state, _ = game.reset(seed)
    for number in range(min(periods, game.steps)):
        actions = actions_for(game, state, seed, number)
        after, outcome = game.step(state, actions, chance_now(game, seed, state))
        yield state, after, outcome
        if outcome.done:
            return
        state = after


@lru_cache(maxsize=16)
def walked(
    game: AnyGame, seed: int, periods: int = PERIODS
) -> tuple[tuple[Arrays, Arrays, Outcome], ...]:
    """Return the steps of `walk`, cached for all checks that do not modify them."""
    return tuple(walk(game, seed, periods))


def against(
    game: AnyGame, layout: tuple[Field, ...], arrays: Arrays, where: str, per_seat: bool = False
) -> list[str]:
    """Return the faults of one play's arrays, compared with a layout."""
    problems = []
    if set(arrays) != {field.name for field in layout}:
        problems.append(
            f"{where}: fields {sorted(arrays)}, declared {sorted(f.name for f in layout)}"
        )
    for field in layout:
        if field.name not in arrays:
            continue
        value = np.asarray(arrays[field.name])
        seats = (game.seats,) if per_seat or field.visibility == "private" else ()
        if value.shape != seats + field.shape:
            problems.append(f"{where}: {field.name} has shape {value.shape}")
        if value.dtype != np.dtype(field.dtype):
            problems.append(f"{where}: {field.name} is {value.dtype}, declared {field.kind}")
        hidden = np.isnan(value) if value.dtype.kind == "f" else np.zeros(value.shape, bool)
        if hidden.any() and not field.maskable:
            problems.append(f"{where}: {field.name} is NaN but not maskable")
        slack = 1e-9 * max(1.0, abs(field.high) if np.isfinite(field.high) else 1.0)
        shown = value[~hidden]
        if shown.size and (shown.min() < field.low - slack or shown.max() > field.high + slack):
            problems.append(f"{where}: {field.name} leaves {field.low} .. {field.high}")
    return problems


def outcome_json(outcome: Outcome) -> str:
    parts = (outcome.observations, outcome.components, {"rewards": outcome.rewards})
    return json.dumps([space.to_json(part) for part in parts])


def copied(arrays: Arrays) -> dict[str, Array]:
    return {name: np.array(value) for name, value in arrays.items()}


def equal(a: Arrays, b: Arrays) -> bool:
    return set(a) == set(b) and all(_same(np.asarray(a[name]), np.asarray(b[name])) for name in a)


def _same(a: Array, b: Array) -> bool:
    if a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes():
        return True  # the usual case, and the fastest test
    return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")


def picked(arrays: Arrays, play: int) -> dict[str, Array]:
    return {name: value[play] for name, value in arrays.items()}
