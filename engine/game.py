"""The contract every game obeys. Read this first.

A game is its rules and nothing else: five pure functions over named arrays (`engine.space`).

    initial(chance)                 -> state             before the first period
    limits(state)                   -> {field: (low, high)}  what the state allows right now
    transition(state, used, chance) -> state             the world moves on
    reward(before, used, after)     -> components        what each seat earned, by name
    view(state, chance)             -> observation       what each seat sees
    ending(state)                   -> {reason: where}   why a play is over, besides its horizon

together with a `Declaration`: the layouts of all of these, known before play. Everything that is
the same for all games is done here, once: configuration, validation, the order of a step, the
sum of the components, roles, the horizon, and freezing a play that is over.

One play and a million are the same code: every array may lead with a batch shape, `()` or `(B,)`.
Nothing is mutated, nothing is remembered, chance is drawn before the transition by
`draw_chance(seed, period)`. So a play is its configuration, its seed and its actions.

    game = engine.make("commons_game", archetype="lab")
    state, observations = game.reset(seed=7)
    chance = game.draw_chance(seed=7, period=0)
    actions = {"harvest": [2, 2, 2, 2], "contribution": [0, 0, 0, 0]}
    state, outcome = game.step(state, actions, chance)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Generic, Literal, TypeVar, cast

import numpy as np
from pydantic import ValidationError

from engine.actions import check_open, checked
from engine.chance import Chance, check_seed
from engine.config import Config, Core, check_agents, refusal, role_table
from engine.errors import ConfigError, UnknownName, nearest
from engine.space import Array, Arrays, Field

__all__ = ["Declaration", "Game", "Outcome", "Result", "over_seats"]

Result = Literal["success", "failure", "neither"]
CoreT = TypeVar("CoreT", bound=Core)

_STATE = (
    Field("period", "periods played so far", kind="whole", low=0, visibility="hidden"),
    Field("reason", "0, or 1 + index into the endings", kind="whole", low=0, visibility="hidden"),
)
_SEEN = (
    Field("period", "the period to decide now, from 0", kind="whole", low=0),
    Field("seat", "the seat that sees this, from 0", kind="whole", low=0, visibility="private"),
    Field("ended", "the play is over for this seat", kind="flag", low=0, high=1),
)


def over_seats(values: Array) -> Array:
    """The sum over the last axis, in the same order at every batch shape."""
    return cast(Array, np.add.reduce(values, axis=-1))


@dataclass(frozen=True)
class Declaration:
    """What is known of a game before it is played.

    `endings` maps each reason a play can end to its result; `horizon` (the last period is
    over, neither success nor failure) is always added.
    """

    actions: tuple[Field, ...]
    observations: tuple[Field, ...]
    state: tuple[Field, ...]
    components: tuple[Field, ...]
    endings: Mapping[str, Result]


@dataclass(frozen=True)
class Outcome:
    """What one step gives. Shapes follow a leading batch shape; n is the number of seats.

    observations  named arrays, see `engine.space`
    rewards       (n,) in points, the sum of the components
    components    named (n,) arrays that add up to the rewards
    used          the actions as used: clamped, and cut to what state and role allow
    seat_done     (n,) the seat has ended
    done          () the play is over
    reason        () 0 while it goes on, else 1 + index into `Game.reasons`
    """

    observations: Arrays
    rewards: Array
    components: Arrays
    used: Arrays
    seat_done: Array
    done: Array
    reason: Array


class Game(ABC, Generic[CoreT]):
    """One game with one resolved, frozen configuration. Subclass to write a new game."""

    id: ClassVar[str]
    version: ClassVar[str]
    Core: ClassVar[type[Core]]
    archetypes: ClassVar[Mapping[str, Mapping[str, Any]]]
    changes: ClassVar[Mapping[str, str]] = {}
    """Version -> what changed in it, in order, for every version after the first, which is "1"."""

    def __init__(self, config: Config[Any]) -> None:
        self.config = config
        self.core: CoreT = config.core
        self.seats: int = config.core.seats
        self._numbers = np.arange(self.seats)
        self._numbers.flags.writeable = False
        declared = self.declare()
        check_agents(
            config.agents,
            self.seats,
            {field.name for field in declared.observations if field.maskable},
            {field.name for field in declared.actions},
        )
        self._hidden = self._role_masks("sees", declared.observations)
        self._public = {each.name for each in declared.observations if each.visibility == "public"}
        self._barred = self._role_masks("acts", declared.actions)
        self.declaration = replace(
            declared,
            observations=_SEEN + tuple(map(self._layout_of, declared.observations)),
            state=_STATE + declared.state,
            endings={"horizon": "neither", **declared.endings},
        )
        self.reasons: tuple[str, ...] = tuple(self.declaration.endings)

    # -- what a game writes ---------------------------------------------------------------

    @property
    @abstractmethod
    def horizon(self) -> int:
        """The number of periods a play has at most."""

    @abstractmethod
    def declare(self) -> Declaration:
        """The layouts of this game under this configuration."""

    def draw(self, chance: Chance) -> Arrays:
        """Named random arrays for one step (or, at period -1, for the reset)."""
        return {}

    @abstractmethod
    def initial(self, chance: Arrays, batch: tuple[int, ...]) -> Arrays:
        """The state before the first period."""

    def limits(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        """Tighter bounds than the declared ones, per action field, that this state imposes.

        Numbers or (n,) arrays, ends included. Outside of them an amount is clamped, a choice
        refused; a seat that does not decide does the field's default, moved inside them.
        """
        return {}

    @abstractmethod
    def transition(self, state: Arrays, used: Arrays, chance: Arrays) -> Arrays:
        """The next state, without the contract's own fields."""

    @abstractmethod
    def reward(self, before: Arrays, used: Arrays, after: Arrays) -> Arrays:
        """The reward components, each (n,)."""

    @abstractmethod
    def view(self, state: Arrays, chance: Arrays) -> Arrays:
        """The declared observation fields."""

    def ending(self, state: Arrays) -> Mapping[str, Array]:
        """Per declared reason a boolean array: where it holds, the play is over."""
        return {}

    def events(self, before: Arrays, used: Arrays, after: Arrays) -> list[dict[str, Any]]:
        """What happened in a period of one play (batch shape `()`) that a log should name.

        Each has its name as `event`, the `seat` it concerns if it is one, and a few plain values.
        """
        return []

    # -- what holds for all games ---------------------------------------------------------

    @classmethod
    def resolve(
        cls,
        archetype: str | None = None,
        seed: int = 0,
        sections: Mapping[str, Any] | None = None,
        **core: Any,
    ) -> Config[Any]:
        """The configuration from an archetype, then `sections`, then core parameters."""
        known = {"custom": {}, **cls.archetypes}
        if archetype is not None and archetype not in known:
            raise UnknownName(
                f"archetype = {archetype!r}: unknown in {cls.id}{nearest(archetype, known)}"
            )
        filled = {**known[archetype or "custom"], **core}
        identity = {"archetype": archetype or "custom", "seed": check_seed(seed)}
        return cls.config_from({"identity": identity, "core": filled, **(sections or {})})

    @classmethod
    def config_from(cls, data: Mapping[str, Any]) -> Config[Any]:
        """A configuration from a dict (its JSON form). Raises ConfigError."""
        identity = {"game": cls.id, "version": cls.version, **data.get("identity", {})}
        cls._check_identity(**identity)
        schema = cls.config_model()
        try:
            config = schema.model_validate({**data, "identity": identity})
        except ValidationError as error:
            raise refusal(error, schema) from None
        for name, layer in config.layers:
            if layer.intensity > 0:
                raise ConfigError(
                    f"layers.{name}.intensity = {layer.intensity}: "
                    f"{cls.id} has no {name} layer; only 0 is accepted"
                )
        return config

    @classmethod
    def config_model(cls) -> type[Config[Any]]:
        """The pydantic model of this game's configuration; it has the JSON Schema."""
        return Config[cls.Core]  # type: ignore[name-defined]

    def draw_chance(self, seed: Any, period: Any) -> Arrays:
        """The named random arrays of a period, for a seed or an array of seeds."""
        return self.draw(Chance(seed, period))

    def reset(self, seed: Any = 0) -> tuple[Arrays, Arrays]:
        """State and first observations. An array of B seeds starts B plays.

        Raises ConfigError for a seed that is no whole number from 0 to 2**63 - 1.
        """
        batch = np.shape(seed)
        if batch and (np.asarray(seed).dtype.kind not in "iu" or np.min(seed, initial=0) < 0):
            raise ConfigError("seeds: every seed is a whole number from 0 to 2**63 - 1")
        if not batch:
            check_seed(seed)
        chance = self.draw_chance(seed, -1)
        state = dict(self.initial(chance, batch))
        state["period"] = np.zeros(batch, dtype=np.int64)
        state["reason"] = np.zeros(batch, dtype=np.int64)
        return _frozen(state), self.observe(state, chance)

    def step(
        self, state: Arrays, actions: Mapping[str, Any], chance: Arrays
    ) -> tuple[Arrays, Outcome]:
        """Validate, transition, reward, observe, end. Raises ActionError, then nothing changed."""
        used = self.validate(state, actions)
        after = dict(self.transition(state, used, chance))
        after["period"] = state["period"] + 1
        after["reason"] = self._reason(after)
        over = state["reason"] > 0
        if over.any():
            after = {name: _choose(over, state[name], value) for name, value in after.items()}
        components = dict(self.reward(state, used, after))
        if over.any():
            components = {
                name: np.where(over[..., None], 0.0, value) for name, value in components.items()
            }
        done = after["reason"] > 0
        return _frozen(after), Outcome(
            observations=self.observe(after, chance),
            rewards=_added(components),
            components=components,
            used=used,
            seat_done=np.repeat(done[..., None], self.seats, axis=-1),
            done=done,
            reason=after["reason"],
        )

    def validate(self, state: Arrays, actions: Mapping[str, Any]) -> dict[str, Array]:
        """The actions as used: checked, clamped to declared ranges, limits and roles.

        Finite numbers outside a range are clamped. Anything else, and a choice that is not open
        now, raises ActionError with seat, field, value and rule.
        """
        shape = (*np.shape(state["period"]), self.seats)
        sent = checked(self.declaration.actions, actions, shape)
        limits = self.limits(state)
        used: dict[str, Array] = {}
        for field in self.declaration.actions:
            value = sent[field.name]
            if field.kind != "choice":
                value = np.minimum(np.maximum(value, field.low), field.high)
            if field.name in limits:
                low, high = limits[field.name]
                if field.kind == "choice":
                    check_open(field, value, low, high)
                else:
                    value = np.minimum(np.maximum(value, low), high)
            if field.name in self._barred:
                low, high = limits.get(field.name, (field.low, field.high))
                default = np.minimum(np.maximum(field.default, low), high)
                value = np.where(self._barred[field.name], default, value)
            used[field.name] = np.asarray(value, dtype=field.dtype)
        return used

    def observe(self, state: Arrays, chance: Arrays) -> Arrays:
        """What all seats see of a state; `chance` is that of the period that led to it."""
        batch = np.shape(state["period"])
        seen = dict(self.view(state, chance))
        for name, hidden in self._hidden.items():
            shown = seen[name]
            if name in self._public:
                shown = np.expand_dims(shown, len(batch))
            mask = hidden.reshape(hidden.shape + (1,) * (shown.ndim - len(batch) - 1))
            seen[name] = np.where(mask, np.nan, shown)
        seen["period"] = state["period"]
        seen["seat"] = (
            np.broadcast_to(self._numbers, (*batch, self.seats)) if batch else self._numbers
        )
        seen["ended"] = state["reason"] > 0
        return seen

    def may_act(self, field: str, seat: int) -> bool:
        """Does the role of this seat let it decide this action field?"""
        return field not in self._barred or not self._barred[field][seat]

    def reason_name(self, code: Any) -> str | None:
        """The name of a reason code, None while a play goes on."""
        return self.reasons[int(code) - 1] if int(code) else None

    @classmethod
    def _check_identity(cls, game: Any, version: Any, **_others: Any) -> None:
        """Refuse another game and other rules, before any of their keys is called unknown."""
        if isinstance(game, str) and game != cls.id:
            raise ConfigError(f"identity.game = {game!r}: this is {cls.id!r}")
        if isinstance(version, str) and version != cls.version:
            versions = ["1", *cls.changes]
            later = versions[versions.index(version) + 1 :] if version in versions else []
            raise ConfigError(
                f"identity.version = {version!r}: "
                f"the rules of {cls.id} installed here are version {cls.version!r}"
                + "".join(f"; new in {each!r}: {cls.changes[each]}" for each in later)
            )

    # -- inside ---------------------------------------------------------------------------

    def _reason(self, state: Arrays) -> Array:
        reason = np.where(state["period"] >= self.horizon, 1, 0)
        for name, where in self.ending(state).items():
            reason = np.where(where, 1 + self.reasons.index(name), reason)
        return np.asarray(reason, dtype=np.int64)

    def _role_masks(
        self, what: Literal["sees", "acts"], layout: tuple[Field, ...]
    ) -> dict[str, Array]:
        table = role_table(self.config.agents, self.seats, what)
        masks: dict[str, Array] = {}
        for field in layout:
            if what == "sees" and not field.maskable:
                continue
            barred = np.array([names is not None and field.name not in names for names in table])
            if barred.any():
                masks[field.name] = barred
        return masks

    def _layout_of(self, field: Field) -> Field:
        return replace(field, visibility="private") if field.name in self._hidden else field


def _frozen(state: dict[str, Array]) -> Arrays:
    for value in state.values():
        if isinstance(value, np.ndarray):
            value.flags.writeable = False
    return state


def _added(components: Mapping[str, Array]) -> Array:
    first, *others = components.values()
    total = first
    for value in others:
        total = total + value
    return total


def _choose(over: Array, before: Array, after: Array) -> Array:
    where = np.reshape(over, np.shape(over) + (1,) * (np.ndim(after) - np.ndim(over)))
    return np.asarray(np.where(where, before, after))
