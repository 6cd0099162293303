"""Base classes of the foraging policies, which seek points, explore, and may vote; some notice the
harm that others do.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from bots.punishment_vote.reading import action_numbers, number_shown
from bots.punishment_vote.targets import best_targets
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import (
    Around,
    gained,
    own_window,
    place,
    seen_around,
)
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL
from mixed_company.policies.policy import Decided, Memory, Policy, Seats

Notes = dict[str, Any]
"""Values that a policy remembers: name -> (K, ...)."""

_BACK = np.array((1, 0, 3, 2))
_SIDES = np.array(((2, 3), (2, 3), (0, 1), (0, 1)))
_SIDES_FIRST = np.array((1, 2, 0))


class Foraging(Policy):
    """Base class of policies that override the worth of each kind (`worths`), votes (`vote`) or
    moves (`move`).

    Notes: `level`, the last level it saw, updated by its own votes while the level is hidden;
    `vote`, its own vote last turn; `heading`, the direction of its last move, -1 before the first
    move.
    """

    games: ClassVar[tuple[str, ...]] = ("punishment_vote",)
    version: ClassVar[str] = "2"

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.values = np.array([resource.value for resource in self.rules.resources.values()])
        self.penalties = np.array(self.rules.penalties)
        weights = self.rules.spawn_weights or {}
        self.weights = np.array([weights.get(name, 1.0) for name in self.rules.resources])

    def start(self) -> Memory:
        return {"level": self.rules.initial_level, "vote": 0, "heading": -1}

    def act_together(self, seats: Seats) -> Decided:
        notes = dict(seats.memory)
        notes["level"] = number_shown(seats, "level", notes["level"])
        around = seen_around(seats.seen, self.rules)
        votes = self.vote(seats, around, notes)
        # with simple actions a seat either votes or moves, and voting takes precedence
        walks = (votes == 0) | (self.rules.actions != "simple")
        moves = np.where(walks, self.move(seats, around, notes, walks), -1)
        if self.rules.actions != "simple":  # a vote requires a move
            moves = np.where((votes != 0) & (moves < 0), self.marking_time(around), moves)
            votes = np.where(moves < 0, 0, votes)
        notes["vote"] = votes
        notes["level"] = self.moved(notes["level"], votes)
        notes["heading"] = np.where(moves < 0, notes["heading"], moves)
        return action_numbers(self.rules, moves, votes), notes

    # -- hooks of subclasses --------------------------------------------------------------

    def worths(self, level: Array) -> Array:
        """Return the expected points (K, kinds) for collecting each kind, net of punishment."""
        return np.asarray(self.values - level[:, None] * self.penalties)

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        """Return the votes (K,): 1, -1 or 0. May change the notes."""
        return np.zeros(seats.count, dtype=np.int64)

    def move(self, seats: Seats, around: Around, notes: Notes, where: Array) -> Array:
        """Return the moves of the flagged seats, (K,): 0 .. 3, or -1 to stay. May change their
        notes."""
        worths = self.worths(notes["level"])
        where = where & self.worth_going(worths)
        moves = self.towards(around, worths, where)
        on = where & (moves < 0)
        return np.where(on, self.straight_on(seats, around, worths, notes["heading"], on), moves)

    # -- shared by all --------------------------------------------------------------------

    def moved(self, level: Array, votes: Array | int) -> Array:
        """Return the level after a vote, kept between 0 and 1."""
        return np.asarray(np.minimum(np.maximum(level + self.rules.vote_step * votes, 0.0), 1.0))

    def worth_going(self, worths: Array) -> Array:
        """Return flags (K,): whether any kind is worth collecting for the seat. Without vision, the
        question is whether an average new resource is worth collecting.
        """
        seen: Array = worths.max(axis=1) > 0
        return seen if self.rules.vision > 0 else self.worth_stepping_on(worths)

    def worth_stepping_on(self, worths: Array) -> Array:
        """Return flags (K,): whether an average new resource is worth collecting for the seat."""
        total = np.zeros(len(worths))
        for kind, weight in enumerate(self.weights.tolist()):
            total += worths[:, kind] * weight
        return np.asarray(total > 0)

    def towards(
        self, around: Around, worths: Array, where: Array, idle: Array | None = None
    ) -> Array:
        """Return flagged seats' first moves (K,) towards the most points per step; -1 if none."""
        rows, moves = np.flatnonzero(where), np.full(len(where), -1)
        idle_rows = None if idle is None else idle[rows]
        moves[rows] = best_targets(around.of(rows), worths[rows], idle_rows).move
        return moves

    def straight_on(
        self, seats: Seats, around: Around, worths: Array, heading: Array, where: Array
    ) -> Array:
        """Return moves (K,): straight on until a wall is in view or in the way, then left or right.

        Sometimes a seat turns earlier, because otherwise it would follow the walls forever. It
        turns more often if it sees neither cells nor its own position, because then it cannot tell
        whether it moves.
        """
        rows, moves = np.flatnonzero(where), np.full(len(where), -1)
        drawn = seats.draws.integers(4, where=where & (heading < 0))
        heading = np.where(heading < 0, drawn, heading)[rows]
        sides = _SIDES[heading]
        first = seats.draws.random(where=where)[rows] < 0.5
        sides = np.where(first[:, None], sides, sides[:, ::-1])
        early: Array | float = 1 / max(self.rules.height, self.rules.width)
        if self.rules.vision == 0:
            early = np.where(np.isnan(place(seats.seen)[rows, 0]), 0.3, early)
        turns = seats.draws.random(where=where)[rows] < early
        ways = np.empty((len(rows), 4), dtype=np.int64)
        ways[:, 0], ways[:, 1:3], ways[:, 3] = heading, sides, _BACK[heading]
        ways[:, :3] = np.where(turns[:, None], ways[:, _SIDES_FIRST], ways[:, :3])
        views = around.of(rows)
        free = gained(views.at(views.ahead(ways)), worths[rows]) >= 0  # no loss
        clear = free & (views.at(views.ahead(ways, around.sight)) != WALL)
        best = np.where(clear.any(axis=1), clear.argmax(axis=1), free.argmax(axis=1))
        moves[rows] = np.where(free.any(axis=1), ways[np.arange(len(rows)), best], -1)
        return moves

    def marking_time(self, around: Around) -> Array:
        """Return a move (K,) into a wall, which has no effect; failing that, to an empty cell; else
        -1.
        """
        codes = around.at(around.ahead(np.tile(np.arange(4), (len(around.codes), 1))))
        walls, empty = codes == WALL, codes == EMPTY
        onto = np.where(empty.any(axis=1), empty.argmax(axis=1), -1)
        return np.where(walls.any(axis=1), walls.argmax(axis=1), onto)


