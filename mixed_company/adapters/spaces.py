"""Gymnasium spaces for the observations and actions of one seat, in two forms.

`flat`    observations are a Box of float32 (`policies.flat.observations` documents the order);
          actions are Discrete for one choice, MultiDiscrete for several, and a Box from -1 to 1 for
          amounts (`policies.flat.actions`).
`named`   observations are a Dict with a Box per field in its own type and unit; a maskable field is
          0 where it is masked, and `shown_<field>` is 1 where it is not. Actions are a Dict with a
          Box or a Discrete per field, in the field's unit, or just that space if there is a single
          field; the game clips amounts outside their range.

In both forms, a Discrete starts at 0 for the first choice. A single number in a Box has shape (1,),
because most libraries do not accept a Box without axes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from gymnasium import spaces

from mixed_company.engine.contract import space
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, ConfigError, nearest, short
from mixed_company.engine.contract.sent import numbers as plain_numbers
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.policies.flat.actions import FlatActions, is_choice
from mixed_company.policies.flat.observations import FlatObservations

_LARGEST = 2**62  # bounds of an unbounded whole number


class Form(ABC):
    """One seat's observations and actions in a game.

    single       the action field if the action is a single choice, else None
    state        whole state in flat form
    state_space  its space
    """

    observation_space: spaces.Space[Any]
    action_space: spaces.Space[Any]

    def __init__(self, game: Game[Any], single: FlatActions | None) -> None:
        self.layout, self.seats, self.single = game.declaration.observations, game.seats, single
        self.state = FlatObservations(game.declaration.state, game.seats)
        self.state_space = spaces.Box(self.state.low, self.state.high, dtype=np.float32)

    @abstractmethod
    def observation(self, seen: Arrays) -> Any:
        """Return an element of the observation space, from `Episode.observation(seat)`."""

    @abstractmethod
    def action(self, sent: Any, allowed: Allowed) -> tuple[dict[str, Any], bool]:
        """Convert an action for the engine, and return whether it was a choice that is not
        currently available.

        Raises ActionError for a value outside the action space.
        """

    def observations(self, seen: Arrays) -> Sequence[Any]:
        """Return all seats' observations, from `Episode.observations`."""
        seats = range(self.seats)
        return [self.observation(space.of_seat(self.layout, seen, seat)) for seat in seats]

    def actions(self, sent: Sequence[Any], allowed: Allowed) -> tuple[dict[str, Array], Array]:
        """Return the actions of K seats, field -> (K, ...), and flags (K,) of illegal choices;
        `allowed` is (K,)."""
        rows = [self.action(action, allowed.of(row)) for row, action in enumerate(sent)]
        names = [field.name for field in allowed.fields]
        actions = {name: np.array([action[name] for action, _ in rows]) for name in names}
        return actions, np.array([illegal for _, illegal in rows], dtype=np.bool_)

    def mask(self, allowed: Allowed) -> Array | None:
        """Return int8 flags for the choices that are currently available; None if the action is not
        a single choice.

        The mask has the leading axes of `allowed`.
        """
        return self.single.masks(allowed).astype(np.int8) if self.single else None


def form(game: Game[Any], name: str) -> Form:
    """Return the form with this name. Raises ConfigError if it is unknown or unsuitable."""
    if name not in FORMS:
        raise ConfigError(f"form = {short(name)}: unknown{nearest(name, FORMS)}")
    return FORMS[name](game)


def observation_box(game: Game[Any]) -> spaces.Box:
    """Return the space of flat observations."""
    flat = FlatObservations(_bounded(game), game.seats)
    return spaces.Box(flat.low, flat.high, dtype=np.float32)


def action_box(flat: FlatActions) -> spaces.Space[Any]:
    """Return the space of flat actions."""
    if not flat.choices:
        return spaces.Box(-1.0, 1.0, flat.shape, dtype=np.float32)
    if flat.shape == ():
        return spaces.Discrete(flat.sizes[0])
    return spaces.MultiDiscrete(list(flat.sizes))


class FlatForm(Form):
    """Flat form, with one vector per seat."""

    def __init__(self, game: Game[Any]) -> None:
        self.seen = FlatObservations(game.declaration.observations, game.seats)
        self.acts = FlatActions(game.declaration.actions)
        alone = self.acts.choices and self.acts.shape == ()
        super().__init__(game, self.acts if alone else None)
        self.observation_space = observation_box(game)
        self.action_space = action_box(self.acts)

    def observation(self, seen: Arrays) -> Any:
        return self.seen.of_seat(seen)

    def observations(self, seen: Arrays) -> Sequence[Any]:
        return list(self.seen.of_all(seen))

    def actions(self, sent: Sequence[Any], allowed: Allowed) -> tuple[dict[str, Array], Array]:
        try:
            together = _stacked(sent, self.acts.shape)
            if together is None:
                together = plain_numbers("action", sent, allowed.shape, self.acts.shape)
        except ActionError:  # read the actions one by one
            return super().actions(sent, allowed)
        if together.shape != (*allowed.shape, *self.acts.shape):
            return super().actions(sent, allowed)
        return self.acts.read(together, allowed)

    def action(self, sent: Any, allowed: Allowed) -> tuple[dict[str, Any], bool]:
        return _read(self.acts, sent, allowed)


