"""What a seat does, as plain numbers, for any game, from its declared layout.

A game whose action fields are all choices (or flags) takes an index per field, counted from 0 at
the first choice. A choice that the state does not allow now is no error here, since most libraries
try such choices: it is played as what the game does when nobody decides, and reported as illegal.
`masks` says beforehand what is open.

A game whose action fields are all amounts takes a number from -1 to 1 per field, which is spread
over the declared range: -1 is the least, 1 the most. An end that is not declared (the contribution
in the commons has no upper one) is the end that the state allows this seat at this moment, so that
1 is all it can give. Numbers beyond -1 and 1 are cut.

What is no number of this kind (NaN, a wrong shape, a fraction for a choice) raises ActionError.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract import sent as form
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.engine.contract.space import Array, Arrays, Field

__all__ = ["FlatActions", "is_choice"]


def is_choice(field: Field) -> bool:
    """Is an action field a choice among a few, and not an amount?"""
    return field.kind in ("choice", "flag")


class FlatActions:
    """The flat form of the actions of a game.

    layout    the action fields (`game.declaration.actions`); a number each, an array field one for
              each of its places
    choices   are they all choices (True) or all amounts (False)
    sizes     if they are choices, how many there are for each number

    Raises ConfigError for a game with both, which has no flat form.
    """

    def __init__(self, layout: tuple[Field, ...]) -> None:
        self.layout = layout
        kinds = {is_choice(field) for field in layout}
        if len(kinds) != 1:
            names = ", ".join(f"{field.name} ({field.kind})" for field in layout)
            raise ConfigError(f"actions {names}: a flat form needs all choices or all amounts")
        self.choices: bool = kinds.pop()
        self._counts = [math.prod(field.shape) for field in layout]
        self._fields = [
            field for field, count in zip(layout, self._counts, strict=True) for _ in range(count)
        ]
        self.sizes = (
            tuple(int(field.high - field.low) + 1 for field in self._fields) if self.choices else ()
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of what one seat sends: () for a single choice, else as many numbers."""
        return () if self.choices and len(self._fields) == 1 else (len(self._fields),)

    def read(self, sent: Any, allowed: Allowed) -> tuple[dict[str, Array], Array]:
        """The actions as the engine takes them, and which seats chose what is not open.

        `sent` has the shape of `allowed`, then `shape`. Raises ActionError.
        """
        around = allowed.shape
        numbers = self._checked(sent, around)
        actions: dict[str, Array] = {}
        illegal = np.zeros(around, dtype=np.bool_)
        for field, places in self._parts():
            number = numbers[..., places].reshape((*around, *field.shape))
            if self.choices:
                choice = number.astype(np.int64) + int(field.low)
                closed = allowed.shuts(field, choice)
                default = allowed.default[field.name]
                actions[field.name] = np.where(closed, default, choice).astype(field.dtype)
                illegal |= closed.any(axis=tuple(range(len(around), closed.ndim)))
            else:
                actions[field.name] = _amount(field, number, allowed)
        return actions, illegal

    def sent(self, actions: Arrays, allowed: Allowed) -> Array:
        """What to send for actions of the engine, which are within what is allowed: `read` back."""
        parts = []
        for field in self.layout:
            value = np.asarray(actions[field.name], dtype=np.float64)
            if self.choices:
                part: Array = value.astype(np.int64) - int(field.low)
            else:
                low, high = _ends(field, allowed)
                span = np.where(high > low, high - low, 1.0)
                part = np.clip((value - low) / span, 0.0, 1.0) * 2.0 - 1.0
            parts.append(part.reshape(*allowed.shape, -1))
        numbers = np.concatenate(parts, axis=-1)
        return numbers if self.shape else numbers[..., 0]

    def by_field(self, parts: Sequence[Array]) -> dict[str, Array]:
        """Field -> (*shape, choices): what is known of each number's choices."""
        return {
            field.name: np.stack(parts[places]).reshape((*field.shape, -1))
            for field, places in self._parts()
        }

    def scaled(self, widths: Array, allowed: Allowed) -> dict[str, Array]:
        """Field -> differences of amounts, of what `read` takes: 2 stands for the whole range."""
        scaled = {}
        for field, places in self._parts():
            low, high = _ends(field, allowed)
            width = widths[..., places].reshape((*allowed.shape, *field.shape))
            scaled[field.name] = np.asarray(width * (high - low) / 2.0)
        return scaled

    def masks(self, allowed: Allowed) -> Array:
        """(..., sum of sizes) flags: which choices are open, those of all fields side by side."""
        parts = [allowed.open(field).reshape(*allowed.shape, -1) for field in self.layout]
        return np.concatenate(parts, axis=-1)

    def _parts(self) -> Iterator[tuple[Field, slice]]:
        """Each field with the places of its numbers."""
        start = 0
        for field, count in zip(self.layout, self._counts, strict=True):
            yield field, slice(start, start + count)
            start += count

    def _checked(self, sent: Any, around: tuple[int, ...]) -> Array:
        """(*around, numbers) what was sent. Raises ActionError."""
        expected = (*around, *self.shape)
        numbers = form.numbers("action", sent, own=expected)
        if numbers.shape != expected:
            raise ActionError(f"action: shape {numbers.shape} should be {expected}")
        raw = numbers.reshape((*around, len(self._fields)))
        numbers = raw.astype(np.float64)
        finite = np.isfinite(numbers)
        if not finite.all():
            self._check(raw, ~finite, "must be a finite number")
        if self.choices:
            last = np.array(self.sizes) - 1
            known = (numbers >= 0) & (numbers <= last) & (numbers == np.floor(numbers))
            ends = " or ".join(map(str, last.tolist()))
            self._check(raw, ~known, f"unknown choice; a whole number from 0 to {ends}")
        return numbers

    def _check(self, raw: Array, wrong: Array, rule: str) -> None:
        """Refuse the first number that is wrong, as it was sent."""
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            *where, number = place
            row = f"row {', '.join(map(str, where))}: " if where else ""
            name = self._fields[number].name
            raise ActionError(f"{row}{name} = {raw[place].item()!r}: {rule}")


def _ends(field: Field, allowed: Allowed) -> tuple[Any, Any]:
    """What -1 and 1 stand for: the declared ends, else those of this moment."""
    if math.isfinite(field.low) and math.isfinite(field.high):
        return field.low, field.high
    low, high = allowed.ends(field)
    return (
        field.low if math.isfinite(field.low) else low,
        field.high if math.isfinite(field.high) else high,
    )


def _amount(field: Field, number: Array, allowed: Allowed) -> Array:
    """A number from -1 to 1 as an amount of a field."""
    low, high = _ends(field, allowed)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ConfigError(f"action {field.name}: has no ends to spread a number from -1 to 1 over")
    share = (np.minimum(np.maximum(number, -1.0), 1.0) + 1.0) / 2.0
    amount = low * (1.0 - share) + high * share  # exact at both ends
    return np.asarray(np.rint(amount) if field.kind == "whole" else amount)
