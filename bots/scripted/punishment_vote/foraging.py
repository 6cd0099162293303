"""What all foraging policies share: they collect by worth per step, explore, and may vote."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.punishment_vote.reading import (
    Around,
    best_target,
    gains,
    known,
    numbered,
    place,
    seen_around,
)
from engine.contract.config import Core
from engine.games.punishment_vote.tables import EMPTY, WALL

__all__ = ["Foraging"]

_BACK = (1, 0, 3, 2)
_SIDES = ((2, 3), (2, 3), (0, 1), (0, 1))


class Foraging(Policy):
    """Subclass and say what kinds are worth (`worths`), when to `vote`, or where to `move`.

    Notes: `level` as last seen, changed by own votes while it is hidden; `vote`, the own of the
    last turn; `heading`, where the last move led.
    """

    games: ClassVar[tuple[str, ...]] = ("punishment_vote",)

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        self.values = [resource.value for resource in self.rules.resources.values()]
        self.penalties = self.rules.penalties
        weights = self.rules.spawn_weights or {}
        self.weights = [weights.get(name, 1.0) for name in self.rules.resources]

    def start(self) -> Memory:
        return {"level": self.rules.initial_level, "vote": 0, "heading": None}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        notes = dict(memory)
        level = known(observation, "level")
        notes["level"] = notes["level"] if level is None else level
        around = seen_around(observation, self.rules)
        vote = self.vote(observation, around, notes, rng)
        if vote and self.rules.actions == "simple":
            move = None  # it can do one thing, and the vote goes first
        else:
            move = self.move(observation, around, notes, rng)
            if vote and move is None:  # there is no vote without a move
                move = self.marking_time(around)
                vote = 0 if move is None else vote
        notes["vote"] = vote
        notes["level"] = self.moved(notes["level"], vote)
        if move is not None:
            notes["heading"] = move
        return numbered(self.rules, move, vote), notes

    # -- what subclasses change -----------------------------------------------------------

    def worths(self, level: float) -> list[float]:
        """Kind -> expected points for collecting it: its value less its punishment."""
        pairs = zip(self.values, self.penalties, strict=True)
        return [value - level * penalty for value, penalty in pairs]

    def vote(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int:
        """1, -1 or 0. May change the notes."""
        return 0

    def move(
        self, observation: Observation, around: Around, notes: Memory, rng: np.random.Generator
    ) -> int | None:
        """0 .. 3, or None to stay. May change the notes."""
        worths = self.worths(notes["level"])
        if not self.worth_going(worths):
            return None
        field = gains(around.codes, worths)
        target = best_target(field, around.width, around.here)
        if target is not None:
            return target.move
        lost = self.rules.vision == 0 and place(observation) is None
        return self.straight_on(around, field, notes["heading"], lost, rng)

    # -- what they share ------------------------------------------------------------------

    def moved(self, level: float, vote: int) -> float:
        """The level after a vote, as far as that vote goes."""
        return float(min(max(level + self.rules.vote_step * vote, 0.0), 1.0))

    def worth_going(self, worths: list[float]) -> bool:
        """Is any kind worth collecting? Without sight: is what comes up, on average?"""
        if self.rules.vision > 0:
            return max(worths) > 0
        return float(np.dot(worths, self.weights)) > 0

    def straight_on(
        self,
        around: Around,
        field: list[float | None],
        heading: int | None,
        lost: bool,
        rng: np.random.Generator,
    ) -> int | None:
        """Straight on until a wall comes into view or the way is blocked, then to a side.

        At times it turns before that, or it would walk along the walls for ever; more often if
        it is `lost`: then it cannot tell whether it moves at all.
        """
        heading = int(rng.integers(4)) if heading is None else heading
        sides = _SIDES[heading][:: 1 if rng.random() < 0.5 else -1]
        turns = rng.random() < (0.3 if lost else 1 / max(self.rules.height, self.rules.width))
        ways = (*sides, heading) if turns else (heading, *sides)
        free = [way for way in (*ways, _BACK[heading]) if self.free(around, field, way)]
        clear = [way for way in free if around.codes[around.ahead(way, around.sight)] != WALL]
        return next(iter(clear or free), None)

    def free(self, around: Around, field: list[float | None], way: int) -> bool:
        """Can it go there without loss?"""
        gain = field[around.ahead(way)]
        return gain is not None and gain >= 0

    def marking_time(self, around: Around) -> int | None:
        """A move into a wall, which leads nowhere, else onto an empty cell; else None."""
        codes = [around.codes[around.ahead(way)] for way in range(4)]
        return next((codes.index(code) for code in (WALL, EMPTY) if code in codes), None)
