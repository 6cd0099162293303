"""Power: roles with other limits and weights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import numpy as np
from pydantic import Field as PydanticField

from engine.contract.section import parameter
from engine.contract.space import Array, Arrays, Field
from engine.layers.base import Bounds, Layer, Parameters

if TYPE_CHECKING:
    from engine.contract.declaration import Declaration

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

    def prepare(self) -> None:
        agents, own = self.game.config.agents, self.own
        self.roles = agents.seats or ("member",) * self.seats
        self.check_says_something("limits", "weights")
        for key in ("limits", "weights"):
            self.check_names(key, getattr(own, key), agents.roles, "role")
        if own.weights and not self.game.weighs:
            raise self.refused("weights", own.weights, f"{self.game.id} does not weigh seats")
        if own.weights:
            asked = np.array([own.weights.get(role, 1.0) for role in self.roles])
            self.game.weights = 1.0 + self.s * (asked - 1.0)

    def declare(self, declared: Declaration) -> Declaration:
        fields = {field.name: field for field in declared.actions if field.kind != "choice"}
        for role, limits in self.own.limits.items():
            key = f"limits.{role}"
            for name, limit in limits.items():
                if name not in fields:
                    self.check_names("limits", [name], fields, "amount that is decided")
                self._check_limit(key, fields[name], limit)
        named = {name for limits in self.own.limits.values() for name in limits}
        self.highs = {name: self._highs(fields[name]) for name in sorted(named)}
        return declared

    def _check_limit(self, key: str, field: Field, limit: float) -> None:
        if not field.low <= limit <= field.high:
            rule = f"should be within {field.low:g} .. {field.high:g}"
            raise self.refused(f"{key}.{field.name}", limit, rule)
        if np.isinf(field.high) and self.s < 1.0:
            rule = "has no upper end to move from, so only intensity 1 has a meaning"
            raise self.refused(f"{key}.{field.name}", limit, rule)

    def _highs(self, field: Field) -> Array:
        """(n,) the most that each seat may do."""
        own = [self.own.limits.get(role, {}).get(field.name, field.high) for role in self.roles]
        limit = np.array(own)
        if np.isfinite(field.high):
            limit = field.high + self.s * (limit - field.high)
        return np.floor(limit) if field.kind == "whole" else limit

    def bounds(self, bounds: Bounds, state: Arrays) -> Bounds:
        found = dict(bounds)
        for name, high in self.highs.items():
            low, most = found.get(name, (-np.inf, np.inf))
            most = np.minimum(most, high)
            found[name] = (np.minimum(low, most), most)
        return found
