"""Two bounds on the gains of one grid's seats: from release times, and by a linear programme.

**Release times** assume that a seat can be anywhere in the next turn. A resource is a one-turn job,
released in the turn when it appears. The seats on its grid are machines that do one job per
turn. Doing the best released jobs in every turn is optimal: there are no deadlines, so it never
pays to wait, or to do a worse job first.

If there is a resource at the start that costs the group points, it must be collected before
anything can appear on its cell. This toll is subtracted from later resources on the cell, starting
with the earliest. Collecting any of them requires paying the entire toll, so no bound is too low.

**A flow** of seats through cells and turns is tighter. Its network has a node for each (cell,
turn), and arcs from a cell to a neighbour or to itself. Resources are divisible: the fraction that
`appeared` is the fraction of the cell that was neither occupied nor filled at the end of the turn
before. The fraction that `stays` falls only when seats arrive. With integers, these are the
rules (except for two seats that swap places); fractions allow more, so the optimum is a bound:

    maximise    sum_j worth_j (appeared_j - stays_j,T-1)
    subject to  the flow of the seats from their starts is conserved                      (1)
                stays_jt <= stays_j,t-1 (appeared_j in the turn in which it appears)      (2)
                sum_j (stays_j,t-1 - stays_jt) <= arrivals_ct                             (3)
                standing_ct + sum_j stays_jt <= 1                                         (4)
                appeared_j = 1 - standing_c,t-1 - sum_i stays_i,t-1, or 1 in turn 0       (5)

with i and j over the resources of cell c. The optimum is never above the bound from release times,
because a resource behind a toll appears only to the extent that the toll was paid. Networks over
time: Ford and Fulkerson (1958), Operations Research 6(3). The programme is solved by HiGHS (Huangfu
and Hall 2018, Mathematical Programming Computation 10), within its tolerance of 1e-7.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.tables import EMPTY, WALL, Grid, Tables
from mixed_company.engine.games.punishment_vote.turn import cell_of


@dataclass(frozen=True)
class Appearances:
    """Resources of one grid, ordered by turn. A resource appears only if its cell is empty.

    turn    (m,) turn at whose start it appears; in turn 0 its cell is certainly empty
    cell    (m,) the number of the cell
    worth   (m,) the most that all seats together can gain by collecting it, points
    starts  (k,) the cells where this grid's seats start
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

    In a lottery it is 0, because the seat may escape punishment in every draw, unless the level
    stays at 1.
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


Rows = sparse.csr_matrix


def most_by_release(offer: Appearances) -> float:
    """Return a bound, from release times, on the points of one grid's seats."""
    gains, seats = tolled(offer), offer.starts.size
    by_turn = np.split(gains, np.searchsorted(offer.turn, np.arange(1, offer.turns)))
    waiting: list[float] = []
    gained: list[float] = []
    for released in by_turn:
        for points in released[released > 0].tolist():
            heappush(waiting, -points)
        gained += [-heappop(waiting) for _ in range(min(seats, len(waiting)))]
    return float(np.sum(gained))


def tolled(offer: Appearances) -> Array:
    """Return the resources' worth less the toll before them, at least 0, shape (m,)."""
    gains = np.maximum(offer.worth, 0.0)
    toll = np.zeros(int(offer.cell.max(initial=0)) + 1)
    first = (offer.turn == 0) & (offer.worth < 0)
    toll[offer.cell[first]] = -offer.worth[first]
    behind = np.flatnonzero(toll[offer.cell] > 0)
    behind = behind[np.argsort(offer.cell[behind], kind="stable")]  # by cell, then by turn
    cell, worth = offer.cell[behind], gains[behind]
    begins = np.diff(cell, prepend=-1) > 0
    so_far = np.cumsum(worth)
    earlier = np.maximum.accumulate(np.where(begins, so_far - worth, 0.0))  # on earlier cells
    left = np.maximum(so_far - earlier - toll[cell], 0.0)
    gains[behind] = np.where(begins, left, np.diff(left, prepend=0.0))
    return gains


def most_by_flow(offer: Appearances, grid: Grid) -> float:
    """Return a bound, from a linear programme, on the points of one grid's seats.

    Raises ArithmeticError if HiGHS fails.
    """
    return _Programme(offer, grid).optimum() if offer.turn.size else 0.0


