"""Actions are checked once, here: names, types, shapes, finite numbers, known and open choices.

What passes is an array per field of the declared type and shape; what does not raises ActionError
with seat, field, value and rule. Clamping to ranges is the game's business (`Game.validate`).
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Any

import numpy as np

from engine.contract.errors import ActionError, choices, nearest
from engine.contract.space import Array, Field

__all__ = ["check_open", "checked"]

_LARGEST = 2.0**62  # what a whole number without an end of its own is cut to


def checked(
    layout: tuple[Field, ...],
    actions: Mapping[str, Any],
    shape: tuple[int, ...],
    limited: Container[str] = (),
) -> dict[str, Array]:
    """Every declared field as an array of `shape` (batch + seats), or ActionError.

    Which choices of the fields in `limited` are known is left to `check_open`.
    """
    known = [field.name for field in layout]
    if not isinstance(actions, Mapping):
        raise ActionError(f"actions = {actions!r:.60}: should map {', '.join(known)} to numbers")
    for name in actions:
        if name not in known:
            raise ActionError(f"action field {name!r}: unknown{nearest(str(name), known)}")
    for name in known:
        if name not in actions:
            raise ActionError(f"action field {name!r}: is missing")
    return {
        field.name: _checked(field, actions[field.name], shape, field.name not in limited)
        for field in layout
    }


def check_open(field: Field, value: Array, low: Any, high: Any) -> None:
    """Refuse choices outside what the state allows; `low` and `high` broadcast with `value`."""
    closed = (value < low) | (value > high)
    if closed.any():
        place = tuple(np.argwhere(closed)[0])
        ends = (int(np.broadcast_to(end, value.shape)[place]) for end in (low, high))
        rule = f"not open to this seat now; one of {choices(*ends)}"
        raise _where(field, value, closed, value.shape, rule)


def _checked(field: Field, value: Any, shape: tuple[int, ...], known: bool) -> Array:
    """An action field as an array of the right type and shape, or ActionError."""
    expected = shape + field.shape
    array = _numbers(field, value)
    if array.shape != expected:
        raise ActionError(
            f"action field {field.name!r}: shape {array.shape} should be {expected} (one per seat)"
        )
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise _where(field, array, ~np.isfinite(array), shape, "must be a finite number")
    if field.kind == "real":
        return array.astype(np.float64, copy=False)  # the clamp makes a new array
    if array.dtype.kind == "f":
        odd = array != np.floor(array)
        if odd.any():
            raise _where(field, array, odd, shape, "must be a whole number")
    if field.kind == "choice":
        wrong = (array < field.low) | (array > field.high)
        if known and wrong.any():
            rule = f"unknown choice; one of {choices(field.low, field.high)}"
            raise _where(field, array, wrong, shape, rule)
        return array.astype(field.dtype)
    low, high = max(field.low, -_LARGEST), min(field.high, _LARGEST)
    return np.clip(array, low, high).astype(field.dtype)


def _numbers(field: Field, value: Any) -> Array:
    """The numbers that were sent, as an array; a truth value is one only for a flag."""
    allowed = "iufb" if field.kind == "flag" else "iuf"
    if not isinstance(value, np.ndarray):
        for item in _flat(value):
            truth = isinstance(item, bool | np.bool_) and field.kind != "flag"
            if truth or not isinstance(item, bool | int | float | np.number | np.bool_):
                raise _refused(field, value, "must be a number")
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":
            array = np.asarray(value, dtype=np.float64)
    except (ValueError, TypeError, OverflowError):
        raise _refused(field, value, "must be a number") from None
    if array.dtype.kind not in allowed:
        raise _refused(field, value, "must be a number")
    return array


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list | tuple):
        for item in value:
            yield from _flat(item)
    elif not isinstance(value, np.ndarray):
        yield value


def _where(
    field: Field, array: Array, wrong: Array, shape: tuple[int, ...], rule: str
) -> ActionError:
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    play = f"play {place[: len(shape) - 1]}, " if len(shape) > 1 else ""
    seat = place[len(shape) - 1]
    return ActionError(f"{play}seat {seat}, {field.name} = {array[place]}: {rule}")


def _refused(field: Field, value: Any, rule: str) -> ActionError:
    if isinstance(value, list | tuple):
        for seat, item in enumerate(value):
            if isinstance(item, bool) or not isinstance(item, int | float):
                return ActionError(f"seat {seat}, {field.name} = {item!r}: {rule}")
    return ActionError(f"{field.name} = {value!r:.80}: {rule}")
