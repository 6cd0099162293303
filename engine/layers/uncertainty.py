"""Uncertainty: shocks to the world, and rules that drift."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field as PydanticField

from engine.contract.chance import Chance
from engine.contract.declaration import Declaration
from engine.contract.rules import InForce, Rules
from engine.contract.section import parameter
from engine.contract.space import Arrays
from engine.layers.base import Layer, Parameters

__all__ = ["Uncertainty", "UncertaintyParameters"]

Deviation = Annotated[float, PydanticField(gt=0, le=1e9)]
Rate = Annotated[float, PydanticField(ge=-1, le=1)]


class UncertaintyParameters(Parameters):
    """What is shaken, and what drifts."""

    shocks: dict[str, Deviation] = parameter(
        {}, "per quantity of the state: standard deviation of its shocks"
    )
    drift: dict[str, Rate] = parameter(
        {}, "per core parameter: change per period, as a share of its value"
    )


class Uncertainty(Layer[UncertaintyParameters]):
    """Normal shocks after every transition; parameters that grow or shrink with the periods."""

    name = "uncertainty"
    position = 7
    order = 2
    parameters = UncertaintyParameters

    def __init__(
        self, own: UncertaintyParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(own, rules, declared)
        self.shaken = {
            field.name: field
            for field in declared.state
            if field.kind == "real"
            and not field.bulk
            and (np.isfinite(field.low) or np.isfinite(field.high))
        }
        what = "quantity that can be shaken"
        self.check_names(own, "shocks", own.shocks, self.shaken, what, rules.id)

    @classmethod
    def in_force(
        cls, own: UncertaintyParameters, rules: Rules[Any], force: InForce[Any]
    ) -> InForce[Any]:
        cls.check_says_something(own, "shocks", "drift")
        what = "parameter that may drift"
        cls.check_names(own, "drift", own.drift, rules.may_drift, what, rules.id)
        for name, change in own.drift.items():
            if change == 0.0:
                raise cls.refusal(f"drift.{name}", change, "0 is no drift; leave it out")
        drifts = {name: own.intensity * change for name, change in own.drift.items()}
        return force._replace(drifts=drifts)

    def draw(self, chance: Chance) -> Arrays:
        return {
            f"{self.name}.{name}": self.s * deviation * self._normal(chance, name)
            for name, deviation in self.own.shocks.items()
        }

    def _normal(self, chance: Chance, name: str) -> Any:
        return chance(f"{self.name}.{name}").normal(self.shaken[name].shape)

    def shake(self, state: Arrays, after: Arrays, chance: Arrays) -> Arrays:
        changed = {}
        for name in self.own.shocks:
            field, value = self.shaken[name], after[name] + chance[f"{self.name}.{name}"]
            changed[name] = np.minimum(np.maximum(value, field.low), field.high)
        if not changed:
            return {}
        return {**changed, **self.rules.repaired(state, {**after, **changed})}

    def events(self, chance: Arrays) -> list[dict[str, Any]]:
        return [
            {"event": "shock", "quantity": name, "shock": chance[f"{self.name}.{name}"].tolist()}
            for name in self.own.shocks
        ]
