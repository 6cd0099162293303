"""Power: action limits and seat weights by role."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field as PydanticField

from mixed_company.engine.contract.config import roles_of_seats
from mixed_company.engine.contract.declaration import Declaration
from mixed_company.engine.contract.rules import InForce, Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Limits, Parameters

Weight = Annotated[float, PydanticField(ge=0, le=1e3)]


_FINER = (1, 2, 5, 10)
_ALMOST = 1e-9  # tolerance when checking for a multiple, in grains


class PowerParameters(Parameters):
    """Action limits and seat weights, by role."""

    limits: dict[str, dict[str, float]] = parameter(
        {}, "per role and action field: the largest amount allowed"
    )
    weights: dict[str, Weight] = parameter({}, "per role: its weight, in games that weight seats")


class Power(Layer[PowerParameters]):
    """Power layer: moves each seat's maximum amounts and weight towards those of its role."""

    name = "power"
    position = 5
    order = 1
    parameters = PowerParameters

    def __init__(self, settings: PowerParameters, rules: Rules[Any], declared: Declaration) -> None:
        super().__init__(settings, rules, declared)
        self.roles = roles_of_seats(rules.config.agents, rules.seats)
        fields = {field.name: field for field in declared.actions if field.kind != "choice"}
        for role, limits in settings.limits.items():
            self.check_names(
                settings, "limits", limits, fields, "an amount that seats decide on", rules.id
            )
            for name, limit in limits.items():
                self._check_limit(f"limits.{role}", fields[name], limit)
        named = {name for limits in settings.limits.values() for name in limits}
        self.highs = {name: self._highs(fields[name]) for name in sorted(named)}
        actions = tuple(self._reachable(field) for field in declared.actions)
        self.declared = replace(declared, actions=actions)

    @classmethod
    def in_force(
        cls, settings: PowerParameters, rules: Rules[Any], force: InForce[Any]
    ) -> InForce[Any]:
        cls.check_says_something(settings, "limits", "weights")
        for key in ("limits", "weights"):
            roles = rules.config.agents.roles
            cls.check_names(settings, key, getattr(settings, key), roles, "a role", rules.id)
        if not settings.weights:
            return force
        if not rules.weighs:
            raise cls.refusal("weights", settings.weights, f"{rules.id} does not weight seats")
        of_seats = roles_of_seats(rules.config.agents, rules.seats)
        weights = np.array([settings.weights.get(role, 1.0) for role in of_seats])
        return force._replace(weights=1.0 + settings.intensity * (weights - 1.0))

    def _check_limit(self, key: str, field: Field, limit: float) -> None:
        if not field.low <= limit <= field.high:
            rule = f"should be within {field.low:g} .. {field.high:g}"
            raise self.refusal(f"{key}.{field.name}", limit, rule)
        if np.isinf(field.high) and self.s < 1.0:
            rule = "no upper limit is declared, so the intensity should be 1"
            raise self.refusal(f"{key}.{field.name}", limit, rule)

    def _highs(self, field: Field) -> Array:
        """Return the maximum of an amount for each seat, shape (n,)."""
        limits = [
            self.settings.limits.get(role, {}).get(field.name, field.high) for role in self.roles
        ]
        limit = np.array(limits)
        if np.isfinite(field.high):
            limit = field.high + self.s * (limit - field.high)
        return np.floor(limit) if field.kind == "whole" else limit

    def _reachable(self, field: Field) -> Field:
        """Return the field with the coarsest grain that divides every seat's limit, but no coarser
        than its own.

        With a coarser grain, a slider with steps of 1 would stop at 2 even though the limit is 2.5.
        If no grain divides all limits, the grain does not change.
        """
        if not field.grain or field.name not in self.highs or np.isinf(field.low):
            return field
        highs = self.highs[field.name]
        spans = highs[np.isfinite(highs)] - field.low
        for part in _FINER:
            steps = spans * part / field.grain
            if np.all(np.abs(steps - np.round(steps)) < _ALMOST * part):
                return replace(field, grain=field.grain / part)
        return field

    def limits(self, limits: Limits, state: Arrays) -> Limits:
        tighter = dict(limits)
        for name, high in self.highs.items():
            low, upper = tighter.get(name, (-np.inf, np.inf))
            upper = np.minimum(upper, high)
            tighter[name] = (np.minimum(low, upper), upper)
        return tighter