_NOTICED = 6
"""Number of cells it notices in each direction."""


class Noticing(Foraging):
    """Base class of policies that notice harm: pending harm, and harmful resources that others
    take.

    A resource counts as taken if it was nearby last turn and another seat is there now.

    Notes from last turn: `saw`, the resources around the seat (EMPTY for none); `stood`, its
    position.
    """

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.near = min(self.rules.vision, _NOTICED)
        self.harms = np.array([resource.harm for resource in self.rules.resources.values()])

    def start(self) -> Memory:
        side = 2 * self.near + 1
        saw = [[EMPTY] * side for _ in range(side)]
        return {**super().start(), "saw": saw, "stood": [0, 0]}

    def harm_noticed(self, seats: Seats, notes: Notes) -> Array:
        """Return the points of harm (K,) that the seats notice this turn, and update the notes."""
        return self.taken(seats, notes) + number_shown(seats, "pending_harm", 0.0)

    def taken(self, seats: Seats, notes: Notes) -> Array:
        """Return the harm (K,) from resources that others took nearby since last turn; update the
        notes.
        """
        near, vision, position = self.near, self.rules.vision, place(seats.seen)
        placed = ~np.isnan(position[:, 0])
        position = np.where(placed[:, None], position, 0).astype(np.int64)
        middle = slice(vision - near, vision + near + 1)
        codes = own_window(seats.seen)[:, middle, middle]
        somebody = codes >= FIRST_RESOURCE + len(self.harms)
        somebody[:, near, near] = False
        kinds = _moved(notes["saw"], position - notes["stood"]) - FIRST_RESOURCE
        harms = np.where(somebody & (kinds >= 0), self.harms[kinds], 0.0)
        felt = harms.reshape(len(position), -1).cumsum(axis=1)[:, -1]
        lies = (codes >= FIRST_RESOURCE) & (codes < FIRST_RESOURCE + len(self.harms))
        saw = np.where(lies, codes, EMPTY)
        notes["saw"] = np.where(placed[:, None, None], saw, notes["saw"])
        notes["stood"] = np.where(placed[:, None], position, notes["stood"])
        return np.where(placed, felt, 0.0)


def _moved(saw: Array, steps: Array) -> Array:
    """Return the noted cells (K, side, side) shifted by `steps` (K, 2), with EMPTY beyond them."""
    side = np.arange(saw.shape[1])
    rows, columns = (side + steps[:, axis, None] for axis in (0, 1))
    inside = ((rows >= 0) & (rows < len(side)))[:, :, None] & (
        (columns >= 0) & (columns < len(side))
    )[:, None, :]
    rows, columns = (np.clip(part, 0, len(side) - 1) for part in (rows, columns))
    plays = np.arange(len(saw))[:, None, None]
    return np.where(inside, saw[plays, rows[:, :, None], columns[:, None, :]], EMPTY)
