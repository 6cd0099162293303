"""Observations in units of their fields as numbers of order 1, by fixed rules, in the model itself.

A number with both ends declared goes to -1 .. 1; `period` counts as ending at the horizon. A number
without an end goes through the inverse hyperbolic sine, which is close to the number itself around
0 and to a logarithm far out. The seat, which is a name and no amount, becomes one number for each
seat: 1 for one's own, 0 for the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

from bots.flat.observations import FlatObservations
from engine.game import Game
from engine.space import Array

__all__ = ["Scaled", "Scaling", "scaling"]


@dataclass(frozen=True)
class Scaling:
    """The rules for `size` numbers: (number - middle) * factor + curved * asinh(number).

    middle, factor, curved   (size,) float32
    seat                     where the seat is among the numbers; None: it is not
    seats                    how many there are
    """

    middle: Array
    factor: Array
    curved: Array
    seat: int | None
    seats: int

    @property
    def size(self) -> int:
        """How many numbers come out."""
        return len(self.middle) + (self.seats if self.seat is not None else 0)


def scaling(game: Game[Any], observed: Array, remembered: Array) -> Scaling:
    """The rules for the observed numbers, followed by the means of some of them.

    `observed` are places among the flat observations, `remembered` places among the observed.
    """
    flat = FlatObservations(game.declaration.observations, game.seats)
    low, high = flat.low.astype(np.float64), flat.high.astype(np.float64)
    high[flat.values["period"]] = game.horizon
    ends = np.isfinite(low) & np.isfinite(high)
    span = np.where(ends & (high > low), high - low, np.inf)
    middle = np.where(ends, low, 0.0) / 2 + np.where(ends, high, 0.0) / 2
    chosen = observed[np.concatenate([np.arange(len(observed)), remembered])]
    seat = np.flatnonzero(observed == flat.values["seat"].start).tolist()
    return Scaling(
        middle=middle[chosen].astype(np.float32),
        factor=(2.0 / span)[chosen].astype(np.float32),
        curved=(~ends)[chosen].astype(np.float32),
        seat=seat[0] if seat else None,
        seats=game.seats,
    )


class Scaled(BaseFeaturesExtractor):
    """The same in torch, as Stable-Baselines3 takes it."""

    def __init__(self, observation_space: Any, rules: Scaling) -> None:
        super().__init__(observation_space, rules.size)
        self.rules = rules
        for name in ("middle", "factor", "curved"):
            self.register_buffer(name, torch.as_tensor(getattr(rules, name)))
        self.register_buffer("numbers", torch.arange(rules.seats, dtype=torch.float32))

    def forward(self, observations: Any) -> Any:
        scaled = (observations - self.middle) * self.factor
        scaled = scaled + self.curved * torch.asinh(observations)
        if self.rules.seat is None:
            return scaled
        seat = observations[:, self.rules.seat, None]
        return torch.cat([scaled, torch.relu(1.0 - torch.abs(seat - self.numbers))], dim=1)
