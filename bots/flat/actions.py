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

from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.contract.errors import ActionError, ConfigError
from engine.contract.space import Array, Arrays, Field
from engine.game import Game
from engine.play.episode import Episode

__all__ = ["Allowed", "Bounds", "FlatActions", "allowed_to", "is_choice"]


@dataclass(frozen=True)
class Allowed:
    """What seats may do now: field name -> arrays of one shape, (*batch, n) or () for one seat.

    low, high   the ends of what counts, roles included
    default     what is done if the seat does not decide
    """

    low: dict[str, Array]
    high: dict[str, Array]
    default: dict[str, Array]

    def of(self, seats: Any) -> Allowed:
        """Some seats of all plays of a batch, as rows; `seats` is an index into the second axis."""
        low, high, default = (
            {name: value[:, seats].ravel() for name, value in each.items()}
            for each in (self.low, self.high, self.default)
        )
        return Allowed(low, high, default)


def is_choice(field: Field) -> bool:
    """Is an action field a choice among a few, and not an amount?"""
    return field.kind in ("choice", "flag")


class Bounds:
    """What the seats of a game may do, state by state."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        seats = range(game.seats)
        may = {
            field.name: np.array([game.may_act(field.name, seat) for seat in seats])
            for field in game.declaration.actions
        }
        self._barred = {name: ~each for name, each in may.items() if not each.all()}

    def now(self, state: Arrays) -> Allowed:
        """What every seat may do in a state or a batch of states, roles included."""
        shape = (*np.shape(state["period"]), self.game.seats)
        limits = self.game.bounds(state)
        found = Allowed({}, {}, {})
        for field in self.game.declaration.actions:
            low, high = limits.get(field.name, (field.low, field.high))
            low, high = np.maximum(low, field.low), np.minimum(high, field.high)
            default = np.minimum(np.maximum(field.default, low), high)
            if field.name in self._barred:
                barred = self._barred[field.name]
                low, high = np.where(barred, default, low), np.where(barred, default, high)
            for ends, value in ((found.low, low), (found.high, high), (found.default, default)):
                ends[field.name] = np.broadcast_to(value, shape)
        return found


def allowed_to(episode: Episode, seat: int) -> Allowed:
    """What one seat may do now in a play."""
    limits, default = episode.limits(seat), episode.default_action(seat)
    return Allowed(
        {name: np.asarray(low) for name, (low, _) in limits.items()},
        {name: np.asarray(high) for name, (_, high) in limits.items()},
        {name: np.asarray(value) for name, value in default.items()},
    )


class FlatActions:
    """The flat form of the actions of a game.

    layout    the action fields (`game.declaration.actions`), one number each
    choices   are they all choices (True) or all amounts (False)
    sizes     if they are choices, how many there are of each field

    Raises ConfigError for a game with both, which has no flat form.
    """

    def __init__(self, layout: tuple[Field, ...]) -> None:
        self.layout = layout
        kinds = {is_choice(field) for field in layout}
        if len(kinds) != 1:
            names = ", ".join(f"{field.name} ({field.kind})" for field in layout)
            raise ConfigError(f"actions {names}: a flat form needs all choices or all amounts")
        self.choices: bool = kinds.pop()
        self.sizes = tuple(int(f.high - f.low) + 1 for f in layout) if self.choices else ()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of what one seat sends: () for a single choice, else one number per field."""
        return () if self.choices and len(self.layout) == 1 else (len(self.layout),)

    def read(self, sent: Any, now: Allowed) -> tuple[dict[str, Array], Array]:
        """The actions as the engine takes them, and which seats chose what is not open.

        `sent` has the shape of `now`, then `shape`. Raises ActionError.
        """
        around = np.shape(next(iter(now.default.values())))
        numbers = self._checked(sent, around)
        actions: dict[str, Array] = {}
        illegal = np.zeros(around, dtype=np.bool_)
        for place, field in enumerate(self.layout):
            number, name = numbers[..., place], field.name
            if self.choices:
                chosen = number.astype(np.int64) + int(field.low)
                closed = (chosen < now.low[name]) | (chosen > now.high[name])
                actions[name] = np.where(closed, now.default[name], chosen).astype(field.dtype)
                illegal |= closed
            else:
                actions[name] = _amount(field, number, now)
        return actions, illegal

    def sent(self, actions: Arrays, now: Allowed) -> Array:
        """What to send for actions of the engine, which are within what is allowed: `read` back."""
        parts = []
        for field in self.layout:
            value = np.asarray(actions[field.name], dtype=np.float64)
            if self.choices:
                parts.append(value.astype(np.int64) - int(field.low))
            else:
                low, high = _ends(field, now)
                span = np.where(high > low, high - low, 1.0)
                parts.append(np.clip((value - low) / span, 0.0, 1.0) * 2.0 - 1.0)
        stacked = np.stack(parts, axis=-1)
        return stacked if self.shape else stacked[..., 0]

    def masks(self, now: Allowed) -> Array:
        """(..., sum of sizes) flags: which choices are open, those of all fields side by side."""
        parts = []
        for field, size in zip(self.layout, self.sizes, strict=True):
            choice = np.arange(size) + int(field.low)
            low, high = (np.asarray(end[field.name])[..., None] for end in (now.low, now.high))
            parts.append((choice >= low) & (choice <= high))
        return np.concatenate(parts, axis=-1)

    def _checked(self, sent: Any, around: tuple[int, ...]) -> Array:
        """(*around, fields) the numbers that were sent. Raises ActionError."""
        try:
            numbers = np.asarray(sent)
        except ValueError:
            numbers = np.asarray(None)
        if numbers.dtype.kind not in "iuf":
            raise ActionError(f"action {sent!r:.60}: must be numbers")
        expected = (*around, *self.shape)
        if numbers.shape != expected:
            raise ActionError(f"action: shape {numbers.shape} should be {expected}")
        numbers = numbers.astype(np.float64).reshape(*around, len(self.layout))
        self._check(numbers, ~np.isfinite(numbers), "must be a finite number")
        if self.choices:
            last = np.array(self.sizes) - 1
            known = (numbers >= 0) & (numbers <= last) & (numbers == np.floor(numbers))
            ends = " or ".join(map(str, last.tolist()))
            self._check(numbers, ~known, f"unknown choice; a whole number from 0 to {ends}")
        return numbers

    def _check(self, numbers: Array, wrong: Array, rule: str) -> None:
        if wrong.any():
            place = tuple(np.argwhere(wrong)[0].tolist())
            *where, field = place
            row = f"row {', '.join(map(str, where))}: " if where else ""
            name = self.layout[field].name
            raise ActionError(f"{row}{name} = {numbers[place]:g}: {rule}")


def _ends(field: Field, now: Allowed) -> tuple[Any, Any]:
    """What -1 and 1 stand for: the declared ends, else those of this moment."""
    low = field.low if np.isfinite(field.low) else now.low[field.name]
    high = field.high if np.isfinite(field.high) else now.high[field.name]
    return low, high


def _amount(field: Field, number: Array, now: Allowed) -> Array:
    """A number from -1 to 1 as an amount of a field."""
    low, high = _ends(field, now)
    if not (np.isfinite(low).all() and np.isfinite(high).all()):
        raise ConfigError(f"action {field.name}: has no ends to spread a number from -1 to 1 over")
    share = (np.clip(number, -1.0, 1.0) + 1.0) / 2.0
    amount = low * (1.0 - share) + high * share  # exact at both ends
    return np.asarray(np.rint(amount) if field.kind == "whole" else amount)
