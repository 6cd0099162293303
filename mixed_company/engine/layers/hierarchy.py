"""Hierarchy: seats belong to groups, and each seat sees sums over its own group."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import masked, over_seats, spread, total
from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import Declaration, Sum
from mixed_company.engine.contract.rules import Rules
from mixed_company.engine.contract.section import parameter
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.layers.base import Layer, Parameters, Settled


class HierarchyParameters(Parameters):
    """Group of each seat."""

    groups: tuple[int, ...] = parameter((), "the group of each seat, from 0")


class Hierarchy(Layer[HierarchyParameters]):
    """Observations `group` and `group_<field>`; state `group_points`. See `engine.layers`."""

    name = "hierarchy"
    position = 3
    order = 6
    parameters = HierarchyParameters

    def __init__(
        self, settings: HierarchyParameters, rules: Rules[Any], declared: Declaration
    ) -> None:
        super().__init__(settings, rules, declared)
        self.check_says_something(settings, "groups")
        groups = settings.groups
        if len(groups) != self.seats:
            rule = f"names {len(groups)} seats, but core.seats is {self.seats}"
            raise self.refusal("groups", groups, rule)
        if set(groups) != set(range(max(groups) + 1)):
            raise self.refusal("groups", groups, "should be consecutive numbers from 0")
        self.group = np.array(groups)
        self.members = [np.flatnonzero(self.group == g) for g in range(max(groups) + 1)]
        self.summed = [
            field
            for field in self.rules.own_observations
            if field.shape == (self.seats,)
            and field.visibility == "public"
            and field.kind in ("real", "whole")
            and not (field.common or field.names)
        ]
        self.declared = self._with_sums(declared)

    def _with_sums(self, declared: Declaration) -> Declaration:
        low, high = spread(declared.components)
        reward = Field("reward", "points from the last period", "points", low=low, high=high)
        group = Field(
            "group", "own group", kind="whole", low=0, high=max(self.settings.groups), open=True
        )
        seen = [replace(group, visibility="private"), *map(self._sum, [*self.summed, reward])]
        by_group = Field("", "", "points", shape=(len(self.members),), common=True)
        last = self._sum(reward)
        return replace(
            declared,
            observations=(*declared.observations, *seen),
            sums={
                f"group_{field.name}": Sum(field.name, self.settings.groups)
                for field in self.summed
            },
            state=(
                *declared.state,
                replace(by_group, name="group_points", meaning="each group's points so far"),
                replace(
                    by_group,
                    name="group_reward",
                    meaning=last.meaning,
                    low=last.low,
                    high=last.high,
                ),
            ),
        )

    def _sum(self, field: Field) -> Field:
        """Return the field for another field's sum over a group."""
        sizes = [len(group) for group in self.members]
        low = field.low * (max(sizes) if field.low < 0 else min(sizes))
        high = field.high * (max(sizes) if field.high > 0 else min(sizes))
        return Field(
            f"group_{field.name}",
            f"group total: {field.meaning}",
            field.unit,
            low=low,
            high=high,
            visibility="private",
            maskable=True,
            reads=field.sources if field.name != "reward" else (),
        )

    def draw(self, chance: Chance) -> Arrays:
        return self.sometimes(chance, "group")

    def initial(self, state: Arrays) -> Arrays:
        nothing = np.zeros((*np.shape(state["period"]), len(self.members)))
        return {"group_points": nothing, "group_reward": nothing}

    def by_group(self, values: Array) -> Array:
        """Sum values (..., n) by group, to shape (..., G)."""
        return np.stack([over_seats(values[..., group]) for group in self.members], axis=-1)

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        earned = self.by_group(total(components))
        return components, {
            "group_points": period.before["group_points"] + earned,
            "group_reward": earned,
        }

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        batch = np.shape(state["period"])
        hidden = ~self.applies(chance, "group")
        sums = {field.name: self.by_group(seen[field.name]) for field in self.summed}
        sums["reward"] = state["group_reward"]
        shown = {
            f"group_{name}": masked(values[..., self.group], hidden, False, batch)
            for name, values in sums.items()
        }
        return {**seen, "group": np.broadcast_to(self.group, (*batch, self.seats)), **shown}
