"""A seat's observations as a flat float32 vector, for any game, from its declared layout.

The order of the numbers:

1. the values of all observation fields, in the order of the declaration; arrays in C order (row by
   row). A masked value (NaN) is 0 here.
2. for every `maskable` field, in the same order, as many flags: 1 where the value is shown, 0 where
   it is masked.

The length is the same in every period and for every seat. `values` and `shown` map fields to
slices, `names` names each number, and `named` splits a vector into fields again. Nothing is scaled:
the numbers are in the fields' units.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import groupby

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays, Field


class FlatObservations:
    """Flat form of a game's observations.

    layout      the observation fields (`game.declaration.observations`)
    seats       number of seats
    size        length of a seat's vector
    values      field name -> slice of its values
    shown       name of a maskable field -> slice of its flags
    low, high   (size,) float32, the range of each number
    """

    def __init__(self, layout: tuple[Field, ...], seats: int) -> None:
        self.layout, self.seats = layout, seats
        maskable = [field for field in layout if field.maskable]
        self.values = _slices(layout, 0)
        self.valued = sum(map(_size, layout))
        self.shown = _slices(maskable, self.valued)
        self.size = self.valued + sum(map(_size, maskable))
        self._runs = list(self._maskable_runs())
        self._fields = [
            (field, self.values[field.name] if field.shape else self.values[field.name].start)
            for field in layout
        ]
        self.low, self.high = self._ends()

    @property
    def names(self) -> tuple[str, ...]:
        """Name of each number: `stock`, `wealth[2]`, `trust[0,1]`, `shown: wealth[2]`."""
        values = [name for field in self.layout for name in _names(field)]
        maskable = (field for field in self.layout if field.maskable)
        return (*values, *(f"shown: {name}" for field in maskable for name in _names(field)))

    def of_all(
        self,
        observations: Arrays,
        batch: tuple[int, ...] = (),
        seats: slice | list[int] = slice(None),
    ) -> Array:
        """Return all seats' vectors, shape (*batch, n, size), from the observations of a step.

        `seats` selects some of the seats; n is then their number.
        """
        count = self.seats if seats == slice(None) else len(np.arange(self.seats)[seats])
        flat = np.empty((*batch, count, self.size), dtype=np.float32)
        for field, places in self._fields:
            values, public = observations[field.name], field.visibility == "public"
            if len(field.shape) > 1:
                leading = batch if public else (*batch, self.seats)
                values = np.reshape(values, (*leading, _size(field)))
            if field.shape:
                flat[..., places] = values[..., None, :] if public else values[..., seats, :]
            else:
                flat[..., places] = values[..., None] if public else values[..., seats]
        return self._without_masks(flat)

    def of_seat(self, observation: Arrays) -> Array:
        """Return one seat's vector, shape (size,), from `Episode.observation(seat)`."""
        flat = np.empty(self.size, dtype=np.float32)
        for field in self.layout:
            flat[self.values[field.name]] = np.ravel(observation[field.name])
        return self._without_masks(flat)

    def of_seats(self, observations: Arrays) -> Array:
        """Return the vectors of K seats, (K, size); each field of `seen` has K as its first
        axis."""
        count = len(observations[self.layout[0].name])
        flat = np.empty((count, self.size), dtype=np.float32)
        for field in self.layout:
            flat[:, self.values[field.name]] = observations[field.name].reshape(count, -1)
        return self._without_masks(flat)

    def named(self, flat: Array) -> dict[str, Array]:
        """Return the fields of flat vectors by name, (..., *shape) float32, NaN where masked."""
        arrays = {}
        for field in self.layout:
            value = flat[..., self.values[field.name]]
            if field.maskable:
                value = np.where(flat[..., self.shown[field.name]] > 0, value, np.nan)
            arrays[field.name] = value.reshape((*flat.shape[:-1], *field.shape))
        return arrays

    def _without_masks(self, flat: Array) -> Array:
        for values, shown in self._runs:
            block = flat[..., values]
            masked = np.isnan(block)
            np.copyto(block, 0.0, where=masked)
            flat[..., shown] = ~masked
        return flat

    def _maskable_runs(self) -> Iterator[tuple[slice, slice]]:
        """Yield each run of adjacent maskable fields as a block, together with the block of its
        masks."""
        start = self.valued
        for maskable, fields in groupby(self.layout, lambda field: field.maskable):
            if maskable:
                values = [self.values[field.name] for field in fields]
                first, last = values[0].start, values[-1].stop
                yield slice(first, last), slice(start, start + last - first)
                start += last - first

    def _ends(self) -> tuple[Array, Array]:
        low, high = np.zeros(self.size), np.ones(self.size)
        for field in self.layout:
            where = self.values[field.name]
            low[where] = min(field.low, 0.0) if field.maskable else field.low
            high[where] = max(field.high, 0.0) if field.maskable else field.high
        return low.astype(np.float32), high.astype(np.float32)


def _size(field: Field) -> int:
    return math.prod(field.shape)


def _slices(layout: tuple[Field, ...] | list[Field], start: int) -> dict[str, slice]:
    slices = {}
    for field in layout:
        slices[field.name] = slice(start, start + _size(field))
        start += _size(field)
    return slices


def _names(field: Field) -> Iterator[str]:
    for place in np.ndindex(*field.shape):
        yield f"{field.name}[{','.join(map(str, place))}]" if place else field.name
