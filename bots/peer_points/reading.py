"""Base of the policies of the second stage, and readers of observations in any game with it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array
from mixed_company.policies.policy import Decided, Policy, Seats

__all__ = ["Assigns", "above_average"]


GAMES = tuple(
    game_id for game_id in engine.game_ids() if issubclass(engine.find(game_id).Core, PeerCore)
)
"""Games with peer points."""


class Assigns(Policy):
    """Base of a policy that assigns points."""

    games = GAMES
    stage = 1

    @abstractmethod
    def wishes(self, seats: Seats) -> Array:
        """Return the points (K, n) to each seat, as far as the rules allow them."""

    def act_together(self, seats: Seats) -> Decided:
        raise NotImplementedError(f"{self.id}: needs to know which points are allowed")

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        wishes = np.nan_to_num(self.wishes(seats))
        return allowed.fitted({"assign": np.rint(wishes)}), seats.memory

    def punishment(self, points: Array) -> Array:
        """Return numbers of points as the game takes them for punishment, none if there is none."""
        return {"punishment": 1.0, "both": -1.0, "reward": 0.0}[self.rules.peer] * points

    def reward(self, points: Array) -> Array:
        """Return numbers of points as the game takes them for rewards, none if there are none."""
        return {"punishment": 0.0, "both": 1.0, "reward": 1.0}[self.rules.peer] * points


def above_average(seats: Seats, rules: Any) -> Array:
    """Return (K, n) how much more than the average each seat gave or left, as a share of the most.

    In a public good the most is the largest endowment, in the commons the largest harvest, of which
    the rest is what a seat left. The average is that of all seats seen; NaN for the others.
    """
    if "harvest" in seats.seen:
        gave = 1.0 - seats.seen["harvest"] / rules.max_harvest
    else:
        gave = seats.seen["contribution"] / np.max(rules.endowment)
    shown = ~np.isnan(gave)
    mean = np.where(shown, gave, 0.0).sum(axis=-1) / np.maximum(shown.sum(axis=-1), 1)
    return np.asarray(gave - mean[:, None])
