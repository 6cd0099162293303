"""Interaction: how much the seats share what they earn, and how much they affect one another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from engine.contract.section import parameter
from engine.contract.space import Arrays, Field
from engine.layers.base import Layer, Parameters, Period, added, spread, total

if TYPE_CHECKING:
    from engine.contract.declaration import Declaration

__all__ = ["Interaction", "InteractionParameters"]


class InteractionParameters(Parameters):
    """What is shared, and the factor of the game's externality."""

    share: float = parameter(
        0.0, "share of every reward that all share", symbol="sigma", ge=0, le=1
    )
    externality: float = parameter(
        1.0, "factor of what seats do to each other", symbol="f", ge=0, le=1e3
    )


class Interaction(Layer[InteractionParameters]):
    """Component `shared`: s sigma (mean of the rewards - own reward), over the seats playing."""

    name = "interaction"

    def prepare(self) -> None:
        self.check_says_something("share", "externality")
        if self.own.externality == 1.0:
            return
        factor = 1.0 + self.s * (self.own.externality - 1.0)
        try:
            changed = self.game.scaled(self.game.core, factor)
        except ValueError as error:
            raise self.refused("externality", self.own.externality, str(error)) from None
        if changed is None:
            rule = f"{self.game.id} has no externality to scale; only 1 is accepted"
            raise self.refused("externality", self.own.externality, rule)
        self.game.core = changed
        self.game.externality = factor

    def declare(self, declared: Declaration) -> Declaration:
        if self.own.share == 0.0:
            return declared
        low, high = spread(declared.components)
        most = self.s * self.own.share * (high - low)
        field = Field("shared", "received from all, less what was given", "points", low=-most)
        return replace(declared, components=(*declared.components, replace(field, high=most)))

    def settle(self, period: Period, components: Arrays) -> tuple[Arrays, Arrays]:
        if self.own.share == 0.0:
            return components, {}
        rewards, playing = total(components), period.playing
        if playing is None:
            difference = (added(rewards) / self.seats)[..., None] - rewards
        else:  # those who have ended earn 0, and their 0 is no part of the mean
            count = np.maximum(added(playing.astype(np.float64)), 1.0)
            mean = (added(rewards) / count)[..., None]
            difference = np.where(playing, mean - rewards, 0.0)
        return {**components, "shared": self.s * self.own.share * difference}, {}
