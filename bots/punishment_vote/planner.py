from __future__ import annotations

from typing import Any

import numpy as np

from bots.punishment_vote.foraging import Foraging
from bots.punishment_vote.reading import action_numbers, number_shown
from bots.punishment_vote.remembering import Map, Notebook
from bots.punishment_vote.targets import best_target
from mixed_company.engine.contract.config import Core
from mixed_company.engine.games.punishment_vote.sight import (
    Around,
    gains,
    own_window,
    place,
    seen_around,
)
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import Action, Memory, Observation, Range, Seats


class Planner(Foraging):
    """Maps the resources it has seen, seeks the most points per step on this map, and never votes.

    It forgets a resource if it sees that the resource is gone, or last saw it more than `memory`
    turns ago. The value of a remembered resource falls by the share `doubt` each turn. It leaves
    targets to which another seat in view is nearer. Without a target it goes to the place that has
    been out of view longest. It needs its row and column; without them it forages using only the
    cells in view.
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
