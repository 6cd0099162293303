"""Base of the policies of the second stage, and readers of observations in any game with it."""

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
"""Games with peer points and a cooperation, which says whether more of an action is generous."""


class Assigns(Policy):
    """Base of a policy that assigns points.

    It reads how seats decided from the observation that has the name of the game's first action.
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

    def above_average(self, seats: Seats) -> Array:
        """Return (K, n) how much more than the average each seat gave or left, as a share of the
        most.

        In a public good the most is the largest contribution, in a commons the largest harvest, of
        which the rest is what a seat left. The average is that of all seats seen; NaN for the
        others.
        """
        share = seats.seen[self._first.name] / self._first.high
        gave = share if self._generous else 1.0 - share
        shown = ~np.isnan(gave)
        mean = np.where(shown, gave, 0.0).sum(axis=-1) / np.maximum(shown.sum(axis=-1), 1)
        return np.asarray(gave - mean[:, None])


def _is_generous(game: Game[Any], field: Field) -> bool:
    """Return whether a seat that decides for more of an action field is more cooperative."""
    low, high = (
        game.cooperation({}, {field.name: np.full(game.seats, end)}, {}).mean()
        for end in (field.low, field.high)
    )
    return bool(high > low)
