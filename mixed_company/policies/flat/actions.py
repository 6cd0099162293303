"""A seat's actions as plain numbers, for any game, from its declared layout.

A game whose action fields are all choices (or flags) takes an index per field, counted from 0 at
the first choice. A choice that is currently closed is not an error here, because most libraries try
such choices. Instead, the game's default is played, and the choice is reported as illegal. `masks`
shows in advance which choices are open.

A game whose action fields are all amounts takes a number from -1 to 1 per field, which is rescaled
to the declared range: -1 is the minimum, and 1 is the maximum. If a limit is not declared, the
seat's limit in the current state is used. The contribution in the commons has no upper bound, so 1
means as much as the seat can give. Numbers outside [-1, 1] are clipped.

Any other value (NaN, a wrong shape, a fraction for a choice) raises ActionError.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from mixed_company.engine.contract import sent as form
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.engine.contract.space import Array, Arrays, Field


def is_choice(field: Field) -> bool:
    """Return whether an action field is a choice between a few values and not an amount."""
    return field.kind in ("choice", "flag")


class FlatActions:
    """Flat form of a game's actions.

    layout    the action fields (`game.declaration.actions`); each is one number, an array field one
              number per entry
    choices   whether all fields are choices (True) or amounts (False)
    sizes     for choices, the number of choices for each number
    count     how many numbers an action has

    Raises ConfigError for a game with both choices and amounts, which has no flat form.
    """

    def __init__(self, layout: tuple[Field, ...]) -> None:
        self.layout = layout
        kinds = {is_choice(field) for field in layout}
        if len(kinds) != 1:
            names = ", ".join(f"{field.name} ({field.kind})" for field in layout)
            raise ConfigError(
                f"actions {names}: in the flat form, fields should be all choices or all amounts"
            )
        self.choices: bool = kinds.pop()
        self._counts = [math.prod(field.shape) for field in layout]
        self._fields = [
            field for field, count in zip(layout, self._counts, strict=True) for _ in range(count)
        ]
        self.count = len(self._fields)
        self.sizes = (
            tuple(int(field.high - field.low) + 1 for field in self._fields) if self.choices else ()
        )

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one seat's action: () for a single choice, else (numbers,)."""
        return () if self.choices and self.count == 1 else (self.count,)

    def read(self, sent: Any, allowed: Allowed) -> tuple[dict[str, Array], Array]:
        """Convert flat actions for the engine; also return flags for seats that chose a closed
        choice.

        `sent` has the shape of `allowed`, then `shape`. Raises ActionError.
        """
        batch = allowed.shape
        numbers = self._checked(sent, batch)
        actions: dict[str, Array] = {}
        illegal = np.zeros(batch, dtype=np.bool_)
        if not self.choices:
            numbers = (np.minimum(np.maximum(numbers, -1.0), 1.0) + 1.0) / 2.0
        for field, index in self._parts():
            number = numbers[..., index].reshape((*batch, *field.shape))
            if self.choices:
                choice = number.astype(np.int64) + int(field.low)
                closed = allowed.shuts(field, choice)
                default = allowed.default[field.name]
                actions[field.name] = np.where(closed, default, choice).astype(field.dtype)
                illegal |= closed.any(axis=tuple(range(len(batch), closed.ndim)))
            else:
                actions[field.name] = _amount(field, number, allowed)
        return allowed.fitted(actions), illegal

    def sent(self, actions: Arrays, allowed: Allowed) -> Array:
        """Convert allowed actions from the engine's form to flat actions, the inverse of `read`."""
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

    def places(self, names: Collection[str]) -> list[int]:
        """Return the positions of these fields' numbers."""
        return [place for place, field in enumerate(self._fields) if field.name in names]

    def by_field(self, parts: Sequence[Array]) -> dict[str, Array]:
        """Return field -> (*shape, choices), given a list with an array of choices per number."""
        return {
            field.name: np.stack(parts[index]).reshape((*field.shape, -1))
            for field, index in self._parts()
        }

    def unclipped(self, numbers: Array, allowed: Allowed) -> dict[str, Array]:
        """Convert numbers to amounts by field, including numbers outside the range."""
        distance = self.scaled(numbers + 1.0, allowed)
        return {
            field.name: np.asarray(_ends(field, allowed)[0] + distance[field.name])
            for field in self.layout
        }

    def scaled(self, widths: Array, allowed: Allowed) -> dict[str, Array]:
        """Convert widths on the flat scale to amounts by field; a width of 2 is the full range."""
        scaled = {}
        for field, index in self._parts():
            low, high = _ends(field, allowed)
            width = widths[..., index].reshape((*allowed.shape, *field.shape))
            scaled[field.name] = np.asarray(width * (high - low) / 2.0)
        return scaled

    def masks(self, allowed: Allowed) -> Array:
        """Return flags for open choices, with all fields side by side, shape (..., sum of
        sizes)."""
        parts = [allowed.open(field).reshape(*allowed.shape, -1) for field in self.layout]
        return np.concatenate(parts, axis=-1)

    def _parts(self) -> Iterator[tuple[Field, slice]]:
        """Yield each field with the slice of its numbers."""
        start = 0
        for field, count in zip(self.layout, self._counts, strict=True):
            yield field, slice(start, start + count)
            start += count

    def _checked(self, sent: Any, batch: tuple[int, ...]) -> Array:
        """Return the flat numbers as sent, shape (*batch, numbers). Raises ActionError."""
        expected = (*batch, *self.shape)
        numbers = form.numbers("action", sent, inner=expected)
        if numbers.shape != expected:
            raise ActionError(f"action: shape {numbers.shape} should be {expected}")
        raw = numbers.reshape((*batch, len(self._fields)))
        numbers = raw.astype(np.float64)
        finite = np.isfinite(numbers)
        if not finite.all():
            self._check(raw, ~finite, "must be a finite number")
        if self.choices:
            last = np.array(self.sizes) - 1
            valid = (numbers >= 0) & (numbers <= last) & (numbers == np.floor(numbers))
            ends = " or ".join(map(str, last.tolist()))
            self._check(raw, ~valid, f"unknown choice; a whole number from 0 to {ends}")
        return numbers

    def _check(self, raw: Array, wrong: Array, rule: str) -> None:
        """Raise ActionError for the first flagged number, shown as it was sent."""
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            *where, number = place
            row = f"row {', '.join(map(str, where))}: " if where else ""
            name = self._fields[number].name
            raise ActionError(f"{row}{name} = {raw[place].item()!r}: {rule}")


def _ends(field: Field, allowed: Allowed) -> tuple[Any, Any]:
    """Return the amounts that -1 and 1 represent: the declared limits or, if not declared, the
    current ones."""
    if math.isfinite(field.low) and math.isfinite(field.high):
        return field.low, field.high
    low, high = allowed.ends(field)
    return (
        field.low if math.isfinite(field.low) else low,
        field.high if math.isfinite(field.high) else high,
    )


def _amount(field: Field, share: Array, allowed: Allowed) -> Array:
    """Return a field's amount for a share of its range."""
    low, high = _ends(field, allowed)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ConfigError(f"action {field.name}: is unbounded and cannot be rescaled to [-1, 1]")
    amount = low * (1.0 - share) + high * share  # exact at both ends
    return np.asarray(np.rint(amount) if field.kind == "whole" else amount)
