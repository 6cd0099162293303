"""The contract of a layer: pure hooks that a game calls, each of which does nothing by default.

A layer is made for one game and only if its intensity is above 0. `Game` calls the hooks of its
layers in the order of `engine.layers.ORDER`:

    prepare()                    before anything is declared: change rules the game lets it change
    declare(declared)            add fields, refuse what means nothing in this game
    draw(chance)                 named random arrays, from streams of the layer's own
    initial(state, chance)       own state fields before the first period
    bounds(bounds, state)        tighter bounds of actions
    shake(state, after, chance)  own changes of the world, after the game's transition
    settle(period, components)   change what was earned; own state fields
    view(seen, state, chance)    change or add what is seen
    events(chance)               what a log should name

Whatever a layer remembers is in declared state fields, so that a play with layers is stored,
logged and replayed like any other. All arrays may lead with a batch shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

import numpy as np

from engine.contract.errors import ConfigError, nearest
from engine.contract.section import Section, parameter
from engine.contract.space import Array, Arrays, Field

if TYPE_CHECKING:
    from engine.contract.chance import Chance
    from engine.contract.declaration import Declaration
    from engine.game import Game

__all__ = ["Layer", "Parameters", "Period", "added", "masked", "spread", "total"]

Bounds = Mapping[str, tuple[Any, Any]]


class Parameters(Section):
    """One layer. At intensity 0 a play is the play without layers, bit for bit."""

    intensity: float = parameter(0.0, "strength, 0 (baseline) to 1", ge=0, le=1)


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class Period:
    """A period that has been played, as layers settle it. n is the number of seats.

    before, used, after   the state before, the actions as used, the state after
    chance                the random arrays of the period
    playing               (n,) the seats that took part; None: all
    closing               (n,) the seats for which it is the last
    """

    before: Arrays
    used: Arrays
    after: dict[str, Array]
    chance: Arrays
    playing: Array | None
    closing: Array


class Layer(Generic[P]):
    """See the module's docstring. `s` is the intensity."""

    name: ClassVar[str]

    def __init__(self, game: Game[Any], parameters: P) -> None:
        self.game = game
        self.own = parameters
        self.s = parameters.intensity
        self.seats = game.seats

    def prepare(self) -> None:
        """Change those rules of the game that it lets a layer change."""

    def declare(self, declared: Declaration) -> Declaration:
        """The layouts with what this layer adds. Raises ConfigError for what means nothing."""
        return declared

    def draw(self, chance: Chance) -> Arrays:
        return {}

    def initial(self, state: Arrays, chance: Arrays) -> Arrays:
        return {}

    def bounds(self, bounds: Bounds, state: Arrays) -> Bounds:
        return bounds

    def shake(self, state: Arrays, after: Arrays, chance: Arrays) -> Arrays:
        return {}

    def settle(self, period: Period, components: Arrays) -> tuple[Arrays, Arrays]:
        """The components with those of this layer, and its own state fields."""
        return components, {}

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        return seen

    def events(self, chance: Arrays) -> list[dict[str, Any]]:
        return []

    # -- what several layers need -----------------------------------------------------------

    def refused(self, key: str, value: Any, rule: str) -> ConfigError:
        """The error for a parameter of this layer."""
        shown = list(value) if isinstance(value, tuple) else value
        return ConfigError(f"layers.{self.name}.{key} = {shown!r}: {rule}")

    def check_names(self, key: str, names: Iterable[str], known: Iterable[str], what: str) -> None:
        """Refuse a name that is not known."""
        known = list(known)
        for name in names:
            if name not in known:
                value = getattr(self.own, key)
                hint = nearest(name, known) or f"; {self.game.id} has none"
                raise self.refused(key, value, f"{name!r} is no {what}{hint}")

    def check_says_something(self, *keys: str) -> None:
        """Refuse an intensity above 0 if none of these parameters asks for anything."""
        if not any(getattr(self.own, key) != field.default for key, field in self._fields(keys)):
            raise self.refused(
                "intensity",
                self.s,
                f"there is nothing to apply; set one of {', '.join(keys)}, or 0",
            )

    def _fields(self, keys: Iterable[str]) -> list[tuple[str, Any]]:
        return [(key, type(self.own).model_fields[key]) for key in keys]

    def sometimes(self, chance: Chance, what: str) -> Arrays:
        """(n,) flags, each set with the intensity as its chance; none are drawn at 1."""
        if self.s >= 1.0:
            return {}
        name = f"{self.name}.{what}"
        return {name: chance(name).uniform((self.seats,)) < self.s}

    def applies(self, chance: Arrays, what: str) -> Array:
        """What `sometimes` drew, or True for all seats."""
        drawn = chance.get(f"{self.name}.{what}")
        return np.ones(self.seats, dtype=np.bool_) if drawn is None else drawn


def added(values: Array) -> Array:
    """The sum over the last axis one after the other, the same at every batch shape and layout."""
    running: Array = np.add.accumulate(values, axis=-1)
    return running[..., -1]


def total(components: Arrays) -> Array:
    """(n,) what was earned: the sum of the components."""
    first, *others = components.values()
    earned = first
    for value in others:
        earned = earned + value
    return earned


def masked(value: Array, hidden: Array, public: bool, batch: tuple[int, ...]) -> Array:
    """NaN where a seat is not to see a value; what was public becomes one value for each seat.

    value   batch + shape if it is public, else batch + (n,) + shape
    hidden  (n,) or batch + (n,)
    """
    shown = np.expand_dims(value, len(batch)) if public else value
    axes = shown.ndim - len(batch) - 1
    return np.where(hidden.reshape(hidden.shape + (1,) * axes), np.nan, shown)


def spread(components: Iterable[Field]) -> tuple[float, float]:
    """The least and the most that components with these ranges can add up to."""
    fields = list(components)
    return sum(field.low for field in fields), sum(field.high for field in fields)
