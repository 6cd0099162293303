"""The contract of a layer: it returns what it changes, and touches nothing.

A layer is made for one game under one configuration, and only if its intensity is above 0. `Game`
asks its layers in the order of `engine.layers.ORDER`, which is that of `Layer.order`:

    in_force(own, rules, force)  before the layer is made: the rules in force with its changes
    Layer(own, rules, declared)  made once; `declared` are then the layouts with what it adds
    draw(chance)                 named random arrays, from streams of the layer's own
    initial(state)               own state fields before the first period
    limits(limits, state)        tighter limits of actions
    shake(state, after, chance)  own changes of the world, after the game's transition
    settle(period, components)   what was earned, changed; own state fields
    view(seen, state, chance)    what is seen, changed
    remember(before, seen, state)  own state fields that keep what was to be seen
    events(period)               what a log should name
    alters(name)                 is a field not seen as it is?
    in_view()                    whose numbers are seen by whom, where not all are

Each does nothing by default. Whatever a layer remembers of a play is in declared state fields, so
that a play with layers is stored, logged and replayed like any other. All arrays may lead with a
batch shape.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from mixed_company.engine.contract.chance import Chance
from mixed_company.engine.contract.declaration import Declaration, EventKind, Happened
from mixed_company.engine.contract.errors import ConfigError, nearest
from mixed_company.engine.contract.rules import InForce, Rules
from mixed_company.engine.contract.section import Section, parameter
from mixed_company.engine.contract.space import Array, Arrays

__all__ = ["Layer", "Limits", "Parameters", "Settled"]

Limits = Mapping[str, tuple[Any, Any]]


class Parameters(Section):
    """One layer. At intensity 0 a play is the play without layers, bit for bit."""

    intensity: float = parameter(0.0, "strength, 0 (baseline) to 1", ge=0, le=1)


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class Settled:
    """A period whose world has moved, as layers settle it. n is the number of seats.

    before, used, after   the state before, the actions as used, the state after
    chance                the random arrays of the period
    playing               (n,) the seats that took part; None: all
    closing               (n,) the seats for which it is the last
    """

    before: Arrays
    used: Arrays
    after: Arrays
    chance: Arrays
    playing: Array | None
    closing: Array


class Layer(Generic[P]):
    """See the module's docstring.

    name       its key in the section `layers` of a configuration
    position   where that key stands in the section, from 1
    order      its place in the order in which layers are applied, from 1
    s          the intensity
    event_kinds  what `events` names, by the name of the event
    """

    name: ClassVar[str]
    position: ClassVar[int]
    order: ClassVar[int]
    parameters: ClassVar[type[Parameters]]
    event_kinds: ClassVar[Mapping[str, EventKind]] = {}

    def __init__(self, own: P, rules: Rules[Any], declared: Declaration) -> None:
        self.own = own
        self.rules = rules
        self.declared = declared
        self.s = own.intensity
        self.seats = rules.seats

    @classmethod
    def in_force(cls, own: P, rules: Rules[Any], force: InForce[Any]) -> InForce[Any]:
        """The rules in force with the changes of this layer. Raises ConfigError."""
        return force

    def draw(self, chance: Chance) -> Arrays:
        return {}

    def initial(self, state: Arrays) -> Arrays:
        return {}

    def limits(self, limits: Limits, state: Arrays) -> Limits:
        return limits

    def shake(self, state: Arrays, after: Arrays, chance: Arrays) -> Arrays:
        return {}

    def settle(self, period: Settled, components: Arrays) -> tuple[Arrays, Arrays]:
        """The components with those of this layer, and its own state fields."""
        return components, {}

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        return seen

    def remember(self, before: Arrays | None, seen: Arrays, state: Arrays) -> Arrays:
        """Own state fields, from what is to be seen of `state` before this layer changes it.

        `before` is the state a period ago; None before the first.
        """
        return {}

    def events(self, period: Happened) -> list[dict[str, Any]]:
        return []

    def alters(self, name: str) -> bool:
        """Is the observation field of this name hidden, blurred or late for some seat?"""
        return False

    def in_view(self) -> Array | None:
        """(n, n) flags: row i sees the numbers of seat j, by this layer; None: of all."""
        return None

    # -- what several layers need -----------------------------------------------------------

    @classmethod
    def refusal(cls, key: str, value: Any, rule: str) -> ConfigError:
        """The error for a parameter of this layer."""
        shown = list(value) if isinstance(value, tuple) else value
        return ConfigError(f"layers.{cls.name}.{key} = {shown!r}: {rule}")

    @classmethod
    def check_names(
        cls, own: P, key: str, names: Iterable[str], known: Iterable[str], what: str, game: str
    ) -> None:
        """Refuse a name that is not known."""
        known = list(known)
        for name in names:
            if name not in known:
                hint = nearest(name, known) or f"; {game} has none"
                raise cls.refusal(key, getattr(own, key), f"{name!r} is no {what}{hint}")

    @classmethod
    def check_says_something(cls, own: P, *keys: str) -> None:
        """Refuse an intensity above 0 if none of these parameters asks for anything."""
        fields = type(own).model_fields
        if all(getattr(own, key) == fields[key].default for key in keys):
            rule = f"there is nothing to apply; set one of {', '.join(keys)}, or 0"
            raise cls.refusal("intensity", own.intensity, rule)

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
