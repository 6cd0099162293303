"""Actions currently open to seats: one value, made by `Game.allowed` from a game and its state.

    game.allowed(state)            all seats, of one play or of a batch
    episode.allowed(seat)          one seat of a play

    allowed.low, allowed.high      the range by field: arrays shaped like `allowed`
    allowed.default                the action of a seat that does not decide
    allowed.barred                 the seats whose role bars them: their default is always used
    allowed.closed                 the choices that their role closes: the default is used instead
    allowed.used(actions)          the actions as they will be used, or ActionError
    allowed.plain(action)          one seat's action, checked, as plain numbers
    allowed.nearest(action)        the nearest action that a page's controls can reach
    allowed.sound(answers)         flags for the valid actions in a batch of numbers
    allowed.open(field)            flags of the open choices; `shuts`: flags of closed ones
    allowed.to_json()              for a page

The engine, the server, policies, adapters and training all use this value to find out what a seat
may do, to check an action, or to mask a choice.

Finite amounts outside the range are clamped; if only the two limits can be used
(`Field.ends_only`), an amount between them counts as the nearer limit. A choice that is not open is
refused, as is a value of the wrong kind or shape; the error names the seat, field, value and rule.
If a role bars a seat or closes its choice, the action must still be well formed, but the default is
used.
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

_LARGEST = 2.0**62  # limit for whole numbers without a declared end
_EXACT = 2.0**53  # whole numbers below this are exact as reals
_PLAIN = frozenset([float, int])
_ALMOST = 1e-9  # tolerance at the upper end, in grains
_PLACES = 9  # decimals, so 3 * 0.1 is 0.3 on a page


class Allowed(Ends):
    """Actions currently open to seats. See the module's docstring.

    The base class computes the open range; this class checks and converts actions.
    """

    def used(self, actions: Any) -> dict[str, Array]:
        """Return these seats' actions as they will be used. Raises ActionError."""
        form.check_names(self.fields, actions, self.idle)
        used = {}
        for field in self.fields:
            if field.name in self.idle:
                used[field.name] = self._broadcast(field, self._default(field)).astype(field.dtype)
                continue
            value = form.checked(field, actions[field.name], self.shape)
            low, high = self._limits_of(field)
            if self.assigning is not None and field.name == self.assigning.field:
                self._check_assigned(field, value)
            elif field.kind == "choice":
                self._check_open(field, value, low, high)
                value = value.astype(field.dtype)  # a copy of the array that was sent
            else:
                if field.kind != "real":
                    value = np.clip(value, -_LARGEST, _LARGEST)
                value = np.minimum(np.maximum(value, low), high)
                if field.ends_only:
                    value = nearer_end(value, low, high)
            if field.name in self.barred:
                barred = self._beside(field, self.barred[field.name])
                value = np.where(barred, self._default(field), value)
            if field.name in self.closed:
                shut = closed_at(self.closed[field.name], field, value)
                value = np.where(shut, self._default(field), value)
            used[field.name] = np.asarray(value, dtype=field.dtype)
        return used

    def plain(self, action: Any) -> dict[str, Any]:
        """Check one seat's action and return it as sent, as plain numbers without idle fields.

        Raises ActionError.
        """
        plain = self._plainly(action) if type(action) is dict else None
        if plain is not None:
            return plain
        form.check_names(self.fields, action, self.idle)
        sent: dict[str, Any] = {}
        for field in self.fields:
            if field.name in self.idle:
                continue
            amount = action[field.name]
            number = form.checked(field, amount, self.shape)
            if field.kind == "choice":
                self._check_open(field, number, *self._limits_of(field))
            if self.assigning is not None and field.name == self.assigning.field:
                self._check_assigned(field, number)
            sent[field.name] = number.astype(np.float64).tolist()
        return sent

    def _plainly(self, action: dict[str, Any]) -> dict[str, Any] | None:
        """Return one seat's action if it has a plain number for each field and all are open to the
        seat; otherwise None.
        """
        if self.shape or len(action) != len(self.fields):
            return None
        sent: dict[str, Any] = {}
        for field in self.fields:
            if field.name not in action:
                return None
            amount = action[field.name]
            if type(amount) not in _PLAIN or not -_EXACT < amount < _EXACT:
                return None
            if field.shape or field.kind == "flag" or field.name in self.idle:
                return None
            if field.kind != "real" and (amount % 1 or field.name in self.barred):
                return None
            if field.kind == "choice":
                low, high = self._limits_of(field)
                if not low <= amount <= high:
                    return None
            sent[field.name] = float(amount)
        return sent

    def nearest(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Return one seat's action as plain numbers, with each amount at a value that its control
        can reach.

        A control moves in steps of its field's `grain`, from the lower limit to the upper limit. An
        amount without a grain is unchanged.
        """
        moved = dict(action)
        for field in self.fields:
            if field.name in self.idle:
                continue
            if field.ends_only:
                low, high = self._ends(field)
                moved[field.name] = float(nearer_end(action[field.name], low, high))
            elif field.grain and not field.shape:
                barred = field.name in self.barred
                low, high = self._ends(field) if barred else self._limits_of(field)
                moved[field.name] = _reached(action[field.name], low, high, field)
            elif field.grain:
                low, high = (self._whole(field, end).flat for end in self._ends(field))
                amounts = np.asarray(action[field.name], dtype=np.float64)
                places = zip(amounts.flat, low, high, strict=True)
                reached = [_reached(*place, field) for place in places]
                moved[field.name] = np.reshape(reached, field.shape).tolist()
        return moved

    def default_action(self, whole: bool = False) -> dict[str, Any]:
        """Return one seat's default action as plain numbers, in the same form as actions that are
        sent.

        `whole` includes the defaults of idle fields.
        """
        return {
            name: value.astype(np.float64).tolist()
            for name, value in self.default.items()
            if whole or name not in self.idle
        }

    def sound(self, answers: Arrays) -> Array:
        """Return flags for the valid actions: finite, whole where needed, and open choices."""
        sound = np.ones(self.shape, dtype=np.bool_)
        for field in self.fields:
            value = answers[field.name]
            fine = np.isfinite(value)
            if field.kind != "real":
                fine &= value == np.floor(value)
            if field.kind == "choice":
                fine &= ~self._closed(field, value, *self._limits_of(field))
            sound &= fine.all(axis=tuple(range(len(self.shape), fine.ndim)))
            if self.assigning is not None and field.name == self.assigning.field:
                sound &= self.assigning.sound(np.where(fine, value, 0.0)) | self._out(field)
        return sound

    def fitted(self, actions: Mapping[str, Any]) -> dict[str, Any]:
        """Return the actions with assigned points adjusted so that they break no rule.

        Points are kept where possible, and earlier seats have priority (see
        `engine.contract.assigning`). Other fields do not change.
        """
        if self.assigning is None or self.assigning.field not in actions:
            return dict(actions)
        field = next(field for field in self.fields if field.name == self.assigning.field)
        points = self.assigning.fitted(np.asarray(actions[field.name], dtype=np.float64))
        return {**actions, field.name: points.astype(field.dtype)}

    def filled(self, actions: Any, out: Array) -> Any:
        """Return the actions, with the default for seats flagged as `out`."""
        if not isinstance(actions, Mapping):
            return actions
        fields = {field.name: field for field in self.fields}
        return {
            name: _filled(value, out, self.default[name], fields[name].shape)
            if name in fields
            else value
            for name, value in actions.items()
        }

    def sample(self, generator: np.random.Generator) -> dict[str, Array]:
        """Draw random actions: amounts in the declared range, and open choices.

        If a range has only one limit, it is cut off 10 beyond that limit.
        """
        drawn: dict[str, Array] = {}
        for field in self.fields:
            size = self.shape + field.shape
            if field.kind == "real":
                amounts = generator.uniform(*_ends(field), size)
                drawn[field.name] = (
                    nearer_end(amounts, *_ends(field)) if field.ends_only else amounts
                )
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
        return self.fitted(drawn)

    def _sample_open(self, field: Field, generator: np.random.Generator) -> Array:
        """Draw one of the open choices with equal probability."""
        rank = np.where(self.open(field), generator.random(self.open(field).shape), -1.0)
        return np.asarray(int(field.low) + rank.argmax(axis=-1), dtype=field.dtype)

    def _out(self, field: Field) -> Array:
        """Return flags for the seats that cannot use a field."""
        if field.name in self.idle:
            return np.ones(self.shape, dtype=np.bool_)
        return np.asarray(self.barred.get(field.name, np.zeros(self.shape, dtype=np.bool_)))

    def _check_assigned(self, field: Field, value: Array) -> None:
        """Raise ActionError if a seat that can assign points assigns some that the rules forbid."""
        if self.assigning is None:
            return
        points = np.where(self._out(field)[..., None], 0, value) if self.barred else value
        self.assigning.check(field, points, lambda place: form.who(place, self.shape))

    def _closed(self, field: Field, value: Array, low: Any, high: Any) -> Array:
        """Return flags for choices that are not open; for a barred seat, flag unknown choices
        instead.
        """
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
        rule = translated("unknown choice; choose one of {open}")
        if limited:
            rule = translated("not allowed right now; choose one of {open}")
        raise form.refused(field, self.shape, value, closed, rule, open=choices(*ends))


def _filled(value: Any, out: Array, default: Array, shape: tuple[int, ...]) -> Any:
    if out.ndim == 1 and isinstance(value, list | tuple) and len(value) == len(out):
        rows = zip(value, out.tolist(), default.tolist(), strict=True)
        return [default_value if is_out else sent for sent, is_out, default_value in rows]
    try:
        array = np.asarray(value)
    except ValueError:  # ragged; the check on actions rejects it
        return value
    flags = out.reshape(out.shape + (1,) * len(shape))
    return np.where(flags, default, array) if array.shape == default.shape else value


def _reached(amount: float, low: float, high: float, field: Field) -> float:
    """Return the amount nearest to this one that a control for this field can reach."""
    amount, low, high = float(amount), float(low), float(high)
    start = low if low > -math.inf else 0.0
    amount = low if low > amount else amount
    amount = high if high < amount else amount
    grains: float = round((amount - start) / field.grain)
    if high < math.inf and grains * field.grain > high - start - field.grain:
        highest = math.floor((high - start) / field.grain + _ALMOST)
        grains = highest if highest < grains else grains
    return round(start + grains * field.grain, _PLACES)


def nearer_end(amount: Any, low: Any, high: Any) -> Array:
    """Return the nearer limit of each amount's range; for the midpoint, the lower limit."""
    middle = (np.asarray(low) + np.asarray(high)) / 2
    return np.asarray(np.where(np.asarray(amount) > middle, high, low), dtype=np.float64)


def _ends(field: Field) -> tuple[float, float]:
    """Return the declared range; a missing limit is set 10 beyond the other one (0 .. 10 if both
    are missing).
    """
    low, high = field.low, field.high
    if not math.isfinite(low):
        low = min(0.0, high - 10.0) if math.isfinite(high) else 0.0
    return low, high if math.isfinite(high) else low + 10.0
