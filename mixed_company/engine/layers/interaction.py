"""Interaction: the share of rewards that is pooled, and the strength of externalities."""

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


class InteractionParameters(Parameters):
    """Share of the rewards that seats pool, and factor for the game's externality."""

    share: float = parameter(
        0.0, "share of every reward that is pooled", symbol="sigma", ge=0, le=1
    )
    externality: float = parameter(
        1.0, "factor applied to seats' effects on each other", symbol="f", ge=0, le=1e3
    )


class Interaction(Layer[InteractionParameters]):
    """Component `shared`: s sigma (mean of the rewards - own reward), over the active seats."""

    name = "interaction"
    position = 4
    order = 4
    parameters = InteractionParameters

    def __init__(
        self, settings: InteractionParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        if settings.share == 0.0:
            return
        low, high = spread(declared.components)
        bound = self.s * self.settings.share * (high - low)
        field = Field(
            "shared",
            "points received from the common share, less points given to it",
            "points",
            low=-bound,
        )
        components = (*declared.components, replace(field, high=bound))
        self.declared = replace(declared, components=components)

    @classmethod
    def in_force(
        cls, settings: InteractionParameters, rules: Rules[Any], force: InForce[Any]
    ) -> InForce[Any]:
        cls.check_says_something(settings, "share", "externality")
        if settings.externality == 1.0:
            return force
        factor = 1.0 + settings.intensity * (settings.externality - 1.0)
        try:
            core = rules.scaled(force.core, factor)
        except ValueError as error:
            raise cls.refusal("externality", settings.externality, str(error)) from None
        if core is None:
            rule = f"{rules.id} has no externality to scale; only 1 is accepted"
            raise cls.refusal("externality", settings.externality, rule)
        return force._replace(core=core, externality=factor)

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        if self.settings.share == 0.0:
            return components, {}
        rewards, playing = total(components), period.playing
        if playing is None:
            difference = (over_seats(rewards) / self.seats)[..., None] - rewards
        else:  # seats that have ended are not part of the mean
            count = np.maximum(over_seats(playing.astype(np.float64)), 1.0)
            mean = (over_seats(rewards) / count)[..., None]
            difference = np.where(playing, mean - rewards, 0.0)
        return {**components, "shared": self.s * self.settings.share * difference}, {}
