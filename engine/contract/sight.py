"""What each seat sees, after the game and its layers: masks of roles and endings, and the turn.

In a sequential play later seats see what earlier ones decided in the same period, in the fields
`earlier_<action field>` (n), NaN for those that have not decided or come later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from engine.contract.arrays import masked
from engine.contract.config import Agents, check_agents, check_order, role_table
from engine.contract.declaration import SEEN, Declaration
from engine.contract.space import Array, Arrays, Field

__all__ = ["Sight"]


class Sight:
    """The observations of one game. `layout` are all observation fields as they are seen."""

    def __init__(
        self, declared: Declaration, agents: Agents, seats: int, seats_can_end: bool
    ) -> None:
        self.seats = seats
        self._can_end = seats_can_end
        self._numbers = np.arange(seats)
        self._numbers.flags.writeable = False
        order = check_order(agents, seats)
        self.order = order if agents.timing == "sequential" else None
        self._earlier = _earlier(declared.actions, seats) if self.order else ()
        rank = np.argsort(np.array(order))
        self._before = rank[None, :] < rank[:, None]
        fields = (*declared.observations, *self._earlier)
        check_agents(
            agents,
            seats,
            {field.name for field in fields if field.maskable},
            {field.name for field in declared.actions},
        )
        self._masks = self._role_masks(agents, fields)
        self._public = {field.name for field in fields if field.visibility == "public"}
        self.layout = self._contract() + tuple(map(self._layout_of, fields))

    def _contract(self) -> tuple[Field, ...]:
        *others, ended = SEEN
        return (*others, replace(ended, visibility="private" if self._can_end else "public"))

    def _layout_of(self, field: Field) -> Field:
        return replace(field, visibility="private") if field.name in self._masks else field

    def _role_masks(self, agents: Agents, fields: tuple[Field, ...]) -> dict[str, Array]:
        """(n,) who does not see a field; where seats can end, for every field that can be hidden"""
        table = role_table(agents, self.seats, "sees")
        masks = {}
        for field in fields:
            barred = np.array([names is not None and field.name not in names for names in table])
            if field.maskable and (self._can_end or barred.any()):
                masks[field.name] = barred
        return masks

    def hidden_from(self, seat: int) -> set[str]:
        """The fields that the role of a seat does not show it."""
        return {name for name, barred in self._masks.items() if barred[seat]}

    def observe(self, shown: Arrays, state: Arrays) -> Arrays:
        """What all seats see; `shown` is what the game and its layers show."""
        batch = np.shape(state["period"])
        seen = dict(shown)
        for field in self._earlier:
            seen[field.name] = np.full((*batch, self.seats, *field.shape), np.nan)
        gone = state["seat_reason"] > 0 if self._can_end else None
        for name, mask in self._masks.items():
            hidden = mask if gone is None else mask | gone
            seen[name] = masked(seen[name], hidden, name in self._public, batch)
        seen["period"] = state["period"]
        seen["seat"] = (
            np.broadcast_to(self._numbers, (*batch, self.seats)) if batch else self._numbers
        )
        over = state["reason"] > 0
        seen["ended"] = over if gone is None else over[..., None] | gone
        return seen

    def told(self, seen: Arrays, decided: Mapping[str, Any], state: Arrays) -> Arrays:
        """The observations in which each seat sees what those before it have `decided` (n)."""
        now = dict(seen)
        for field in self._earlier:
            values = np.asarray(decided[field.name.removeprefix("earlier_")], dtype=np.float64)
            before = self._before.reshape(self._before.shape + (1,) * (len(field.shape) - 1))
            one_for_all = np.expand_dims(values, len(np.shape(state["period"])))
            known = np.where(before, one_for_all, np.nan)
            hidden = self._masks.get(field.name)
            if hidden is not None:
                if self._can_end:
                    hidden = hidden | (state["seat_reason"] > 0)
                known = masked(known, hidden, False, np.shape(state["period"]))
            now[field.name] = known
        return now


def _earlier(actions: tuple[Field, ...], seats: int) -> tuple[Field, ...]:
    return tuple(
        Field(
            f"earlier_{field.name}",
            f"decided by the seats before, this period: {field.meaning}",
            field.unit,
            low=field.low,
            high=field.high,
            shape=(seats, *field.shape),
            visibility="private",
            maskable=True,
        )
        for field in actions
    )
