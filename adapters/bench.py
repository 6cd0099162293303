"""Written policies in some seats of many plays at once.

A policy decides for one seat of one play (`bots.policy`), so this is a loop in Python, about 20 to
100 microseconds per decision; seats that learn cost next to nothing beside it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

import bots
from adapters.rollout import Plays
from bots.flat.actions import Allowed, is_choice
from engine.chance import generator
from engine.game import Game
from engine.space import Array, Arrays, of_seat

__all__ = ["Bench"]


class Bench:
    """The policies and what they remember of their plays.

    faults   how many decisions failed, for which the default was played
    """

    def __init__(self, game: Game[Any], policies: Mapping[int, bots.Policy]) -> None:
        self.game, self.policies = game, policies
        self.faults = 0
        self._memories: dict[tuple[int, int], dict[str, Any]] = {}

    def begin(self, plays: Array) -> None:
        """Forget what was remembered at these places of the batch."""
        for place in plays.tolist():
            for seat, policy in self.policies.items():
                self._memories[place, seat] = policy.start()

    def decide(self, plays: Plays, now: Allowed) -> dict[str, Array]:
        """Field -> (B, n): the decisions of the policies, the defaults in the other seats.

        `now` is what all seats may do. A choice that is not open fails, as an error does.
        """
        layout = self.game.declaration.actions
        actions = {field.name: np.array(now.default[field.name], field.dtype) for field in layout}
        for place in range(len(plays.seeds)) if self.policies else ():
            seen = {name: value[place] for name, value in plays.observations.items()}
            for seat in self.policies:
                decision = self._decision(plays, place, seat, seen)
                if decision.fault or not self._open(decision.action, now, (place, seat)):
                    self.faults += 1
                    continue
                self._memories[place, seat] = decision.memory
                for name, value in decision.action.items():
                    actions[name][place, seat] = value
        return actions

    def _open(self, action: dict[str, float], now: Allowed, where: tuple[int, int]) -> bool:
        """Are all its choices open?"""
        return all(
            now.low[field.name][where] <= action[field.name] <= now.high[field.name][where]
            for field in self.game.declaration.actions
            if is_choice(field)
        )

    def _decision(self, plays: Plays, place: int, seat: int, seen: Arrays) -> bots.Decision:
        declared = self.game.declaration
        name = f"policy of seat {seat}"
        return bots.decide(
            self.policies[seat],
            declared.actions,
            of_seat(declared.observations, seen, seat),
            self._memories[place, seat],
            generator(int(plays.seeds[place]), name, int(plays.state["period"][place])),
            budget=math.inf,
        )
