"""Helpers that set up and play the punishment vote in tests.

A board is written as rows: `#` is a wall, `.` is empty, a letter is a resource, a digit a seat.
Nothing spawns on it unless a test sets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from mixed_company import engine

UP, DOWN, LEFT, RIGHT, MORE, LESS, NOOP = range(7)
KINDS = "ABCDE"
TIMINGS = ["simultaneous", "sequential"]
RULES = {"spawn_probability": 0.0, "initial_resources": 0}
SOURCE = {
    "seats": 3,
    "turns": 100,
    "height": 10,
    "width": 10,
    "vision": 2,
    "map_memory": False,
    "actions": "simple",
    "timing": "simultaneous",
    "views": "own",
    "worlds": "shared",
    "resources": {
        "A": {"value": 3.0, "harm": 0.5},
        "B": {"value": 7.0, "harm": 1.0},
        "C": {"value": 2.0, "harm": 0.3},
        "D": {"value": -2.0, "harm": 1.5},
        "E": {"value": 1.0, "harm": 0.1},
    },
    "initial_resources": 15,
    "spawn_probability": 0.05,
    "spawn_weights": {"A": 1.0, "B": 1.0, "C": 1.0, "D": 1.0, "E": 1.0},
    "taboo": ["A", "B", "C", "D", "E"],
    "initial_level": 0.1,
    "vote_step": 0.2,
    "vote_cost": 0.1,
    "magnitude": 10.0,
    "punishment": "expected",
}
"""Parameters of the source."""

State = dict[str, Any]
Rows = Sequence[str]


def votes(**core: Any) -> engine.Game[Any]:
    return engine.make("punishment_vote", **core)


def core_of(game: engine.Game[Any]) -> Any:
    """Return a game's parameters in the form used in its configuration."""
    return game.config.model_dump(mode="json")["core"]


def board(*rows: str, **core: Any) -> tuple[engine.Game[Any], State]:
    """Return a game whose grid looks like these rows, and its state."""
    return boards(rows, **core)


def three(kinds: str, **core: Any) -> tuple[engine.Game[Any], State]:
    """Return a game with three seats, each with a resource or an empty cell to its right.

    The level is 0.5, and the numbers are those of `source`: A is worth 3 and harms by 0.5, B 7 and
    1, C 2 and 0.3, D -2 and 1.5, E 1 and 0.1. A punishment is 10 times the level, and a vote costs
    0.1. Votes move the level by 0.25 here, which is exact in binary.
    """
    rows = [f"#{seat}{kind}#" for seat, kind in enumerate(kinds)]
    return board("####", *rows, "####", **{"vote_step": 0.25, **core})


def lane(cells: str, **core: Any) -> tuple[engine.Game[Any], State]:
    """Return a board with one row of cells inside walls."""
    edge = "#" * (len(cells) + 2)
    return board(edge, f"#{cells}#", edge, **core)


def boards(*grids: Rows, level: float = 0.5, **core: Any) -> tuple[engine.Game[Any], State]:
    """Return one grid for all seats, or one per seat in separate worlds."""
    seats = sum(cell.isdigit() for rows in grids for row in rows for cell in row)
    size = {"height": len(grids[0]), "width": len(grids[0][0])}
    worlds = "separate" if len(grids) > 1 else "shared"
    game = votes(**{"worlds": worlds, "seats": seats, **size, **RULES, **core})
    signs = signs_of(game)
    state: State = dict(game.reset(0)[0])
    codes = [[[signs.index(cell) for cell in row] for row in rows] for rows in grids]
    state["grid"] = np.array(codes, dtype=np.int8)
    places = {
        int(cell): (row, column)
        for rows in grids
        for row, line in enumerate(rows)
        for column, cell in enumerate(line)
        if cell.isdigit()
    }
    state["row"], state["column"] = np.array([places[seat] for seat in range(seats)]).T
    state["level"] = np.array(level)
    if game.core.map_memory:
        state["remembered"] = np.zeros_like(state["remembered"])
        state["last_seen"] = np.full_like(state["last_seen"], -1)
    return game, state


def signs_of(game: engine.Game[Any]) -> str:
    """Return the letters for the codes 0, 1, 2, ..."""
    return ".#" + "".join(game.core.resources) + "".join(map(str, range(game.seats)))


def picture(game: engine.Game[Any], codes: Any) -> list[str]:
    """Return the rows of a grid of codes as strings."""
    signs = signs_of(game)
    return ["".join(signs[code] for code in row) for row in np.asarray(codes).tolist()]


def grid_of(game: engine.Game[Any], state: Any, world: int = 0) -> list[str]:
    return picture(game, state["grid"][world])


def lane_of(game: engine.Game[Any], state: Any) -> str:
    """Return the cells of a lane."""
    return grid_of(game, state)[1][1:-1]


def window_of(game: engine.Game[Any], window: Any) -> list[str]:
    """Return the rows of a one-hot window; every cell has exactly one code."""
    assert (window.sum(axis=-1) == 1).all()
    return picture(game, window.argmax(axis=-1))


def turn(
    game: engine.Game[Any], state: Any, *actions: int, order: Any = None, seed: int = 0
) -> tuple[State, Any]:
    """Play a turn, and return the next state and the outcome. `order` replaces the drawn order of
    moves.
    """
    chance = dict(game.draw_chance(seed, int(state["period"])))
    if order is not None:
        chance["order"] = np.array(order)
    after, outcome = game.step(state, {"action": list(actions)}, chance)
    return dict(after), outcome


def parts(outcome: Any, name: str) -> list[float]:
    """Return a component, rounded so that it can be compared with a hand calculation."""
    return [round(value, 9) for value in outcome.components[name].tolist()]


def many(state: Any, count: int) -> State:
    """Return the same state in a batch of plays."""
    return {
        name: np.repeat(np.asarray(value)[None], count, axis=0) for name, value in state.items()
    }


def turn_of_many(
    game: engine.Game[Any], state: Any, actions: Sequence[int], count: int, period: int = 0
) -> tuple[State, Any]:
    """Play the same turn in plays with the seeds 0 to count - 1."""
    batch = many(state, count)
    batch["period"] = np.full(count, period)
    sent = {"action": np.tile(np.array(actions), (count, 1))}
    after, outcome = game.step(batch, sent, game.draw_chance(np.arange(count), period))
    return dict(after), outcome


def after_noops(game, state):
    """Return the observations after a turn without actions."""
    return turn(game, state, *[NOOP] * game.seats)[1].observations
