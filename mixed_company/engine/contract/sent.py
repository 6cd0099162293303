"""Checks on the form of actions: names, types and shapes, and that numbers are finite or whole.

`engine.contract.allowed` runs them before it checks ranges. A value that is not a number of the
declared kind and shape raises ActionError, which names the seat, field, value and rule.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract.errors import ActionError, nearest, short
from mixed_company.engine.contract.space import Array, Field
from mixed_company.language import translated

_MOST = int(sys.float_info.max)  # the largest whole number that is a finite float
_NUMBERS = "iuf"  # kinds of arrays
_OF_A_FLAG = "iufb"
_DEEPEST = 32  # maximum depth of nested lists; no field is nested this deep


_A_NUMBER = translated("must be a number")
_FINITE = translated("must be a finite number")


def check_names(
    fields: tuple[Field, ...], actions: Any, optional: frozenset[str] = frozenset()
) -> None:
    """Refuse actions that do not name each field exactly once; `optional` fields may be missing."""
    valid = [field.name for field in fields]
    if type(actions) is dict and [*actions] == valid:
        return
    if not isinstance(actions, Mapping):
        rule = translated("must map {names} to numbers")
        names = ", ".join(valid)
        raise ActionError.of("", f"action = {short(actions)}", rule, names=names)
    for name in actions:
        if name not in valid:
            hint = nearest(name, valid)
            subject = f"action field {short(name)}"
            raise ActionError.of("", subject, translated("unknown{hint}"), hint=hint)
    for name in valid:
        if name not in actions and name not in optional:
            raise ActionError.of("", f"action field {name!r}", translated("is missing"))


def checked(field: Field, sent: Any, seats: tuple[int, ...]) -> Array:
    """Return a field's values as an array of the right type and shape: `seats` plus the field's
    own.

    Raises ActionError.
    """
    if field.kind == "real" and type(sent) is list and {*map(type, sent)} == {float}:
        array = np.asarray(sent)  # the usual case: a table sends a list for all seats
        if array.shape == seats + field.shape and np.logical_and.reduce(np.isfinite(array)):
            return array
    kinds = _OF_A_FLAG if field.kind == "flag" else _NUMBERS
    array = numbers(field.name, sent, seats, field.shape, kinds)
    expected = seats + field.shape
    if array.shape != expected:
        raise _misshapen(field, sent, array.shape, seats)
    real = array.dtype.kind == "f"
    if real and array.dtype != np.float64:
        with np.errstate(over="ignore"):  # a longer number may become infinite
            array = array.astype(np.float64)
    if real and not _all_finite(array):
        raise refused(field, seats, array, ~np.isfinite(array), _FINITE)
    if field.kind == "real":
        return array if array.dtype == np.float64 else array.astype(np.float64)
    if real and (odd := array != np.floor(array)).any():
        raise refused(field, seats, array, odd, translated("must be a whole number"))
    return array


def _all_finite(array: Array) -> bool:
    if array.ndim == 0:
        return math.isfinite(array.item())
    return bool(np.logical_and.reduce(np.isfinite(array), axis=None))


def _misshapen(
    field: Field, sent: Any, shape: tuple[int, ...], seats: tuple[int, ...]
) -> ActionError:
    expected = seats + field.shape
    if expected == ():
        return ActionError.of("", f"{field.name} = {short(sent)}", _A_NUMBER)
    rule = translated("shape {shape} should be {expected}")
    if seats:
        rule = translated("shape {shape} should be {expected} (one per seat)")
    subject = f"action field {field.name!r}"
    return ActionError.of("", subject, rule, shape=shape, expected=expected)


def numbers(
    name: str,
    sent: Any,
    seats: tuple[int, ...] = (),
    inner: tuple[int, ...] = (),
    kinds: str = _NUMBERS,
) -> Array:
    """Return the values of `name` as an array. Refuse masked values, booleans and anything else
    that is not a number.

    seats, inner  the expected axes: those of plays and seats, which an error names, then the rest
    kinds         the kinds of arrays that count as numbers here

    Raises ActionError. The shape and the number of values are not checked.
    """
    # The usual cases: a policy or a page sends a float for one seat; a table sends a list for all.
    if type(sent) is float or (type(sent) is list and {*map(type, sent)} == {float}):
        return np.asarray(sent)
    if isinstance(sent, np.ndarray):
        if isinstance(sent, np.ma.MaskedArray):
            rule = translated("must be numbers, without masked values")
            raise ActionError.of("", f"{name} is a masked array", rule)
        if sent.dtype.kind not in kinds:
            subject = f"{name} is an array of {sent.dtype}"
            raise ActionError.of("", subject, translated("must be an array of numbers"))
        return sent
    for place, item in _flat(sent, ()):
        broken = _wrong(item, kinds)
        if broken:
            raise ActionError.of(who(place, seats), f"{name} = {short(item)}", broken)
    try:
        array = np.asarray(sent)
    except (ValueError, OverflowError):
        array = np.asarray(None)
    return array if array.dtype.kind in kinds else _reals(name, sent, seats, inner)


def _reals(name: str, sent: Any, seats: tuple[int, ...], inner: tuple[int, ...]) -> Array:
    """Convert whole numbers beyond 64 bits to reals; refuse rows of different lengths."""
    try:
        return np.asarray(sent, dtype=np.float64)
    except (ValueError, TypeError):
        place, item = _uneven(sent, len(seats + inner))
        raise ActionError.of(who(place, seats), f"{name} = {short(item)}", _A_NUMBER) from None


def _uneven(sent: Any, axes: int) -> tuple[tuple[int, ...], Any]:
    """Return the first item that is nested deeper than this; if there is none, return everything
    sent."""
    items = _flat(sent, (), axes)
    places = ((place, item) for place, item in items if _is_list(item) or _axes(item))
    return next(places, ((), sent))


def refused(
    field: Field, seats: tuple[int, ...], array: Array, wrong: Array, rule: str, **gaps: Any
) -> ActionError:
    """Return the error for the first number in an array that is flagged as `wrong`."""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    subject = f"{field.name} = {short(array[place].item())}"
    return ActionError.of(who(place, seats), subject, rule, **gaps)


def who(place: tuple[int, ...], seats: tuple[int, ...]) -> str:
    """Return the start of an error message: the play and the seat at this place."""
    axes = len(seats)
    if axes == 0 or len(place) < axes:
        return ""
    play = f"play {place[: axes - 1]}, " if axes > 1 else ""
    return f"{play}seat {place[axes - 1]}, "


def _wrong(item: Any, kinds: str) -> str | None:
    """Return the rule that a value breaks before it is even parsed as a number, or None."""
    if isinstance(item, bool | np.bool_):
        return None if kinds == _OF_A_FLAG else _A_NUMBER
    if isinstance(item, int):
        return None if -_MOST <= item <= _MOST else _FINITE
    if isinstance(item, float | np.number) and not isinstance(item, np.timedelta64):
        return None if np.isrealobj(item) else _A_NUMBER
    if isinstance(item, np.ndarray) and not isinstance(item, np.ma.MaskedArray):
        return None if item.dtype.kind in kinds else _A_NUMBER
    return _A_NUMBER


def _flat(
    value: Any, place: tuple[int, ...], depth: int = _DEEPEST
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Yield (place, item) for each item of nested lists, down to a given depth."""
    if _is_list(value) and len(place) < depth:
        for number, item in enumerate(value):
            yield from _flat(item, (*place, number), depth)
    else:
        yield place, value


def _axes(item: Any) -> int:
    return item.ndim if isinstance(item, np.ndarray) else 0


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)
