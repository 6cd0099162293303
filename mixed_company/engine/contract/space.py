"""Fields of actions, observations and states: name, shape, unit, range, visibility.

A *layout* is a tuple of fields. The data it describes are *named arrays*: a dict from field name to
a numpy array. Every array may have leading batch axes: `()` for one play, `(B,)` for B plays at
once. After the batch axes come

* for an action, a reward component or a `private` observation: the seat axis (length n), `shape`;
* for a `public` observation or a state field: `shape` alone (shared values are stored once).

A value that a seat may not see is NaN in an array and `null` in JSON, but the field is always
present. Only fields declared `maskable` may be NaN; others use `Field.blank`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

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
    """A named quantity.

    kind        `real`, `whole` (a count), `choice` (an index low..high) or `flag`
    low, high   the hard range, limits included
    shape       axes after batch and seat
    visibility  `public`: same for all seats; `private`: one per seat; `hidden`: seen by no seat
    maskable    whether it may be NaN, which means "not shown"
    open        whether no role or layer hides it: it is needed to decide, or known from the rules
    default     for an action field: the action of a seat that does not decide, within its limits
    grain       for an amount: step of a page's control, starting at the lower limit; 0: any number.
                Typed numbers need not be multiples of it
    ends_only   for an amount: whether only its two limits can be used. A number between them
                counts as the nearer limit, and the midpoint as the lower one
    common      whether its axes do not represent seats, even if they have the same length
    bulk        whether it is large, such as a map, and is left out of table journals, histories
                and exports; whole numbers and choices then take a byte or two each
    names       names of the numbers from `low` on, if any; for a one-hot field, names of the
                places on its last axis
    reads       for an observation: the state fields and random arrays it is computed from; empty:
                the state field of its own name, if there is one. The leak check uses it.
                For an action: the observations that its limits depend on; of those with a number
                per seat, only the seat's own. Nothing hides, blurs or delays them for a seat that
                decides (`engine.contract.permissions`)
                For a component: the game's observations that it reveals, beyond what its seat
                knows from its own action and the rules; if the component is `private`, only the
                seat's own numbers in them. A seat that does not see them is told no components
                (`engine.play.told`)
    stage       for an action field: the stage of the period in which it is decided
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
    ends_only: bool = False
    common: bool = False
    bulk: bool = False
    names: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    stage: int = 0

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the state fields and random arrays it is computed from."""
        return self.reads or (self.name,)

    @property
    def blank(self) -> Any:
        """Value that means "not shown": NaN, or else the allowed number nearest to 0."""
        if self.maskable:
            return np.nan
        return self.dtype(self.low if np.isfinite(self.low) else min(self.high, 0.0))

    def hideable(self) -> Field:
        """Return a private, maskable copy of this field, which can be hidden from some seats."""
        kind = self.kind if self.maskable else "real"
        return replace(self, kind=kind, visibility="private", maskable=True)

    @cached_property
    def dtype(self) -> type[Any]:
        """Type of its values."""
        if self.bulk and self.kind in ("whole", "choice"):
            return np.int8 if self.high <= np.iinfo(np.int8).max else np.int16
        return _DTYPE[self.kind]


def of_seat(layout: Iterable[Field], arrays: Arrays, seat: int) -> dict[str, Array]:
    """Return the part of a play's observation (batch shape `()`) that one seat sees."""
    return {
        field.name: arrays[field.name][seat]
        if field.visibility == "private"
        else arrays[field.name]
        for field in layout
    }


_ARRAYS = frozenset([np.ndarray, np.float64, np.int64, np.bool_])


def to_json(arrays: Arrays) -> dict[str, Any]:
    """Return named arrays as plain JSON values. NaN becomes None; infinities raise ValueError."""
    plain = {}
    for name in arrays:
        value: Any = arrays[name]
        if type(value) not in _ARRAYS:
            value = np.asarray(value)
        plain[name] = value.tolist()
        if value.dtype.kind == "f":
            listed = plain[name]  # Python is faster for a few numbers
            added = listed if value.ndim == 0 else sum(listed) if value.ndim == 1 else np.nan
            if added - added != 0.0:  # some of them may not be finite
                plain[name] = _finite(value)
    return plain


def _finite(value: Any) -> Any:
    """Return real numbers as plain numbers, with None for NaN."""
    if np.isfinite(value).all():
        return value.tolist()
    if np.isinf(value).any():
        raise ValueError("an infinite value has no JSON form")
    shown = np.asarray(value, dtype=object)
    shown[np.isnan(value)] = None
    return shown.tolist()


def from_json(layout: Iterable[Field], data: Mapping[str, Any]) -> dict[str, Array]:
    """Return the arrays of a layout from JSON (the inverse of `to_json`). Raises KeyError if a
    field is missing.
    """
    return {field.name: _array(field, data[field.name]) for field in layout}


def _array(field: Field, value: Any) -> Array:
    if field.kind == "real":
        return np.asarray(_null_to_nan(value), dtype=np.float64)
    return np.asarray(value, dtype=field.dtype)


def _null_to_nan(value: Any) -> Any:
    if isinstance(value, list):
        return [_null_to_nan(item) for item in value]
    return np.nan if value is None else value
