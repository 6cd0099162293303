"""Uncertainty: shocks to the state, and parameters that drift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar

import numpy as np
from pydantic import Field as PydanticField

from mixed_company.engine.contract.chance import NORMAL_MOST, Chance
from mixed_company.engine.contract.declaration import Declaration, EventKind, Happened
from mixed_company.engine.contract.rules import InForce, Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters

Deviation = Annotated[float, PydanticField(gt=0, le=1e9)]
Rate = Annotated[float, PydanticField(ge=-1, le=1)]


class UncertaintyParameters(Parameters):
    """State quantities with shocks, and core parameters that drift."""

    shocks: dict[str, Deviation] = parameter(
        {}, "per state quantity: standard deviation of its shocks"
    )
    drift: dict[str, Rate] = parameter(
        {}, "per core parameter: change per period, as a share of its value"
    )


def can_be_shaken(field: Field) -> bool:
    """Return whether a state quantity is a real number that has a bound and can vary."""
    ends = field.low, field.high
    bounded = bool(np.isfinite(ends).any()) and field.low < field.high
    return field.kind == "real" and not field.bulk and bounded


class Uncertainty(Layer[UncertaintyParameters]):
    """Normal shocks after every transition, and parameters that drift from period to period."""

    name = "uncertainty"
    position = 7
    order = 2
    parameters = UncertaintyParameters
    event_kinds: ClassVar[Mapping[str, EventKind]] = {
        "shock": EventKind("a `quantity` of the state was moved by `shock`, within its range"),
        "drift": EventKind("a `parameter` changes in this period from `from` to `to`", True),
    }

    def __init__(
        self, settings: UncertaintyParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        self.shaken = {field.name: field for field in declared.state if can_be_shaken(field)}
        noun = "a quantity that can have shocks"
        self.check_names(settings, "shocks", settings.shocks, self.shaken, noun, rules.id)

    @classmethod
    def in_force(
        cls, settings: UncertaintyParameters, rules: Rules[Any], force: InForce[Any]
    ) -> InForce[Any]:
        cls.check_says_something(settings, "shocks", "drift")
        noun = "a parameter that may drift"
        cls.check_names(settings, "drift", settings.drift, rules.may_drift, noun, rules.id)
        for name, change in settings.drift.items():
            if change == 0.0:
                raise cls.refusal(f"drift.{name}", change, "0 has no effect; leave it out")
        drifts = {name: settings.intensity * change for name, change in settings.drift.items()}
        shocks = {
            name: settings.intensity * sd * NORMAL_MOST for name, sd in settings.shocks.items()
        }
        return force._replace(drifts=drifts, shocks=shocks)

    def draw(self, chance: Chance) -> Arrays:
        return {
            f"{self.name}.{name}": self.s * deviation * self._normal(chance, name)
            for name, deviation in self.settings.shocks.items()
        }

    def _normal(self, chance: Chance, name: str) -> Any:
        field, stream = self.shaken[name], chance(f"{self.name}.{name}")
        if field.common:  # its numbers are shown together or not at all
            return stream.normal(field.shape)
        return stream.apart(field.shape).normal()

    def shake(self, state: Arrays, after: Arrays, chance: Arrays) -> Arrays:
        changed = {}
        for name in self.settings.shocks:
            field, value = self.shaken[name], after[name] + chance[f"{self.name}.{name}"]
            changed[name] = np.minimum(np.maximum(value, field.low), field.high)
        if not changed:
            return {}
        return {**changed, **self.rules.repaired(state, {**after, **changed})}

    def events(self, period: Happened) -> list[dict[str, Any]]:
        shocks = [
            {"event": "shock", "quantity": name, "shock": drawn.tolist()}
            for name in self.settings.shocks
            for drawn in [period.chance[f"{self.name}.{name}"]]
        ]
        return [*shocks, *self._drifted(period.before)]

    def _drifted(self, state: Arrays) -> Iterator[dict[str, Any]]:
        """Yield an event for each parameter whose value has changed since the previous period."""
        if state["period"] == 0:
            return
        last_period = {"period": state["period"] - 1}
        for name in self.rules.drifts:
            old, new = (float(self.rules.now(name, when)) for when in (last_period, state))
            if new != old:
                yield {"event": "drift", "parameter": name, "from": old, "to": new}