class _Programme:
    """Linear programme for one grid. Its variables are, in this order: moves, stays, appeared.

    moves     (turns, arcs) seats that go along an arc in a turn
    stays     for each resource j (`of`) and each turn t (`when`) from its own turn on
    appeared  for each resource j
    """

    def __init__(self, offer: Appearances, grid: Grid) -> None:
        number = np.full(grid.cells, -1)  # index of a cell among those inside the walls
        number[grid.inside] = np.arange(grid.inside.size)
        self.offer, self.turns, self.cells = offer, offer.turns, grid.inside.size
        self.cell, self.starts = number[offer.cell], number[offer.starts]
        leads = number[grid.inside[:, None] + np.array((0, *grid.steps))]
        arcs = np.argwhere(leads >= 0)
        self.tail, self.head = arcs[:, 0], leads[leads >= 0]
        self.moves = np.arange(self.turns * self.tail.size)

        lasts = self.turns - offer.turn
        self.of = np.repeat(np.arange(offer.turn.size), lasts)
        begin = np.cumsum(lasts) - lasts
        self.when = np.arange(self.of.size) - begin[self.of] + offer.turn[self.of]
        self.stays = self.moves.size + np.arange(self.of.size)
        self.appeared = self.moves.size + self.of.size + np.arange(offer.turn.size)
        self.variables = self.moves.size + self.of.size + offer.turn.size
        new = self.when == offer.turn[self.of]
        self.stayed = np.where(new, self.appeared[self.of], self.stays - 1)

    def optimum(self) -> float:
        """Return the largest value of the objective, in points."""
        last = self.when == self.turns - 1
        costs = np.zeros(self.variables)
        costs[self.stays[last]] = self.offer.worth[self.of[last]]
        costs[self.appeared] = -self.offer.worth
        bounds = np.zeros((self.variables, 2))
        bounds[:, 1] = 1.0
        bounds[self.appeared[self.offer.turn == 0], 0] = 1.0
        falls, limits = self._at_most()
        flows, sums = self._equal()
        solved: Any = linprog(  # type: ignore[call-overload]
            costs, falls, limits, flows, sums, bounds, method="highs-ipm"
        )
        if solved.x is None:
            raise ArithmeticError(f"flow bound: HiGHS failed: {solved.message}")
        return float(-solved.fun)

    def _at_most(self) -> tuple[Rows, Array]:
        """Return rows (2), (3) and (4), and their upper bounds."""
        number = np.arange(self.of.size)
        fall = self._rows(number, self.stays) - self._rows(number, self.stayed)
        spots, spot = np.unique(self._spot(self.when, self.cell[self.of]), return_inverse=True)
        stays, stayed = self._rows(spot, self.stays), self._rows(spot, self.stayed)
        collected = stayed - stays - self._into(self.tail != self.head)[spots]
        limits = np.repeat([0.0, 0.0, 1.0], [number.size, spots.size, spots.size])
        return sparse.vstack([fall, collected, self._into()[spots] + stays], "csr"), limits

    def _equal(self) -> tuple[Rows, Array]:
        """Return the rows (1) and (5), and their values."""
        turn, arc = np.divmod(self.moves, self.tail.size)
        leave = self._rows(self._spot(turn, self.tail[arc]), self.moves, self._spots)
        shifted = sparse.eye(self._spots, k=-self.cells)  # by one turn
        flow = leave - shifted @ self._into()
        begin = np.bincount(self.starts, minlength=self._spots)

        later = np.flatnonzero(self.offer.turn > 0)
        before = self._spot(self.offer.turn[later] - 1, self.cell[later])
        spot = self._spot(self.when, self.cell[self.of])
        filled = self._rows(spot, self.stays, self._spots) + self._into()
        appear = self._rows(np.arange(later.size), self.appeared[later]) + filled[before]
        return sparse.vstack([flow, appear], "csr"), np.append(begin, np.ones(later.size))

    @property
    def _spots(self) -> int:
        return self.turns * self.cells

    def _spot(self, turn: Array, cell: Array) -> Array:
        """Return the number of a spot, which is a cell in a turn."""
        return np.asarray(turn * self.cells + cell)

    def _into(self, arcs: Array | None = None) -> Rows:
        """Return rows that add up arrivals at each spot, along `arcs` or all, (spots,
        variables)."""
        turn, arc = np.divmod(self.moves, self.tail.size)
        some = slice(None) if arcs is None else arcs[arc]
        spot = self._spot(turn, self.head[arc])
        return self._rows(spot[some], self.moves[some], self._spots)

    def _rows(self, row: Array, variable: Array, count: int | None = None) -> Rows:
        """Return a matrix whose rows add up variables; `row` is each variable's row."""
        high = int(row.max(initial=-1)) + 1 if count is None else count
        return Rows((np.ones(row.size), (row, variable)), (high, self.variables))
