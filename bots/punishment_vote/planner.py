from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

import numpy as np

from bots.punishment_vote.foraging import Foraging
from bots.punishment_vote.reading import action_numbers, number_shown
from bots.punishment_vote.targets import best_target
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote import VoteCore
from mixed_company.engine.games.punishment_vote.sight import (
    Around,
    gains,
    own_window,
    place,
    seen_around,
)
from mixed_company.engine.games.punishment_vote.tables import EMPTY, FIRST_RESOURCE, WALL
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Action, Memory, Observation, Range, Seats

_REACH = 15
_MOST = 100
"""Maximum number of remembered resources. `_REACH` is how far a map extends in each direction.

Both are limited because a decision may take at most 2 ms, and notes are copied every turn.
"""


class Map(NamedTuple):
    """Codes of the cells around a seat, row by row; the edge cells are walls."""

    codes: list[int]
    width: int
    top: int
    left: int

    def cell(self, row: int, column: int) -> int | None:
        """Return the index of a cell on this map; None if it is outside."""
        down, across = row - self.top, column - self.left
        inside = 0 <= across < self.width and 0 <= down < len(self.codes) // self.width
        return down * self.width + across if inside else None

    def place(self, cell: int) -> tuple[int, int]:
        """Return the row and column of a cell on the grid."""
        return self.top + cell // self.width, self.left + cell % self.width


class Notebook:
    """Notes of a seat under one configuration: how to update them, and how to draw a map.

    `seen`: "row column" -> [code, turn]. `been`: the turn in which each lookout was last in view.
    Lookouts are cells that together give a view of the entire grid.
    """

    def __init__(self, core: VoteCore) -> None:
        self.sight = core.vision
        self.shape = (core.height, core.width)
        self.first_seat = FIRST_RESOURCE + len(core.resources)
        side = max(2 * self.sight + 1, 5)
        rows, columns = (_lookouts(length - 2, side) for length in self.shape)
        self.lookouts = [(row, column) for row in rows for column in columns]

    def frame(self, position: tuple[int, int], reach: int) -> tuple[int, int, int, int]:
        """Return the range of rows and columns within reach, as (first, end, first, end)."""
        (row, column), (height, width) = position, self.shape
        rows = max(row - reach, 0), min(row + reach + 1, height)
        return *rows, max(column - reach, 0), min(column + reach + 1, width)

    def visible(self, window: Array, position: tuple[int, int]) -> Array:
        """Return the part of a window that is on the grid."""
        top, bottom, left, right = self.frame(position, self.sight)
        row, column = position[0] - self.sight, position[1] - self.sight
        return window[top - row : bottom - row, left - column : right - column]

    def noted(
        self,
        seen: Mapping[str, Any],
        visible: Array,
        position: tuple[int, int],
        turn: int,
        oldest: float,
    ) -> dict[str, list[int]]:
        """Return `seen` after replacing cells in view and dropping entries older than `oldest`."""
        top, bottom, left, right = self.frame(position, self.sight)
        kept = {}
        for key, (code, when) in seen.items():
            row, column = map(int, key.split())
            if when >= oldest and not (top <= row < bottom and left <= column < right):
                kept[key] = [code, when]
        where = np.nonzero((visible >= FIRST_RESOURCE) & (visible < self.first_seat))
        cells = zip(*(array.tolist() for array in (*where, visible[where])), strict=True)
        kept |= {f"{top + row} {left + column}": [code, turn] for row, column, code in cells}
        return dict(list(kept.items())[-_MOST:])

    def drawn(self, seen: Mapping[str, Any], visible: Array, position: tuple[int, int]) -> Map:
        """Return the map: each cell as it is seen now, else as remembered, else empty."""
        top, bottom, left, right = self.frame(position, _REACH)
        section = np.full((bottom - top, right - left), EMPTY)
        for key, (code, _) in seen.items():
            row, column = map(int, key.split())
            if top <= row < bottom and left <= column < right:
                section[row - top, column - left] = code
        row, after, column, beyond = self.frame(position, self.sight)
        section[row - top : after - top, column - left : beyond - left] = visible
        section[[0, -1]] = WALL
        section[:, [0, -1]] = WALL
        return Map(section.ravel().tolist(), right - left, top, left)

    def looked(self, been: list[int], position: tuple[int, int], turn: int) -> list[int]:
        """Return `been` with this turn for each lookout in view."""
        top, bottom, left, right = self.frame(position, self.sight)
        return [
            turn if top <= row < bottom and left <= column < right else when
            for (row, column), when in zip(self.lookouts, been, strict=True)
        ]

    def longest_unseen(
        self, been: list[int], position: tuple[int, int], turn: int
    ) -> tuple[int, int]:
        """Return the row and column of the lookout with the most turns out of view per step of
        distance.
        """

        def due(number: int) -> float:
            row, column = self.lookouts[number]
            return (turn - been[number]) / (abs(row - position[0]) + abs(column - position[1]) + 1)

        return self.lookouts[max(range(len(been)), key=due)]


