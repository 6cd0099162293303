"""Determines what each seat observes: its role can hide values, and an ended seat sees nothing new.

The contract's own fields (`engine.contract.declaration.SEEN`) are always visible to all seats. A
role can hide any other field that is not `open`: the field is then NaN, and is declared as a
maskable real. A seat that has ended sees NaN in maskable fields. Whole numbers, choices and flags
cannot be NaN; in these fields, the seat always sees the same number, `Field.blank`. So the layout
for active seats is the same whether or not seats can end.

In a sequential play, later seats see earlier decisions in the same period in the observation fields
`earlier_<action field>`, each of shape (n,). These are NaN for seats that have not decided or come
later, and for seats whose numbers the game does not show (`Rules.in_view`). They are declared
before the layers read the declaration, so layers can hide, blur or limit them like any other
observation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.contract.arrays import frozen, masked
from mixed_company.engine.contract.config import Agents, check_fields, check_order, role_table
from mixed_company.engine.contract.declaration import SEEN, Declaration
from mixed_company.engine.contract.space import Array, Arrays, Field


class Turn:
    """The order of decisions. If all seats decide together, `order` is None and `fields` is
    empty."""

    def __init__(
        self, actions: tuple[Field, ...], agents: Agents, seats: int, in_view: Array | None
    ) -> None:
        order = check_order(agents, seats)
        self.order = order if agents.timing == "sequential" else None
        self.fields = tuple(_earlier(field, seats) for field in actions) if self.order else ()
        rank = np.argsort(np.array(order))
        before = rank[None, :] < rank[:, None]
        self._seen = before if in_view is None else before & in_view

    def shown(self, decided: Mapping[str, Any] | None, batch: tuple[int, ...]) -> Arrays:
        """Return the fields for all seats; `decided` has numbers (n,) by action field.

        Values are NaN for seats that have not decided; None means that no seat has decided.
        """
        return {field.name: self._of(field, decided, batch) for field in self.fields}

    def _of(self, field: Field, decided: Mapping[str, Any] | None, batch: tuple[int, ...]) -> Array:
        seats = len(self._seen)
        if decided is None:
            return np.full((*batch, seats, *field.shape), np.nan)
        values = np.asarray(decided[field.name.removeprefix("earlier_")], dtype=np.float64)
        seen = self._seen.reshape(self._seen.shape + (1,) * (len(field.shape) - 1))
        return np.where(seen, np.expand_dims(values, len(batch)), np.nan)


class Sight:
    """Observations in one game. `layout` contains all observation fields as seats see them.

    order   the seats in the order they decide; None if all decide together
    """

    def __init__(
        self, declared: Declaration, agents: Agents, seats: int, seats_can_end: bool, turn: Turn
    ) -> None:
        self.seats = seats
        self.order = turn.order
        self._can_end = seats_can_end
        self._numbers = np.arange(seats)
        self._numbers.flags.writeable = False
        self._nobody = np.zeros(seats, dtype=np.bool_)
        last = {field.name for field in turn.fields}
        fields = sorted(declared.observations, key=lambda field: field.name in last)
        names = {field.name for field in fields}
        check_fields(agents, names, {field.name for field in declared.actions})
        self._barred = _barred(agents, fields, seats)
        self._public = {field.name for field in fields if field.visibility == "public"}
        self.layout = self._contract() + tuple(map(self._as_seen, fields))
        contract = {field.name for field in self.layout[: len(SEEN)]}
        self._masked = tuple(
            field
            for field in self.layout
            if field.name not in contract and (self._can_end or field.name in self._barred)
        )

    def _contract(self) -> tuple[Field, ...]:
        *others, ended = SEEN
        return (*others, replace(ended, visibility="private" if self._can_end else "public"))

    def _as_seen(self, field: Field) -> Field:
        if field.name in self._barred:
            return field.hideable()
        return replace(field, visibility="private") if self._can_end else field

    def hidden_from(self, seat: int) -> set[str]:
        """Return the fields that a seat's role hides from it."""
        return {name for name, barred in self._barred.items() if barred[seat]}

    def observe(self, shown: Arrays, state: Arrays) -> Arrays:
        """Return all seats' observations, read-only; `shown` is the output of the game and its
        layers.
        """
        batch = state["period"].shape
        seen = dict(shown)
        gone = state["seat_reason"] > 0 if self._can_end else None
        for field in self._masked:
            barred = self._barred.get(field.name, self._nobody)
            hidden = barred if gone is None else barred | gone
            public = field.name in self._public
            seen[field.name] = masked(seen[field.name], hidden, public, batch, field.blank)
        seen["period"] = state["period"]
        seen["seat"] = (
            np.broadcast_to(self._numbers, (*batch, self.seats)) if batch else self._numbers
        )
        over = state["reason"] > 0
        seen["ended"] = over if gone is None else over[..., None] | gone
        return frozen(seen)


def _barred(agents: Agents, fields: list[Field], seats: int) -> dict[str, Array]:
    """Return, for each field that a role hides, flags (n,) for the seats that do not see it."""
    table = role_table(agents, seats, "sees")
    barred = {
        field.name: np.array([names is not None and field.name not in names for names in table])
        for field in fields
        if not field.open
    }
    return {name: flags for name, flags in barred.items() if flags.any()}


def _earlier(field: Field, seats: int) -> Field:
    return Field(
        f"earlier_{field.name}",
        f"decided earlier in this period by players before you: {field.meaning}",
        field.unit,
        low=field.low,
        high=field.high,
        shape=(seats, *field.shape),
        visibility="private",
        maskable=True,
    )
