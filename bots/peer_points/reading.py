"""Base class of policies that assign peer points, in any game that has them."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, Self

import numpy as np

from mixed_company import engine
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.peer_core import PeerCore
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Decided, Policy, Seats

GAMES = tuple(
    game_id
    for game_id in engine.game_ids()
    if issubclass(engine.find(game_id).Core, PeerCore)
    and engine.find(game_id).defines_cooperation()
)
"""Games with peer points that define cooperation, and therefore whether large amounts are generous.
"""


class Assigns(Policy):
    """Base class of a policy that assigns points.

    It reads the other seats' decisions from the observation with the same name as the game's first
    action.
    """

    games = GAMES
    stage = 1
    _first: Field
    _generous: bool

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        policy = super().for_game(game, **parameters)
        policy._first = game.declaration.actions[0]
        policy._generous = _is_generous(game, policy._first)
        return policy

    @abstractmethod
    def wishes(self, seats: Seats) -> Array:
        """Return the points (K, n) that the policy would like to assign, before they are adjusted
        to fit the rules.
        """

    def act_together(self, seats: Seats) -> Decided:
        raise NotImplementedError(f"{self.id}: must be told which points are allowed")

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        wishes = np.nan_to_num(self.wishes(seats))
        return allowed.fitted({"assign": np.rint(wishes)}), seats.memory

    def punishment(self, points: Array) -> Array:
        """Return points with the sign that means punishment in this game; 0 if it has no
        punishment.
        """
        return {"punishment": 1.0, "both": -1.0, "reward": 0.0}[self.rules.peer] * points

    def reward(self, points: Array) -> Array:
        """Return points with the sign that means reward in this game; 0 if it has no rewards."""
        return {"punishment": 0.0, "both": 1.0, "reward": 1.0}[self.rules.peer] * points

    def above_average(self, seats: Seats) -> Array:
        """Return how much more than average each seat gave, (K, n), as a share of the maximum.

        In a public good, the maximum is the largest possible contribution. In a commons, it is the
        largest possible harvest, and whatever a seat did not take counts as given. The average is
        over visible seats; the others are NaN.
        """
        share = seats.seen[self._first.name] / self._first.high
        gave = share if self._generous else 1.0 - share
        shown = ~np.isnan(gave)
        mean = np.where(shown, gave, 0.0).sum(axis=-1) / np.maximum(shown.sum(axis=-1), 1)
        return np.asarray(gave - mean[:, None])


def _is_generous(game: Game[Any], field: Field) -> bool:
    """Return whether a larger amount of this action field is more cooperative."""
    low, high = (
        game.cooperation({}, {field.name: np.full(game.seats, end)}, {}).mean()
        for end in (field.low, field.high)
    )
    return bool(high > low)