def _lookouts(length: int, side: int) -> list[int]:
    """Divide a length into the fewest equal parts that each fit in a window; return their
    midpoints.
    """
    parts = ceil(length / side)
    return [1 + (2 * part + 1) * length // (2 * parts) for part in range(parts)]


class Planner(Foraging):
    """Maps the resources it has seen, seeks the most points per step on this map, and never votes.

    It forgets a resource if it sees that the resource is gone, or last saw it more than `memory`
    turns ago. The value of a remembered resource falls by the share `doubt` each turn. It gives up
    targets that are nearer to another seat in view. Without a target, it goes to the place that has
    been out of view longest. It needs to see its row and column; otherwise it forages using only
    the cells in view.
    """

    id = "planner"
    source = "ours, after cognitive maps: Tolman (1948), Psychological Review 55(4)"
    parameters = {"memory": Range(30, 0, 10_000), "doubt": Range(0.03, 0.0, 1.0)}

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.book = Notebook(self.rules)

    def start(self) -> Memory:
        been = [-max(self.rules.height, self.rules.width)] * len(self.book.lookouts)
        return {**super().start(), "seen": {}, "been": been}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        plain = {name: memory[name] for name in super().start()}
        seats = Seats.one(observation, plain, Draws.of(rng))
        position = place(seats.seen)[0]
        if np.isnan(position[0]):
            action, notes = super().act(observation, plain, rng)
            return action, {**memory, **notes}
        level = float(number_shown(seats, "level", memory["level"])[0])
        notes = {**memory, "level": float(self.moved(np.array(level), 0))}
        move = self.move_from((int(position[0]), int(position[1])), level, seats, notes)
        notes["heading"] = notes["heading"] if move < 0 else move
        action = action_numbers(self.rules, np.array([move]), np.array([0]))
        return {name: float(number[0]) for name, number in action.items()}, notes

    def move_from(
        self, position: tuple[int, int], level: float, seats: Seats, notes: Memory
    ) -> int:
        """Return a move 0 .. 3, or -1 to stay, and update the notes."""
        turn = int(seats.period[0])
        visible = self.book.visible(own_window(seats.seen)[0], position)
        oldest = turn - self.settings["memory"]
        notes["seen"] = self.book.noted(notes["seen"], visible, position, turn, oldest)
        notes["been"] = self.book.looked(notes["been"], position, turn)
        worths = self.worths(np.array([level]))
        if not self.worth_going(worths)[0]:
            return -1
        drawn = self.book.drawn(notes["seen"], visible, position)
        around = Around(np.array([drawn.codes]), drawn.width, drawn.cell(*position) or 0, 1)
        field = gains(around, worths)[0].tolist()
        self.trust(field, drawn, notes["seen"], turn)
        self.share(field, drawn, position)
        target = best_target(field, drawn.width, around.here)
        return self.exploring(position, turn, seats, notes) if target is None else target.move

    def exploring(self, position: tuple[int, int], turn: int, seats: Seats, notes: Memory) -> int:
        """Return a move towards the place that has been out of view longest, or straight on."""
        around = seen_around(seats.seen, self.rules)
        worths = self.worths(number_shown(seats, "level", notes["level"]))
        gain = gains(around, worths)
        for way in self.ways(position, self.book.longest_unseen(notes["been"], position, turn)):
            if gain[0, around.ahead(np.array(way))] >= 0:
                return way
        heading, where = np.array([notes["heading"]]), np.array([True])
        return int(self.straight_on(seats, around, worths, heading, where)[0])

    def ways(self, position: tuple[int, int], goal: tuple[int, int]) -> list[int]:
        """Return the moves that bring the seat closer to the goal; the longer axis comes first."""
        down, across = goal[0] - position[0], goal[1] - position[1]
        ways = [(abs(down), int(down > 0)), (abs(across), 2 + int(across > 0))]
        return [way for far, way in sorted(ways, reverse=True) if far]

    def trust(self, field: list[float], drawn: Map, seen: dict[str, Any], turn: int) -> None:
        """Discount the worth of cells seen long ago, in place."""
        for key, (_, when) in seen.items():
            row, column = map(int, key.split())
            cell = drawn.cell(row, column) if when < turn else None
            if cell is not None and field[cell] > 0:
                field[cell] *= (1.0 - self.settings["doubt"]) ** (turn - when)

    def share(self, field: list[float], drawn: Map, position: tuple[int, int]) -> None:
        """Set the worth of cells closer to another visible seat to 0; halve it in a tie."""
        seats = [cell for cell, code in enumerate(drawn.codes) if code >= self.book.first_seat]
        rivals = [drawn.place(cell) for cell in seats if drawn.place(cell) != position]
        if not rivals:
            return
        for cell, gain in enumerate(field):
            if gain > 0:
                row, column = drawn.place(cell)
                distance = abs(row - position[0]) + abs(column - position[1])
                nearest = min(abs(row - r) + abs(column - c) for r, c in rivals)
                field[cell] = gain * (
                    0.0 if nearest < distance else 0.5 if nearest == distance else 1.0
                )