class NamedForm(Form):
    """Named form, with one entry per field, in the field's unit."""

    def __init__(self, game: Game[Any]) -> None:
        self.acts = game.declaration.actions
        alone = len(self.acts) == 1 and is_choice(self.acts[0])
        super().__init__(game, FlatActions(self.acts) if alone else None)
        self.observation_space = spaces.Dict(_seen_spaces(_bounded(game)))
        if self.single:
            self.action_space = action_box(self.single)
        elif len(self.acts) == 1:
            self.action_space = _space(self.acts[0], game.most(self.acts[0]))
        else:
            by_name = {field.name: _space(field, game.most(field)) for field in self.acts}
            self.action_space = spaces.Dict(by_name)

    def observation(self, seen: Arrays) -> Any:
        values: dict[str, Array] = {}
        for field in self.layout:
            value = np.array(seen[field.name], dtype=_dtype(field)).reshape(_shape(field))
            if field.maskable:
                shown = ~np.isnan(value)
                value = np.array(np.where(shown, value, 0.0))
                values[f"shown_{field.name}"] = np.array(shown, dtype=np.int8)
            values[field.name] = value
        return values

    def action(self, sent: Any, allowed: Allowed) -> tuple[dict[str, Any], bool]:
        if self.single:
            return _read(self.single, sent, allowed)
        if len(self.acts) == 1:
            sent = {self.acts[0].name: sent}
        if not isinstance(sent, Mapping) or set(sent) != {field.name for field in self.acts}:
            names = ", ".join(field.name for field in self.acts)
            raise ActionError(f"action {sent!r:.60}: should map {names} to numbers")
        action: dict[str, Any] = {}
        illegal_at_all = False
        for field in self.acts:
            value = _numbers(field, sent[field.name])
            if is_choice(field):
                value = value + field.low
                closed = allowed.shuts(field, value)
                value = np.where(closed, allowed.default[field.name], value)
                illegal_at_all |= bool(closed.any())
            action[field.name] = value.tolist()
        fitted = allowed.fitted(action)
        return {name: np.asarray(value).tolist() for name, value in fitted.items()}, illegal_at_all


FORMS: Mapping[str, type[FlatForm] | type[NamedForm]] = {"flat": FlatForm, "named": NamedForm}


def _stacked(sent: Sequence[Any], shape: tuple[int, ...]) -> Array | None:
    """Return actions in one array if all of them are arrays of real numbers of this shape."""
    for action in sent:
        if type(action) is not np.ndarray or action.dtype.kind != "f" or action.shape != shape:
            return None
    return np.array(sent)


def _read(acts: FlatActions, sent: Any, allowed: Allowed) -> tuple[dict[str, Any], bool]:
    """Return the action of one seat, and whether it was illegal."""
    read, illegal = acts.read(sent, allowed)
    return {name: value.tolist() for name, value in read.items()}, bool(illegal)


def _numbers(field: Field, value: Any) -> Array:
    """Return the finite numbers of one field. Raises ActionError."""
    array = plain_numbers(field.name, value, inner=field.shape)
    if array.shape == _shape(field):
        array = array.reshape(field.shape)
    if array.shape != field.shape:
        expected = "a number" if field.shape == () else f"numbers of shape {field.shape}"
        raise ActionError(f"{field.name} = {value!r:.60}: must be {expected}")
    numbers = array.astype(np.float64)
    _check(field, array, ~np.isfinite(numbers), "must be a finite number")
    if is_choice(field):
        last = int(field.high - field.low)
        unknown = (numbers < 0) | (numbers > last) | (numbers % 1 != 0)
        _check(field, array, unknown, f"unknown choice; a whole number to {last}")
    return numbers


def _check(field: Field, sent: Array, wrong: Array, rule: str) -> None:
    """Raise ActionError for the first invalid number, shown as it was sent."""
    if wrong.any():
        raise ActionError(f"{field.name} = {sent[wrong][0].item()!r}: {rule}")


def _bounded(game: Game[Any]) -> tuple[Field, ...]:
    """Return a game's observation fields. `seat` has an upper bound, and so does `period` if
    players know the last period."""
    last = np.inf if game.told_horizon is None else game.horizon
    ends = {"period": last, "seat": game.seats - 1}
    layout = game.declaration.observations
    return tuple(replace(field, high=ends.get(field.name, field.high)) for field in layout)


def _seen_spaces(layout: tuple[Field, ...]) -> dict[str, spaces.Space[Any]]:
    by_name: dict[str, spaces.Space[Any]] = {}
    for field in layout:
        low, high = field.low, field.high
        if field.maskable:
            low, high = min(low, 0.0), max(high, 0.0)
            by_name[f"shown_{field.name}"] = spaces.Box(0, 1, _shape(field), dtype=np.int8)
        by_name[field.name] = _box(field, low, high)
    return by_name


def _space(field: Field, highest: float) -> spaces.Space[Any]:
    """Return the space of an action field; `highest` is the largest amount that a seat can use."""
    if is_choice(field):
        count = int(field.high - field.low) + 1
        return (
            spaces.MultiDiscrete(np.full(field.shape, count))
            if field.shape
            else (spaces.Discrete(count))
        )
    return _box(field, field.low, highest)


def _box(field: Field, low: float, high: float) -> spaces.Box:
    dtype = _dtype(field)
    if not np.issubdtype(dtype, np.integer):
        return spaces.Box(low, high, _shape(field), dtype=dtype)
    ends = (int(max(low, -_LARGEST)), int(min(high, _LARGEST)))
    return spaces.Box(*ends, _shape(field), dtype=dtype)


def _shape(field: Field) -> tuple[int, ...]:
    """Return the shape of a field in a Box."""
    return field.shape or (1,)


def _dtype(field: Field) -> type[Any]:
    return np.int8 if field.kind == "flag" else field.dtype
