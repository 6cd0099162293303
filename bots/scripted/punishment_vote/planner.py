from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around, best_target, gains, own_window, place
from bots.scripted.punishment_vote.remembering import Map, Notebook
from engine.contract.config import Core


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

    def move(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int | None:
        at = place(observation)
        if at is None:
            return super().move(observation, around, notes, rng)
        turn = int(observation["period"])
        visible = self.book.visible(own_window(observation), at)
        oldest = turn - self.own["memory"]
        notes["seen"] = self.book.noted(notes["seen"], visible, at, turn, oldest)
        notes["been"] = self.book.looked(notes["been"], at, turn)
        worths = self.worths(notes["level"])
        if not self.worth_going(worths):
            return None
        known = self.book.drawn(notes["seen"], visible, at)
        field = gains(known.codes, worths)
        self.trust(field, known, notes["seen"], turn)
        self.share(field, known, at)
        target = best_target(field, known.width, known.cell(*at) or 0)
        if target is not None:
            return target.move
        nearby = gains(around.codes, worths)
        for way in self.ways(at, self.book.longest_unseen(notes["been"], at, turn)):
            if self.free(around, nearby, way):
                return way
        return self.straight_on(around, nearby, notes["heading"], False, rng)

    def ways(self, at: tuple[int, int], there: tuple[int, int]) -> list[int]:
        """The moves that lead nearer, where it has further to go first."""
        down, across = there[0] - at[0], there[1] - at[1]
        ways = [(abs(down), int(down > 0)), (abs(across), 2 + int(across > 0))]
        return [way for far, way in sorted(ways, reverse=True) if far]

    def trust(
        self, field: list[float | None], known: Map, seen: dict[str, list[int]], turn: int
    ) -> None:
        """Makes worth less what was seen long ago."""
        for key, (_, when) in seen.items():
            row, column = map(int, key.split())
            cell = known.cell(row, column) if when < turn else None
            gain = None if cell is None else field[cell]
            if cell is not None and gain is not None and gain > 0:
                field[cell] = gain * (1.0 - self.own["doubt"]) ** (turn - when)

    def share(self, field: list[float | None], known: Map, at: tuple[int, int]) -> None:
        """Makes nothing worth what another seat in view is nearer to, and half what both are."""
        seats = [cell for cell, code in enumerate(known.codes) if code >= self.book.first_seat]
        rivals = [known.place(cell) for cell in seats if known.place(cell) != at]
        if not rivals:
            return
        for cell, gain in enumerate(field):
            if gain is not None and gain > 0:
                row, column = known.place(cell)
                own = abs(row - at[0]) + abs(column - at[1])
                other = min(abs(row - r) + abs(column - c) for r, c in rivals)
                field[cell] = gain * (0.0 if other < own else 0.5 if other == own else 1.0)
