"""Ranges and choices currently open to seats, given the declared ranges, a state and roles.

`engine.contract.allowed` builds on this module; other code should use that module only.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Self

import numpy as np

from mixed_company.engine.contract.arrays import frozen
from mixed_company.engine.contract.assigning import Assigning
from mixed_company.engine.contract.permissions import beside, closed_at
from mixed_company.engine.contract.space import Array, Arrays, Field

Limits = Mapping[str, tuple[Any, Any]]


class Ends:
    """Each field's minimum, maximum and default, the barred seats, and the open choices.

    fields   the declared action fields
    shape    shape of the seats: (n,), (B, n) for a batch, (K,) for some seats, () for one seat. An
             array field adds its own shape to it
    assigning  rules for points assigned to others; None if there are none
    idle     fields of other stages of the period: their defaults are always used
    """

    def __init__(
        self,
        fields: tuple[Field, ...],
        shape: tuple[int, ...],
        limits: Limits,
        barred: Arrays,
        closed: Arrays | None = None,
        assigning: Assigning | None = None,
        idle: frozenset[str] = frozenset(),
    ) -> None:
        self.fields = fields
        self.shape = shape
        self.barred = barred
        self.closed: Arrays = closed or {}
        self.assigning = assigning
        self.idle = idle
        self._limits = limits
        self._listed_ends: dict[str, list[Any]] | None = None

    @cached_property
    def low(self) -> Arrays:
        """Lower limit of each field."""
        return frozen(
            {field.name: self._whole(field, self.ends(field)[0]) for field in self.fields}
        )

    @cached_property
    def high(self) -> Arrays:
        """Upper limit of each field; infinite if there is none."""
        return frozen(
            {field.name: self._whole(field, self.ends(field)[1]) for field in self.fields}
        )

    @cached_property
    def default(self) -> Arrays:
        """Action of a seat that does not decide."""
        defaults = {
            field.name: self._broadcast(field, self._default(field)).astype(field.dtype)
            for field in self.fields
        }
        return frozen(defaults)

    @property
    def alike(self) -> bool:
        """True if all seats have the same limits, because all limits are plain numbers and no role
        bars a seat."""
        for low, high in self._limits.values():
            if type(low) is not float or type(high) is not float:
                return False
        return not (self.barred or self.closed or self.assigning)

    def ends(self, field: Field) -> tuple[Any, Any]:
        """Return the lower and upper limits of one field: numbers, or arrays that broadcast with
        its values."""
        if field.name not in self.closed:
            return self._ends(field)
        flags = self.open(field)
        first, last = flags.argmax(axis=-1), flags[..., ::-1].argmax(axis=-1)
        return field.low + first, field.high - last

    def of(self, index: Any) -> Self:
        """Return the limits for some seats, selected by a seat number or any numpy index into
        `shape`."""
        limits, barred, closed = {}, {}, {}
        for field in self.fields:
            if field.name in self._limits:
                low, high = self._limits[field.name]
                limits[field.name] = (self._part(low, index), self._part(high, index))
            if field.name in self.barred:
                barred[field.name] = self._part(self.barred[field.name], index)
            if field.name in self.closed:
                flags = self.closed[field.name]
                closed[field.name] = np.broadcast_to(flags, (*self.shape, flags.shape[-1]))[index]
        rules = None if self.assigning is None else self.assigning.at(index)
        shape = self._shape_of(index)
        return type(self)(self.fields, shape, limits, barred, closed, rules, self.idle)

    def rows(self, index: Any) -> Self:
        """Return the limits for a list of seats, shape (K,)."""
        part = self.of(index)
        limits = {
            name: (_row(low, part.shape), _row(high, part.shape))
            for name, (low, high) in part._limits.items()
        }
        barred = {name: _row(flags, part.shape) for name, flags in part.barred.items()}
        closed = {name: flags.reshape(-1, flags.shape[-1]) for name, flags in part.closed.items()}
        rules = None if part.assigning is None else part.assigning.flat()
        shape = (math.prod(part.shape),)
        return type(self)(self.fields, shape, limits, barred, closed, rules, self.idle)

    def open(self, field: Field) -> Array:
        """Return flags for a field's choices that are currently open, shape (..., choices)."""
        choice = np.arange(int(field.low), int(field.high) + 1)
        low, high = (self._whole(field, end)[..., None] for end in self._ends(field))
        flags = (choice >= low) & (choice <= high)
        if field.name in self.closed:
            flags &= ~beside(self.closed[field.name], field)
        return np.asarray(flags)

    def shuts(self, field: Field, choice: Array) -> Array:
        """Return flags, shaped like `choice`, for a field's choices that are currently closed."""
        low, high = self._ends(field)
        shut = (choice < low) | (choice > high)
        if field.name in self.closed:
            shut = shut | closed_at(self.closed[field.name], field, choice)
        return np.asarray(shut)

    @classmethod
    def from_json(cls, fields: tuple[Field, ...], data: Mapping[str, Any]) -> Self:
        """Rebuild one seat's limits from the result of `to_json`."""
        limits = {
            name: (-math.inf if low is None else low, math.inf if high is None else high)
            for name, (low, high, *_) in data.items()
        }
        closed = {
            field.name: ~np.isin(np.arange(field.low, field.high + 1), data[field.name][2])
            for field in fields
            if field.kind == "choice" and len(data[field.name]) > 2
        }
        return cls(fields, (), limits, {}, closed)

    def to_json(self) -> dict[str, list[Any]]:
        """Return {field: [low, high]} for one seat, with None for a missing limit. Do not modify
        the result.

        The limits of an array field apply to each of its entries. If a role closes choices, the
        third item lists the open ones: [low, high, [choice, ...]]. For points assigned to others,
        it lists the seats that may get points.
        """
        if self._listed_ends is None:
            self._listed_ends = {}
            for field in self.fields:
                low, high = self.ends(field)
                ends: list[Any] = [_plain(low), _plain(high)]
                if self.assigning is not None or self.closed:
                    ends += self._listed(field)
                self._listed_ends[field.name] = ends
        return self._listed_ends

    # -- inside ---------------------------------------------------------------------------

    def _listed(self, field: Field) -> list[list[int]]:
        rules = self.assigning
        if rules is not None and field.name == rules.field:
            return [np.flatnonzero(rules.open).tolist()]
        if field.name not in self.closed or not self.closed[field.name].any():
            return []
        flags = self.open(field)[(0,) * len(field.shape)]
        return [(int(field.low) + np.flatnonzero(flags)).tolist()]

    def _ends(self, field: Field) -> tuple[Any, Any]:
        """Return the limits in the current state; if a role bars the field, both limits are its
        default.
        """
        if field.name in self.idle:
            return (self._default(field),) * 2
        low, high = self._limits_of(field)
        if field.name in self.barred:
            barred, default = self._beside(field, self.barred[field.name]), self._default(field)
            low, high = np.where(barred, default, low), np.where(barred, default, high)
        return low, high

    def _limits_of(self, field: Field) -> tuple[Any, Any]:
        """Return the limits in the current state, within the declared range, ignoring roles."""
        if field.name not in self._limits:
            return field.low, field.high
        low, high = self._limits[field.name]
        if field.shape:
            low, high = self._beside(field, low), self._beside(field, high)
        if field.low != -math.inf and low is not field.low:
            low = np.maximum(low, field.low)
        return low, high if field.high == math.inf else np.minimum(high, field.high)

    def _default(self, field: Field) -> Any:
        low, high = self._limits_of(field)
        return np.minimum(np.maximum(field.default, low), high)

    def _whole(self, field: Field, values: Any) -> Array:
        return self._broadcast(field, np.asarray(values, dtype=np.float64))

    def _broadcast(self, field: Field, values: Any) -> Array:
        shape = self.shape + field.shape
        return np.broadcast_to(values, shape) if shape or np.ndim(values) else np.asarray(values)

    def _beside(self, field: Field, values: Any) -> Any:
        """Reshape numbers per seat to broadcast with the values of a field."""
        if not field.shape or not np.ndim(values):
            return values
        return np.reshape(values, np.shape(values) + (1,) * len(field.shape))

    def _shape_of(self, index: Any) -> tuple[int, ...]:
        if len(self.shape) == 1 and isinstance(index, int):
            return ()
        places: Array = np.broadcast_to(False, self.shape)[index]
        return places.shape

    def _part(self, values: Any, index: Any) -> Any:
        if type(values) is float:
            return values
        if isinstance(values, np.ndarray) and values.shape == self.shape:
            return values[index]
        return np.broadcast_to(values, self.shape)[index] if np.ndim(values) else values


def _row(values: Any, shape: tuple[int, ...]) -> Any:
    return np.broadcast_to(values, shape).ravel() if np.ndim(values) else values


def _plain(end: Any) -> float | None:
    """Return one seat's limit as a number; all entries of an array field have the same limit."""
    number = float(end.flat[0] if type(end) is np.ndarray else end)
    return number if -math.inf < number < math.inf else None
