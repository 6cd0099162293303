"""What was sent, looked at by itself: names, types, shapes, finite and whole numbers.

`engine.contract.allowed` asks this before it looks at what is allowed. What is no number of the
declared kind and shape raises ActionError with seat, field, value and rule.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from engine.contract.errors import ActionError, nearest
from engine.contract.space import Array, Field

__all__ = ["check_names", "checked", "refused", "translated"]

_MOST = int(sys.float_info.max)  # the largest whole number that is a finite float
_MOST_ITEMS = 12  # of a list that an error shows


def translated(text: str) -> str:
    """A rule that a page translates: `xgettext --keyword=translated` finds it."""
    return text


_A_NUMBER = translated("must be a number")
_FINITE = translated("must be a finite number")


def check_names(fields: tuple[Field, ...], actions: Any) -> None:
    """Refuse what does not name each field once, and no other."""
    known = [field.name for field in fields]
    if isinstance(actions, dict) and list(actions) == known:
        return
    if not isinstance(actions, Mapping):
        rule = translated("must map {names} to numbers")
        names = ", ".join(known)
        raise ActionError.of("", f"action = {_short(actions)}", rule, names=names)
    for name in actions:
        if name not in known:
            hint = nearest(str(name), known)
            what = f"action field {_short(name)}"
            raise ActionError.of("", what, translated("unknown{hint}"), hint=hint)
    for name in known:
        if name not in actions:
            raise ActionError.of("", f"action field {name!r}", translated("is missing"))


def checked(field: Field, sent: Any, seats: tuple[int, ...]) -> Array:
    """What was sent for a field, as an array of the right type and of the shape `seats` + its own.

    Raises ActionError.
    """
    array = _numbers(field, sent, seats)
    expected = seats + field.shape
    if array.shape != expected:
        raise _misshapen(field, sent, array.shape, seats)
    real = array.dtype.kind == "f"
    if real and array.dtype != np.float64:
        with np.errstate(over="ignore"):  # a longer number may become infinite
            array = array.astype(np.float64)
    if real and not np.logical_and.reduce(np.isfinite(array), axis=None):
        raise refused(field, seats, array, ~np.isfinite(array), _FINITE)
    if field.kind == "real":
        return array if array.dtype == np.float64 else array.astype(np.float64)
    if real and (odd := array != np.floor(array)).any():
        raise refused(field, seats, array, odd, translated("must be a whole number"))
    return array


def _misshapen(
    field: Field, sent: Any, shape: tuple[int, ...], seats: tuple[int, ...]
) -> ActionError:
    expected = seats + field.shape
    if expected == ():
        return ActionError.of("", f"{field.name} = {_short(sent)}", _A_NUMBER)
    rule = translated("shape {shape} should be {expected}")
    if seats:
        rule = translated("shape {shape} should be {expected} (one per seat)")
    what = f"action field {field.name!r}"
    return ActionError.of("", what, rule, shape=shape, expected=expected)


def _numbers(field: Field, sent: Any, seats: tuple[int, ...]) -> Array:
    """The numbers that were sent; a truth value is one only for a flag."""
    kinds = _kinds(field)
    if isinstance(sent, np.ndarray):
        if isinstance(sent, np.ma.MaskedArray):
            rule = translated("must be numbers, none masked")
            raise ActionError.of("", f"{field.name} is a masked array", rule)
        if sent.dtype.kind not in kinds:
            what = f"{field.name} is an array of {sent.dtype}"
            raise ActionError.of("", what, translated("must be an array of numbers"))
        return sent
    for place, item in _flat(sent, ()):
        broken = _wrong(field, item)
        if broken:
            raise ActionError.of(_who(place, seats), f"{field.name} = {_short(item)}", broken)
    try:
        array = np.asarray(sent)
    except (ValueError, OverflowError):
        array = np.asarray(None)
    return array if array.dtype.kind in kinds else _reals(field, sent, seats)


def _reals(field: Field, sent: Any, seats: tuple[int, ...]) -> Array:
    """Whole numbers beyond 64 bits as reals; rows unlike in length are refused."""
    try:
        return np.asarray(sent, dtype=np.float64)
    except (ValueError, TypeError):
        axes = len(seats + field.shape)
        places = ((place, item) for place, item in _flat(sent, (), axes) if _is_list(item))
        place, item = next(places, ((), sent))
        what = f"{field.name} = {_short(item)}"
        raise ActionError.of(_who(place, seats), what, _A_NUMBER) from None


def refused(
    field: Field, seats: tuple[int, ...], array: Array, wrong: Array, rule: str, **gaps: Any
) -> ActionError:
    """The refusal of the first number of an array that is `wrong`."""
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    what = f"{field.name} = {_short(array[place].item())}"
    return ActionError.of(_who(place, seats), what, rule, **gaps)


def _who(place: tuple[int, ...], seats: tuple[int, ...]) -> str:
    """The play and the seat of a place, as an error begins."""
    axes = len(seats)
    if axes == 0 or len(place) < axes:
        return ""
    play = f"play {place[: axes - 1]}, " if axes > 1 else ""
    return f"{play}seat {place[axes - 1]}, "


def _wrong(field: Field, item: Any) -> str | None:
    """The rule that one value breaks before it is looked at as a number."""
    if isinstance(item, bool | np.bool_):
        return None if field.kind == "flag" else _A_NUMBER
    if isinstance(item, int):
        return None if -_MOST <= item <= _MOST else _FINITE
    if isinstance(item, float | np.number):
        return None if np.isrealobj(item) else _A_NUMBER
    if isinstance(item, np.ndarray) and not isinstance(item, np.ma.MaskedArray):
        return None if item.dtype.kind in _kinds(field) else _A_NUMBER
    return _A_NUMBER


def _kinds(field: Field) -> str:
    """The kinds of arrays that are numbers of a field; of truth values, only of a flag."""
    return "iufb" if field.kind == "flag" else "iuf"


def _flat(
    value: Any, place: tuple[int, ...], depth: float = math.inf
) -> Iterator[tuple[tuple[int, ...], Any]]:
    """(place, item) of what is in lists within lists, down to a depth."""
    if _is_list(value) and len(place) < depth:
        for number, item in enumerate(value):
            yield from _flat(item, (*place, number), depth)
    else:
        yield place, value


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple)


def _short(value: Any) -> str:
    """A value as an error tells it: never long, whatever was sent."""
    if isinstance(value, dict | list | tuple) and len(value) > _MOST_ITEMS:
        return f"{type(value).__name__} of {len(value)}"
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 10**20:
        return "a huge number"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
