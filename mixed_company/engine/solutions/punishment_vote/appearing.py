"""Resources in a play of the punishment vote: their cells, turns and worth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, WALL, Tables
from mixed_company.engine.games.punishment_vote.turn import cell_of


@dataclass(frozen=True)
class Appearances:
    """Resources of one grid, ordered by turn. A resource appears only if its cell is empty.

    turn    (m,) turn at whose start it appears; in turn 0 its cell is certainly empty
    cell    (m,) the number of the cell
    worth   (m,) the most that all seats together can gain by collecting it, points
    starts  (k,) the cells on which the seats of this grid start
    turns   number of turns
    """

    turn: Array
    cell: Array
    worth: Array
    starts: Array
    turns: int


def appearances(game: Game[VoteCore], seed: int) -> list[Appearances]:
    """Return the resources that appear in the play with this seed, one Appearances per grid."""
    tables, gains = Tables(game.core), worth(game)
    grids, turns, cells, points = [], [], [], []
    for number, codes in enumerate(_by_turn(game, seed)):
        grid, cell = np.nonzero(tables.kind_of[codes])
        grids.append(grid)
        turns.append(np.full(grid.size, number))
        cells.append(cell)
        points.append(gains[codes[grid, cell]])
    grid, turn, cell, gained = map(np.concatenate, (grids, turns, cells, points))
    starts = cell_of(tables, game.reset(seed)[0]).reshape(tables.grids, -1)
    return [
        Appearances(turn[mask], cell[mask], gained[mask], start, game.horizon)
        for mask, start in ((grid == number, start) for number, start in enumerate(starts))
    ]


def worth(game: Game[VoteCore]) -> Array:
    """Return the most that all seats together gain from collecting, by cell code, (codes,).

    This is its value, less the harm to all others and the punishment at `least_level`; 0 for no
    resource.
    """
    tables = Tables(game.core)
    harm = (game.seats - 1) * tables.harm_of
    gains = tables.value_of - harm - tables.penalty_of * least_level(game)
    return np.asarray(gains[tables.kind_of])


def least_level(game: Game[VoteCore]) -> float:
    """Return the lowest punishment level, 0 to 1, if all votes of a play lower it.

    In a lottery it is 0, because every draw may spare the seat, unless the level always stays at 1.
    """
    weights = np.ones(game.seats) if game.weights is None else game.weights
    # simultaneous: punished at the initial level of the turn; sequential: at the current level
    turns = game.horizon - (game.core.timing == "simultaneous")
    moved = float(game.ends("vote_step")[1] * weights.sum() * turns)
    least = max(0.0, game.core.initial_level - moved)
    return least if game.core.punishment == "expected" or least == 1.0 else 0.0


def _by_turn(game: Game[VoteCore], seed: int) -> Iterator[Array]:
    """Yield for each turn (grids, cells) the codes that appear on empty cells; walls are empty."""
    grid = game.reset(seed)[0]["grid"]
    for turn in range(game.horizon):
        codes = game.draw_chance(seed, turn)["spawned"]
        if turn == 0:
            codes = np.where(grid == EMPTY, codes, grid)
        yield np.where(grid == WALL, EMPTY, codes).reshape(len(grid), -1)
