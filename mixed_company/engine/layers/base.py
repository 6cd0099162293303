"""The contract of a layer, which returns its changes and mutates nothing.

A layer is created for one game with one configuration, and only if its intensity is above 0. `Game`
calls its layers in the order of `engine.layers.ORDER`, which follows `Layer.order`:

    in_force(settings, rules, force)  before the layer is made: the rules in force with its changes
    Layer(settings, rules, declared)  made once; its `declared` are the layouts with its additions
    draw(chance)                 named random arrays, from the layer's own streams
    initial(state)               its state fields before the first period
    limits(limits, state)        tighter limits of actions
    shake(state, after, chance)  its changes to the state after the game's transition
    settle(period, components)   the changed components; its state fields
    view(seen, state, chance)    the changed observations
    remember(before, seen, state)  its state fields that store observations
    events(period)               its events for a log
    alters(name)                 whether it alters an observation
    in_view()                    the seats whose numbers each seat sees, if not all

By default, each of these does nothing. A layer remembers things only in declared state fields, so a
play with layers is stored, logged and replayed like any other. All arrays may have leading batch
axes.
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

Limits = Mapping[str, tuple[Any, Any]]


class Parameters(Section):
    """Settings of one layer. At intensity 0, a play is bit for bit the same as without the
    layer."""

    intensity: float = parameter(0.0, "strength, 0 (baseline) to 1", ge=0, le=1)


P = TypeVar("P", bound=Parameters)


@dataclass(frozen=True)
class Settled:
    """A period after its transition, to be settled by layers. n is the number of seats.

    before, used, after   the state before, the actions as used, the state after
    chance                the random arrays of the period
    playing               (n,) flags of the seats that took part; None for all
    closing               (n,) flags of the seats for which this is the last period
    """

    before: Arrays
    used: Arrays
    after: Arrays
    chance: Arrays
    playing: Array | None
    closing: Array


class Layer(Generic[P]):
    """Base class of layers. See the module's docstring.

    name       its key in the `layers` section of a configuration
    position   position of that key in the section, counted from 1
    order      its position in the order of application, counted from 1
    s          the intensity
    event_kinds  the events of `events`, by name
    """

    name: ClassVar[str]
    position: ClassVar[int]
    order: ClassVar[int]
    parameters: ClassVar[type[Parameters]]
    event_kinds: ClassVar[Mapping[str, EventKind]] = {}

    def __init__(self, settings: P, rules: Rules[Any], declared: Declaration) -> None:
        self.settings = settings
        self.rules = rules
        self.declared = declared
        self.s = settings.intensity
        self.seats = rules.seats

    @classmethod
    def in_force(cls, settings: P, rules: Rules[Any], force: InForce[Any]) -> InForce[Any]:
        """Return the rules in force, changed by this layer. Raises ConfigError."""
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
        """Return the components, including this layer's, and the layer's state fields."""
        return components, {}

    def view(self, seen: Arrays, state: Arrays, chance: Arrays) -> Arrays:
        return seen

    def remember(self, before: Arrays | None, seen: Arrays, state: Arrays) -> Arrays:
        """Return the layer's state fields, given observations that it has not changed yet.

        `before` is the state one period earlier; None before the first period.
        """
        return {}

    def events(self, period: Happened) -> list[dict[str, Any]]:
        return []

    def alters(self, name: str, personal: bool = False) -> bool:
        """Return whether the observation field is hidden, blurred or delayed for any seat.

        If `personal`, only consider a seat's own number in a field with a number per seat.
        """
        return False

    def in_view(self) -> Array | None:
        """Return flags (n, n): whether seat i sees the numbers of seat j; None if this layer hides
        none."""
        return None

    # -- helpers for layers ------------------------------------------------------------------

    @classmethod
    def refusal(cls, key: str, value: Any, rule: str) -> ConfigError:
        """Return the error for an invalid setting of this layer."""
        shown = list(value) if isinstance(value, tuple) else value
        return ConfigError(f"layers.{cls.name}.{key} = {shown!r}: {rule}")

    @classmethod
    def check_names(
        cls, settings: P, key: str, names: Iterable[str], valid: Iterable[str], noun: str, game: str
    ) -> None:
        """Refuse unknown names, with the error "... is not `noun`"; `noun` includes the article."""
        valid = list(valid)
        for name in names:
            if name not in valid:
                hint = nearest(name, valid) or f"; {game} has none"
                raise cls.refusal(key, getattr(settings, key), f"{name!r} is not {noun}{hint}")

    @classmethod
    def check_says_something(cls, settings: P, *keys: str) -> None:
        """Refuse an intensity above 0 if none of these settings has an effect."""
        fields = type(settings).model_fields
        if all(getattr(settings, key) == fields[key].default for key in keys):
            rule = f"has no effect; set one of {', '.join(keys)}, or intensity 0"
            raise cls.refusal("intensity", settings.intensity, rule)

    def sometimes(self, chance: Chance, event: str) -> Arrays:
        """Draw flags (n,), each set with probability `intensity`; at 1 no draw is needed."""
        if self.s >= 1.0:
            return {}
        name = f"{self.name}.{event}"
        return {name: chance(name).uniform((self.seats,)) < self.s}

    def applies(self, chance: Arrays, event: str) -> Array:
        """Return the flags that `sometimes` drew, or True for all seats."""
        drawn = chance.get(f"{self.name}.{event}")
        return np.ones(self.seats, dtype=np.bool_) if drawn is None else drawn
