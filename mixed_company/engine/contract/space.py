"""What one field of an action, observation or state is: name, shape, unit, range, who may see it.

A *layout* is a tuple of fields. The data it describes are *named arrays*: a dict from field
name to a numpy array. Every array may carry leading batch axes: `()` for one play, `(B,)` for
B plays at once. After the batch axes come

* for an action, a reward component or a `private` observation: the seat axis (length n), `shape`;
* for a `public` observation or a state field: `shape` alone (what all share is stored once).

A value a seat may not see is NaN in an array and `null` in JSON; the field is always there.
Only fields declared `maskable` may be NaN; for the others there is `Field.blank`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

__all__ = ["Array", "Arrays", "Field", "from_json", "of_seat", "to_json"]

Array = NDArray[Any]
Arrays = Mapping[str, Array]
Kind = Literal["real", "whole", "choice", "flag"]
Visibility = Literal["public", "private", "hidden"]

_DTYPE: dict[str, type[Any]] = {
    "real": np.float64,
    "whole": np.int64,
    "choice": np.int64,
    "flag": np.bool_,
}


@dataclass(frozen=True)
class Field:
    """One named quantity.

    kind        `real`, `whole` (a count), `choice` (an index low..high) or `flag`
    low, high   the hard range, ends included
    shape       axes after batch and seat
    visibility  `public`: same for all seats; `private`: each seat its own; `hidden`: no seat
    maskable    may be NaN, which means "not shown"
    open        no role and no layer hides it: needed to decide, or told by the rules anyway
    default     for an action field: what happens when nobody decides, as far as it is allowed
    grain       for an amount that is chosen: what a control on a page moves it by, from its lower
                end on; 0: any number. Whoever enters a number may enter another one
    common      its axes are not those of seats, even where they are as long
    bulk        large, such as a map, and no number to analyse: left out of logs of tables, of
                histories and exports; whole numbers and choices then take a byte or two each
    names       what the numbers from `low` on stand for, where they stand for something; of a
                one-hot field, what the places of its last axis stand for
    reads       of an observation: the state fields and random arrays it is computed from; empty:
                the state field of its own name, if there is one. The leak check goes by it.
                Of an action: the observations that tell what its limits follow from, of those with
                a number per seat each seat's own. Nothing hides, blurs or delays them for who
                decides (`engine.contract.permissions`)
    """

    name: str
    meaning: str
    unit: str = ""
    kind: Kind = "real"
    low: float = -np.inf
    high: float = np.inf
    shape: tuple[int, ...] = ()
    visibility: Visibility = "public"
    maskable: bool = False
    open: bool = False
    default: float = 0.0
    grain: float = 0.0
    common: bool = False
    bulk: bool = False
    names: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()

    @property
    def sources(self) -> tuple[str, ...]:
        """The names of what it is computed from."""
        return self.reads or (self.name,)

    @property
    def blank(self) -> Any:
        """What stands for "not shown": NaN, or the number nearest to 0 at its lower end."""
        if self.maskable:
            return np.nan
        return self.dtype(self.low if np.isfinite(self.low) else min(self.high, 0.0))

    def hideable(self) -> Field:
        """The same where some seats do not see it: a number per seat that may be NaN."""
        kind = self.kind if self.maskable else "real"
        return replace(self, kind=kind, visibility="private", maskable=True)

    @property
    def dtype(self) -> type[Any]:
        if self.bulk and self.kind in ("whole", "choice"):
            return np.int8 if self.high <= np.iinfo(np.int8).max else np.int16
        return _DTYPE[self.kind]


def of_seat(layout: Iterable[Field], arrays: Arrays, seat: int) -> dict[str, Array]:
    """The part of one play's observation (batch shape `()`) that one seat sees."""
    return {
        field.name: arrays[field.name][seat]
        if field.visibility == "private"
        else arrays[field.name]
        for field in layout
    }


def to_json(arrays: Arrays) -> dict[str, Any]:
    """Named arrays as plain JSON values. NaN becomes None, infinities are refused."""
    return {name: _plain(np.asarray(value)) for name, value in arrays.items()}


def _plain(value: Array) -> Any:
    if value.dtype.kind != "f":
        return value.tolist()
    if value.ndim < 2:  # of a few numbers, Python knows sooner
        plain = value.tolist()
        if math.isfinite(sum(plain) if value.ndim else plain):
            return plain
    if np.isfinite(value).all():
        return value.tolist()
    if np.isinf(value).any():
        raise ValueError("an infinite value has no JSON form")
    shown = value.astype(object)
    shown[np.isnan(value)] = None
    return shown.tolist()


def from_json(layout: Iterable[Field], data: Mapping[str, Any]) -> dict[str, Array]:
    """The inverse of `to_json` for a layout. Raises KeyError for a field that is missing."""
    return {field.name: _array(field, data[field.name]) for field in layout}


def _array(field: Field, value: Any) -> Array:
    if field.kind == "real":
        return np.asarray(_null_to_nan(value), dtype=np.float64)
    return np.asarray(value, dtype=field.dtype)


def _null_to_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_null_to_nan(item) for item in value]
    return np.nan if value is None else value
