from __future__ import annotations

from typing import Any

import numpy as np

from bots.punishment_vote.foraging import Foraging
from bots.punishment_vote.reading import action_numbers, known
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
    """Remembers what it saw and where, goes for the most per step on that map, and never votes.

    It forgets what it sees is gone and what is older than `memory` turns, trusts what it remembers
    less by the share `doubt` per turn, leaves what another seat in view is nearer to, and where it
    knows of nothing, looks where it has not looked for longest. It needs its row and column;
    without them it forages by the window alone.
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
        at = place(seats.seen)[0]
        if np.isnan(at[0]):
            action, notes = super().act(observation, plain, rng)
            return action, {**memory, **notes}
        level = float(known(seats, "level", memory["level"])[0])
        notes = {**memory, "level": float(self.moved(np.array(level), 0))}
        move = self.move_from((int(at[0]), int(at[1])), level, seats, notes)
        notes["heading"] = notes["heading"] if move < 0 else move
        action = action_numbers(self.rules, np.array([move]), np.array([0]))
        return {name: float(number[0]) for name, number in action.items()}, notes

    def move_from(self, at: tuple[int, int], level: float, seats: Seats, notes: Memory) -> int:
        """0 .. 3, or -1 to stay. Changes what it saw."""
        turn = int(seats.period[0])
        visible = self.book.visible(own_window(seats.seen)[0], at)
        oldest = turn - self.own["memory"]
        notes["seen"] = self.book.noted(notes["seen"], visible, at, turn, oldest)
        notes["been"] = self.book.looked(notes["been"], at, turn)
        worths = self.worths(np.array([level]))
        if not self.worth_going(worths)[0]:
            return -1
        drawn = self.book.drawn(notes["seen"], visible, at)
        around = Around(np.array([drawn.codes]), drawn.width, drawn.cell(*at) or 0, 1)
        field = gains(around, worths)[0].tolist()
        self.trust(field, drawn, notes["seen"], turn)
        self.share(field, drawn, at)
        target = best_target(field, drawn.width, around.here)
        return self.exploring(at, turn, seats, notes) if target is None else target.move

    def exploring(self, at: tuple[int, int], turn: int, seats: Seats, notes: Memory) -> int:
        """Towards where it has not looked for longest, else straight on."""
        around = seen_around(seats.seen, self.rules)
        worths = self.worths(known(seats, "level", notes["level"]))
        gain = gains(around, worths)
        for way in self.ways(at, self.book.longest_unseen(notes["been"], at, turn)):
            if gain[0, around.ahead(np.array(way))] >= 0:
                return way
        heading, where = np.array([notes["heading"]]), np.array([True])
        return int(self.straight_on(seats, around, worths, heading, where)[0])

    def ways(self, at: tuple[int, int], there: tuple[int, int]) -> list[int]:
        """The moves that lead nearer, where it has further to go first."""
        down, across = there[0] - at[0], there[1] - at[1]
        ways = [(abs(down), int(down > 0)), (abs(across), 2 + int(across > 0))]
        return [way for far, way in sorted(ways, reverse=True) if far]

    def trust(self, field: list[float], drawn: Map, seen: dict[str, Any], turn: int) -> None:
        """Makes worth less what was seen long ago."""
        for key, (_, when) in seen.items():
            row, column = map(int, key.split())
            cell = drawn.cell(row, column) if when < turn else None
            if cell is not None and field[cell] > 0:
                field[cell] *= (1.0 - self.own["doubt"]) ** (turn - when)

    def share(self, field: list[float], drawn: Map, at: tuple[int, int]) -> None:
        """Makes nothing worth what another seat in view is nearer to, and half what both are."""
        seats = [cell for cell, code in enumerate(drawn.codes) if code >= self.book.first_seat]
        rivals = [drawn.place(cell) for cell in seats if drawn.place(cell) != at]
        if not rivals:
            return
        for cell, gain in enumerate(field):
            if gain > 0:
                row, column = drawn.place(cell)
                own = abs(row - at[0]) + abs(column - at[1])
                other = min(abs(row - r) + abs(column - c) for r, c in rivals)
                field[cell] = gain * (0.0 if other < own else 0.5 if other == own else 1.0)
