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
from bots.flat.actions import Allowed
from engine.chance import generator
from engine.game import Game
from engine.space import Array, Arrays, Field, of_seat

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
        declared = self.game.declaration.actions
        actions = {field.name: np.array(now.default[field.name], field.dtype) for field in declared}
        for place in range(len(plays.seeds)) if self.policies else ():
            seen = {name: value[place] for name, value in plays.observations.items()}
            for seat in self.policies:
                layout = now.layout_of(declared, (place, seat))
                decision = self._decision(plays, place, seat, seen, layout)
                if decision.fault:
                    self.faults += 1
                    continue
                self._memories[place, seat] = decision.memory
                for name, value in decision.action.items():
                    actions[name][place, seat] = value
        return actions

    def _decision(
        self, plays: Plays, place: int, seat: int, seen: Arrays, layout: tuple[Field, ...]
    ) -> bots.Decision:
        name = f"policy of seat {seat}"
        return bots.decide(
            self.policies[seat],
            layout,
            of_seat(self.game.declaration.observations, seen, seat),
            self._memories[place, seat],
            generator(int(plays.seeds[place]), name, int(plays.state["period"][place])),
            budget=math.inf,
        )
