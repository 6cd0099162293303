from __future__ import annotations

import numpy as np

from bots.policy import Memory, Observation, Range
from bots.scripted.punishment_vote.foraging import Foraging
from bots.scripted.punishment_vote.reading import Around, Target, best_target, gains
from engine.games.punishment_vote.tables import FIRST_RESOURCE


class Opportunist(Foraging):
    """Forages, votes the level down before it takes something taboo in reach, and up afterwards.

    Up as often as it voted down, and once at least; down `patience` times at most, which is what
    it counts on when it heads for something taboo. `owed`: votes up still to come.
    """

    id = "opportunist"
    source = "ours, after self-interest seeking with guile: Williamson (1985)"
    parameters = {"reach": Range(2, 1, 20), "patience": Range(3, 1, 100)}

    def start(self) -> Memory:
        return {**super().start(), "owed": 0}

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        level, owed = notes["level"], notes["owed"]
        prey = self.prey(around)
        if prey is None:
            notes["owed"] = owed if level < 1 else 0
            vote = int(notes["owed"] > 0)
        else:
            vote = -int(self.hoped(notes) < level and not self.takes_at_once(prey, around, level))
        notes["owed"] -= vote
        return vote

    def move(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int | None:
        level, hoped = notes["level"], self.hoped(notes)
        move = super().move(observation, around, {**notes, "level": hoped}, rng)
        kind = -1 if move is None else around.codes[around.ahead(move)] - FIRST_RESOURCE
        if kind >= 0 and self.penalties[kind]:
            if hoped < level and self.worths(level)[kind] <= 0:
                return None  # not yet
            notes["owed"] = max(notes["owed"], 1)
        return move

    def hoped(self, notes: Memory) -> float:
        """The level after all votes it is still ready to cast, if one saves more than it costs."""
        level: float = notes["level"]
        saved = self.rules.magnitude * (level - self.moved(level, -1))
        left = max(0.0, self.own["patience"] - notes["owed"])
        if saved <= self.rules.vote_cost:
            return level
        return float(max(0.0, level - left * self.rules.vote_step))

    def prey(self, around: Around) -> Target | None:
        """The best of what is in reach, taboo, and would be worth it unpunished."""
        pairs = zip(self.values, self.penalties, strict=True)
        worths = [value if penalty or value < 0 else 0.0 for value, penalty in pairs]
        field = gains(around.codes, worths)
        row, column = divmod(around.here, around.width)
        for cell, gain in enumerate(field):
            far = abs(cell // around.width - row) + abs(cell % around.width - column)
            if gain is not None and gain > 0 and far > self.own["reach"]:
                field[cell] = 0.0
        target = best_target(field, around.width, around.here)
        return target if target and target.steps <= self.own["reach"] else None

    def takes_at_once(self, prey: Target, around: Around, level: float) -> bool:
        """With a vote and a move in one turn, a vote while it takes it comes too late."""
        kind = around.codes[prey.cell] - FIRST_RESOURCE
        composite = self.rules.actions == "composite"
        return composite and prey.steps == 1 and self.worths(level)[kind] > 0
