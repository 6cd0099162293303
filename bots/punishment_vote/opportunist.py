from __future__ import annotations

import numpy as np

from bots.punishment_vote.foraging import Foraging, Notes
from bots.punishment_vote.targets import Targets, best_targets
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.punishment_vote.sight import Around
from mixed_company.engine.games.punishment_vote.tables import FIRST_RESOURCE
from mixed_company.policies.policy import Memory, Range, Seats


class Opportunist(Foraging):
    """Forages; votes for less punishment before taking a taboo kind, and for more afterwards.

    It votes for more as often as it voted for less, and at least once. It votes for less at most
    `patience` times. When it decides whether to head for a taboo kind, it counts on that many
    votes. The note `owed` counts the votes for more that it has yet to cast.
    """

    id = "opportunist"
    source = "ours, after self-interest seeking with guile: Williamson (1985)"
    parameters = {"reach": Range(2, 1, 20), "patience": Range(3, 1, 100)}

    def start(self) -> Memory:
        return {**super().start(), "owed": 0}

    def vote(self, seats: Seats, around: Around, notes: Notes) -> Array:
        level, owed = notes["level"], notes["owed"]
        prey = self.prey(around)
        hunts = (prey.move >= 0) & (prey.steps <= self.settings["reach"])
        pays = (self.hoped(level, owed) < level) & ~self.takes_at_once(prey, around, level)
        owed = np.where(hunts | (level < 1), owed, 0)
        votes = np.where(hunts, -pays.astype(np.int64), (owed > 0).astype(np.int64))
        notes["owed"] = owed - votes
        return votes

    def move(self, seats: Seats, around: Around, notes: Notes, where: Array) -> Array:
        level = notes["level"]
        hoped = self.hoped(level, notes["owed"])
        moves = super().move(seats, around, {**notes, "level": hoped}, where)
        rows, kinds = np.arange(len(moves)), len(self.values)
        kind = around.at(around.ahead(moves)).astype(np.int64) - FIRST_RESOURCE
        kind = np.where((moves >= 0) & (kind >= 0) & (kind < kinds), kind, -1)
        taboo = where & (kind >= 0) & (self.penalties[kind] != 0)
        early = taboo & (hoped < level) & (self.worths(level)[rows, kind] <= 0)
        owed = notes["owed"]
        notes["owed"] = np.where(taboo & ~early, np.maximum(owed, 1), owed)
        return np.where(early, -1, moves)

    def hoped(self, level: Array, owed: Array) -> Array:
        """Return the level (K,) after all its remaining votes for less, or the current level if
        voting does not pay.
        """
        saved = self.rules.magnitude * (level - self.moved(level, -1))
        left = np.maximum(0.0, self.settings["patience"] - owed)
        lower = np.maximum(0.0, level - left * self.rules.vote_step)
        return np.where(saved <= self.rules.vote_cost, level, lower)

    def prey(self, around: Around) -> Targets:
        """Return the best taboo target in reach that would be worth taking without punishment."""
        wanted = (self.penalties != 0) | (self.values < 0)
        worths = np.tile(np.where(wanted, self.values, 0.0), (len(around.codes), 1))
        beyond = around.far[around.here] > self.settings["reach"]
        return best_targets(around, worths, np.broadcast_to(beyond, around.codes.shape))

    def takes_at_once(self, prey: Targets, around: Around, level: Array) -> Array:
        """Return flags for seats whose move takes the target now, so a vote would be too late."""
        kind = np.maximum(around.at(prey.cell).astype(np.int64) - FIRST_RESOURCE, 0)
        kind = np.minimum(kind, len(self.values) - 1)
        pays = self.worths(level)[np.arange(len(kind)), kind] > 0
        return np.asarray((self.rules.actions == "composite") & (prey.steps == 1) & pays)
