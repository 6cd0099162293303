"""Interaction: how much the seats share what they earn, and how much they affect one another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import over_seats, spread, total
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.rules import InForce, Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters, Settled

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
    position = 4
    order = 4
    parameters = InteractionParameters

    def __init__(
        self, own: InteractionParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(own, rules, declared)
        if own.share == 0.0:
            return
        low, high = spread(declared.components)
        most = self.s * self.own.share * (high - low)
        field = Field("shared", "received from all, less what was given", "points", low=-most)
        components = (*declared.components, replace(field, high=most))
        self.declared = replace(declared, components=components)

    @classmethod
    def in_force(
        cls, own: InteractionParameters, rules: Rules[Any], force: InForce[Any]
    ) -> InForce[Any]:
        cls.check_says_something(own, "share", "externality")
        if own.externality == 1.0:
            return force
        factor = 1.0 + own.intensity * (own.externality - 1.0)
        try:
            core = rules.scaled(force.core, factor)
        except ValueError as error:
            raise cls.refusal("externality", own.externality, str(error)) from None
        if core is None:
            rule = f"{rules.id} has no externality to scale; only 1 is accepted"
            raise cls.refusal("externality", own.externality, rule)
        return force._replace(core=core, externality=factor)

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        if self.own.share == 0.0:
            return components, {}
        rewards, playing = total(components), period.playing
        if playing is None:
            difference = (over_seats(rewards) / self.seats)[..., None] - rewards
        else:  # those who have ended earn 0, and their 0 is no part of the mean
            count = np.maximum(over_seats(playing.astype(np.float64)), 1.0)
            mean = (over_seats(rewards) / count)[..., None]
            difference = np.where(playing, mean - rewards, 0.0)
        return {**components, "shared": self.s * self.own.share * difference}, {}
