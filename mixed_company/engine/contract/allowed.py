"""What seats may do now: one value, made in one place (`Game.allowed`) from a game and its state.

    game.allowed(state)            all seats, of one play or of a batch
    episode.allowed(seat)          one seat of a play

    allowed.low, allowed.high      what counts, field by field: arrays of the shape of `allowed`
    allowed.default                what is done by a seat that does not decide
    allowed.barred                 the seats whose role bars them: their default is all that counts
    allowed.closed                 the choices that their role closes: the default counts instead
    allowed.used(actions)          the actions as they will be used, or ActionError
    allowed.plain(action)          one seat's action, checked, as plain numbers
    allowed.nearest(action)        the nearest that the controls of a page can be moved to
    allowed.sound(answers)         where numbers of a batch are actions at all
    allowed.open(field)            which choices are open; `shuts`: is this one not
    allowed.to_json()              for a page

Whoever asks what a seat may do, checks an action, or masks a choice asks this value: engine,
server, policies, adapters and training.

Finite amounts outside of what is allowed are clamped. A choice that is not open, and whatever is no
number of the declared kind and shape, is refused with seat, field, value and rule; where a role
bars a seat, or closes its choice, what it sends must be well formed, and its default is used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from mixed_company.engine.contract import sent as form
from mixed_company.engine.contract.ends import Ends
from mixed_company.engine.contract.errors import choices
from mixed_company.engine.contract.permissions import closed_at
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.language import translated

__all__ = ["Allowed"]

_LARGEST = 2.0**62  # what a whole number without an end of its own is cut to
_ALMOST = 1e-9  # of a grain: so much may be missing to the most
_PLACES = 9  # after the point: 3 * 0.1 is 0.3 on a page


class Allowed(Ends):
    """What seats may do now. See the module's docstring.

    What is open is of `engine.contract.ends`; what is made here of what was sent follows from it.
    """

    def used(self, actions: Any) -> dict[str, Array]:
        """The actions of all these seats as they will be used. Raises ActionError."""
        form.check_names(self.fields, actions)
        used = {}
        for field in self.fields:
            value = form.checked(field, actions[field.name], self.shape)
            low, high = self._limits_of(field)
            if field.kind == "choice":
                self._check_open(field, value, low, high)
                value = value.astype(field.dtype)  # never the array that was sent
            else:
                if field.kind != "real":
                    value = np.clip(value, -_LARGEST, _LARGEST)
                value = np.minimum(np.maximum(value, low), high)
            if field.name in self.barred:
                barred = self._beside(field, self.barred[field.name])
                value = np.where(barred, self._default(field), value)
            if field.name in self.closed:
                shut = closed_at(self.closed[field.name], field, value)
                value = np.where(shut, self._default(field), value)
            used[field.name] = np.asarray(value, dtype=field.dtype)
        return used

    def plain(self, action: Any) -> dict[str, Any]:
        """One seat's action as it was sent: checked, as plain numbers. Raises ActionError."""
        form.check_names(self.fields, action)
        sent: dict[str, Any] = {}
        for field in self.fields:
            number = form.checked(field, action[field.name], self.shape)
            if field.kind == "choice":
                self._check_open(field, number, *self._limits_of(field))
            sent[field.name] = number.astype(np.float64).tolist()
        return sent

    def nearest(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """One seat's action, plain numbers, with each amount where a control can be moved to.

        Controls move by the `grain` of their field, from the least that counts, to no more than the
        most. What has no grain stays as it is.
        """
        moved = dict(action)
        for field in self.fields:
            if field.grain and not field.shape:
                low, high = self._ends(field)
                moved[field.name] = _reached(action[field.name], low, high, field)
            elif field.grain:
                ends = (self.low[field.name].flat, self.high[field.name].flat)
                amounts = np.asarray(action[field.name], dtype=np.float64)
                reached = [
                    _reached(*place, field) for place in zip(amounts.flat, *ends, strict=True)
                ]
                moved[field.name] = np.reshape(reached, field.shape).tolist()
        return moved

    def default_action(self) -> dict[str, Any]:
        """The default of one seat, as it would send it: plain numbers."""
        return {name: value.astype(np.float64).tolist() for name, value in self.default.items()}

    def sound(self, answers: Arrays) -> Array:
        """Flags: where numbers are an action: finite, whole where they should be, open."""
        sound = np.ones(self.shape, dtype=np.bool_)
        for field in self.fields:
            value = answers[field.name]
            fine = np.isfinite(value)
            if field.kind != "real":
                fine &= value == np.floor(value)
            if field.kind == "choice":
                fine &= ~self._closed(field, value, *self._limits_of(field))
            sound &= fine.all(axis=tuple(range(len(self.shape), fine.ndim)))
        return sound

    def filled(self, actions: Any, out: Array) -> Any:
        """The actions in which seats that are `out` (flags) do the default, whatever was sent."""
        if not isinstance(actions, Mapping):
            return actions
        known = {field.name: field for field in self.fields}
        return {
            name: _filled(value, out, self.default[name], known[name].shape)
            if name in known
            else value
            for name, value in actions.items()
        }

    def sample(self, generator: np.random.Generator) -> dict[str, Array]:
        """Random actions: amounts within the declared range, choices among those that are open.

        An end that is not declared is taken 10 beyond the other one.
        """
        drawn: dict[str, Array] = {}
        for field in self.fields:
            size = self.shape + field.shape
            if field.kind == "real":
                drawn[field.name] = generator.uniform(*_ends(field), size)
                continue
            low: Any
            high: Any
            low, high = map(int, _ends(field))
            if field.kind == "choice" and field.name in self._limits:
                low, high = (np.asarray(end, dtype=np.int64) for end in self._limits_of(field))
            if field.name in self.closed:
                drawn[field.name] = self._sample_open(field, generator)
                continue
            drawn[field.name] = generator.integers(low, high + 1, size).astype(field.dtype)
        return drawn

    def _sample_open(self, field: Field, generator: np.random.Generator) -> Array:
        """One of the choices that are open, all alike."""
        rank = np.where(self.open(field), generator.random(self.open(field).shape), -1.0)
        return np.asarray(int(field.low) + rank.argmax(axis=-1), dtype=field.dtype)

    def _closed(self, field: Field, value: Array, low: Any, high: Any) -> Array:
        """Flags: which choices are not open; of a barred seat, which are unknown."""
        closed = (value < low) | (value > high)
        if field.name in self.barred:
            barred = self._beside(field, self.barred[field.name])
            closed = np.where(barred, (value < field.low) | (value > field.high), closed)
        return np.asarray(closed)

    def _check_open(self, field: Field, value: Array, low: Any, high: Any) -> None:
        closed = self._closed(field, value, low, high)
        if not closed.any():
            return
        place = tuple(np.argwhere(closed)[0])
        ends = (int(np.broadcast_to(end, value.shape)[place]) for end in (low, high))
        limited = field.name in self._limits
        rule = translated("unknown choice; one of {open}")
        if limited:
            rule = translated("not open to this seat now; one of {open}")
        raise form.refused(field, self.shape, value, closed, rule, open=choices(*ends))


def _filled(value: Any, out: Array, default: Array, own: tuple[int, ...]) -> Any:
    if out.ndim == 1 and isinstance(value, list | tuple) and len(value) == len(out):
        rows = zip(value, out.tolist(), default.tolist(), strict=True)
        return [instead if gone else sent for sent, gone, instead in rows]
    try:
        array = np.asarray(value)
    except ValueError:  # of no shape: refused where actions are checked
        return value
    flags = out.reshape(out.shape + (1,) * len(own))
    return np.where(flags, default, array) if array.shape == default.shape else value


def _reached(amount: float, low: float, high: float, field: Field) -> float:
    """The amount to which a control of this field can be moved that is nearest to one."""
    start = float(low) if math.isfinite(low) else 0.0
    amount = min(max(float(amount), float(low)), float(high))
    grains: float = round((amount - start) / field.grain)
    if math.isfinite(high):
        grains = min(grains, math.floor((float(high) - start) / field.grain + _ALMOST))
    return round(start + grains * field.grain, _PLACES)


def _ends(field: Field) -> tuple[float, float]:
    """The declared range, an open end replaced by 10 beyond the other (0 .. 10 without ends)."""
    low, high = field.low, field.high
    if not math.isfinite(low):
        low = min(0.0, high - 10.0) if math.isfinite(high) else 0.0
    return low, high if math.isfinite(high) else low + 10.0
