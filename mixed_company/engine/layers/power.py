"""Power: roles with other limits and weights."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from pydantic import Field as PydanticField

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.rules import InForce, Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Limits, Parameters

__all__ = ["Power", "PowerParameters"]

Weight = Annotated[float, PydanticField(ge=0, le=1e3)]


class PowerParameters(Parameters):
    """Who can do how much, by role."""

    limits: dict[str, dict[str, float]] = parameter(
        {}, "per role and action field: the most it may do"
    )
    weights: dict[str, Weight] = parameter({}, "per role: its weight, where a game weighs seats")


class Power(Layer[PowerParameters]):
    """The upper end of an action is moved towards the limit of the role; weights likewise."""

    name = "power"
    position = 5
    order = 1
    parameters = PowerParameters

    def __init__(self, own: PowerParameters, rules: Rules[Any], declared: Declaration) -> None:
        super().__init__(own, rules, declared)
        self.roles = roles_of_seats(rules.config.agents, rules.seats)
        fields = {field.name: field for field in declared.actions if field.kind != "choice"}
        for role, limits in own.limits.items():
            self.check_names(own, "limits", limits, fields, "amount that is decided", rules.id)
            for name, limit in limits.items():
                self._check_limit(f"limits.{role}", fields[name], limit)
        named = {name for limits in own.limits.values() for name in limits}
        self.highs = {name: self._highs(fields[name]) for name in sorted(named)}

    @classmethod
    def in_force(cls, own: PowerParameters, rules: Rules[Any], force: InForce[Any]) -> InForce[Any]:
        cls.check_says_something(own, "limits", "weights")
        for key in ("limits", "weights"):
            roles = rules.config.agents.roles
            cls.check_names(own, key, getattr(own, key), roles, "role", rules.id)
        if not own.weights:
            return force
        if not rules.weighs:
            raise cls.refusal("weights", own.weights, f"{rules.id} does not weigh seats")
        of_seats = roles_of_seats(rules.config.agents, rules.seats)
        weights = np.array([own.weights.get(role, 1.0) for role in of_seats])
        return force._replace(weights=1.0 + own.intensity * (weights - 1.0))

    def _check_limit(self, key: str, field: Field, limit: float) -> None:
        if not field.low <= limit <= field.high:
            rule = f"should be within {field.low:g} .. {field.high:g}"
            raise self.refusal(f"{key}.{field.name}", limit, rule)
        if np.isinf(field.high) and self.s < 1.0:
            rule = "has no upper end to move from, so only intensity 1 has a meaning"
            raise self.refusal(f"{key}.{field.name}", limit, rule)

    def _highs(self, field: Field) -> Array:
        """(n,) the most that each seat may do."""
        own = [self.own.limits.get(role, {}).get(field.name, field.high) for role in self.roles]
        limit = np.array(own)
        if np.isfinite(field.high):
            limit = field.high + self.s * (limit - field.high)
        return np.floor(limit) if field.kind == "whole" else limit

    def limits(self, limits: Limits, state: Arrays) -> Limits:
        tighter = dict(limits)
        for name, high in self.highs.items():
            low, most = tighter.get(name, (-np.inf, np.inf))
            most = np.minimum(most, high)
            tighter[name] = (np.minimum(low, most), most)
        return tighter
