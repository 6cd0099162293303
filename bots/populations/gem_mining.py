"""Policies for fitted types that choose a mine."""

from __future__ import annotations

from typing import Any

import numpy as np

from bots.gem_mining.reading import (
    going_to,
    in_reach,
    others_in_reach,
    own_workers,
    reach_of,
    shown,
    shown_chances,
    worth,
)
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Decided, Memory, Policy, Range, Seats
from mixed_company.policies.populations.fitted import check_shown, chosen, column

_PRECISION = Range(1.0, 0.0, 1e6)


class QuantalResponse(Policy):
    """Tends to choose the mine where it adds the most if others stay where they were last period.

    In the first period, it assumes that no other village sends workers. If it does not see the
    chances, it chooses among the mines in reach with equal probability.
    """

    id = "quantal_response"
    games = ("gem_mining",)
    version = "2"
    source = "quantal_response of mixed_company.analysis.behaviour: McKelvey and Palfrey (1995)"
    parameters = {"precision": _PRECISION}
    apiece = True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> QuantalResponse:
        """Return the policy. Raises ConfigError if chances or the others' mines are hidden."""
        check_shown(cls.id, game, "base_probabilities", "workers_at", "own_mine")
        return cls(game.core, **parameters)

    def act_together(self, seats: Seats) -> Decided:
        workers = own_workers(seats, self.rules)[:, None]
        others = others_in_reach(seats, self.rules)
        base, weights = shown_chances(seats, self.rules), self.rules.weights
        if base is None:  # rejected by `for_game`
            return going_to(seats, np.zeros(seats.count)), {}
        with_us = worth(self.rules, base.values, others.values + workers, weights)
        gains = with_us - worth(self.rules, base.values, others.values, weights)
        preferred = column(self.settings["precision"]) * np.where(base.visible[:, None], gains, 0.0)
        return going_to(seats, chosen(preferred, in_reach(seats, self.rules), seats.draws)), {}


class ReinforcementLearning(Policy):
    """Learns each mine's value from the points it earned there, and tends to choose the best one.

    Its points come from the gems of all villages. They are measured relative to its points in the
    first period that it sees.
    """

    id = "reinforcement_learning"
    games = ("gem_mining",)
    version = "2"
    source = "reinforcement_learning of mixed_company.analysis.behaviour: Erev and Roth (1998)"
    parameters = {"precision": _PRECISION, "learning_rate": Range(0.3, 0.0, 1.0)}
    apiece = True

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> ReinforcementLearning:
        """Return the policy. Raises ConfigError if no seat sees its mine or the gems."""
        check_shown(cls.id, game, "own_mine", "gems")
        return cls(game.core, **parameters)

    def start(self) -> Memory:
        return {"learned": [0.0] * self.rules.max_connectivity, "usual": 0.0, "begun": False}

    def act_together(self, seats: Seats) -> Decided:
        memory = self._learned(seats)
        preferred = column(self.settings["precision"]) * memory["learned"]
        return going_to(seats, chosen(preferred, in_reach(seats, self.rules), seats.draws)), memory

    def _learned(self, seats: Seats) -> dict[str, Any]:
        """Return the notes after crediting last period's points, less the reference, to the chosen
        mine.
        """
        mine, gems = shown(seats, "own_mine"), shown(seats, "gems")
        learned = np.array(seats.memory["learned"], dtype=np.float64)
        begun, usual = np.asarray(seats.memory["begun"], np.bool_), seats.memory["usual"]
        if mine is None or gems is None:  # rejected by `for_game`
            return dict(seats.memory)
        offset = np.where(mine.visible, mine.values, -1).astype(np.int64) - seats.seat
        new = gems.visible & (offset >= 0) & (offset < reach_of(seats))
        points = np.zeros(seats.count)
        for weight, count in zip(self.rules.weights, np.moveaxis(gems.values, -1, 0), strict=True):
            points = points + weight * count
        usual = np.where(new & ~begun, points, usual)
        rows = np.flatnonzero(new)
        rate = np.broadcast_to(self.settings["learning_rate"], (seats.count,))[rows]
        before = learned[rows, offset[rows]]
        learned[rows, offset[rows]] += rate * ((points - usual)[rows] - before)
        return {"learned": learned, "usual": usual, "begun": begun | new}
