"""The transition of a game whose periods may have several stages, with peer points in the second.

`engine.contract.stages` explains stages, and `engine.contract.peers` explains peer points.
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.rules import CoreT, Rules
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.contract.stages import Stages, chosen


class Staging(Rules[CoreT]):
    """Base class of a game: its transition over the stages of a period."""

    stages: Stages

    @abstractmethod
    def allowed(self, state: Arrays) -> Allowed:
        """Return what every seat may do now, in a state or a batch of states."""

    def so_far(self, state: Arrays, chance: Arrays) -> Arrays:
        """Return the state as it would be if no seat did anything in the remaining stages."""
        begun = np.asarray(state["stage"] > 0)
        if not begun.any():
            return state
        used = self.stages.whole(state, self.allowed(state).default)
        brought = self.transition(state, used, chance)
        return {**state, **{n: chosen(begun, v, state[n]) for n, v in brought.items()}}

    def _moved(self, state: Arrays, used: Arrays, chance: Arrays) -> dict[str, Array]:
        """Return the next state under the rules of the game and of peer points."""
        after = dict(self.transition(state, used, chance))
        batch = state["period"].shape
        if self.peers is not None:
            income = self.income(state, used, after)
            after |= self.peers.transition(state, used[ASSIGN], income, after)
            after |= self.peers.order(chance, batch)
        if self.stages.several:
            after |= self.stages.initial(batch, self.seats)
        return after
