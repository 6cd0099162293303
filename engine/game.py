"""The contract every game obeys. Read this first.

A game is its rules and nothing else: pure functions over named arrays (`engine.contract.space`),
each of which `engine.contract.rules` explains.

    initial(chance)                 -> state             before the first period
    limits(state)                   -> {field: (low, high)}  what the state allows right now
    transition(state, used, chance) -> state             the world moves on
    reward(before, used, after)     -> components        what each seat earned, by name
    view(state, chance)             -> observation       what each seat sees
    ending(state)                   -> {reason: where}   why a play is over, besides its horizon
    seat_ending(state)              -> {reason: where}   why it is over for a seat

together with a `Declaration`: the layouts of all of these, known before play. Everything that is
the same for all games is done elsewhere, once: configuration (`engine.contract.config`),
validation, the order of a step, the sum of the components, the horizon and freezing a play that is
over (here), roles and what is seen (`engine.contract.sight`), seats that end
(`engine.contract.presence`), and the seven layers (`engine.layers`).

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

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from engine import stepping
from engine.contract.actions import check_open, checked
from engine.contract.chance import Chance, check_seed
from engine.contract.config import Config, role_table
from engine.contract.declaration import STATE, Declaration, Outcome, Result, over_seats
from engine.contract.drift import Drift
from engine.contract.errors import ConfigError
from engine.contract.presence import Presence
from engine.contract.resolving import configured, resolved
from engine.contract.rules import CoreT, Rules
from engine.contract.sight import Sight
from engine.contract.space import Array, Arrays
from engine.layers import attached
from engine.layers.base import Layer

__all__ = ["Declaration", "Game", "Outcome", "Result", "over_seats"]


class Game(Rules[CoreT]):
    """One game with one resolved, frozen configuration. Subclass to write a new game.

    What there is to write is in `engine.contract.rules`; what is here is the same for all games.
    """

    def __init__(self, config: Config[Any]) -> None:
        self.config = config
        self.core = config.core
        self.seats = config.core.seats
        self._numbers = np.arange(self.seats)
        self._numbers.flags.writeable = False
        self.externality = 1.0
        self.weights = None
        self.drifts = {}
        self.layers: tuple[Layer[Any], ...] = attached(self)
        for layer in self.layers:
            layer.prepare()
        self._drift = Drift(self.core, self.drifts)
        self.prepare()
        self._declare()
        self.reasons: tuple[str, ...] = tuple(self.declaration.endings)
        self.seat_reasons: tuple[str, ...] = self.presence.reasons

    def _declare(self) -> None:
        agents = self.config.agents
        declared = self.declare()
        self.own_observations = declared.observations
        self.presence = Presence(declared, self.seats, agents.may_leave)
        for layer in self.layers:
            declared = layer.declare(declared)
        if self.own_timing and agents.timing != "simultaneous":
            raise ConfigError(
                f"agents.timing = {agents.timing!r}: {self.id} has an order of its own; "
                f"set core.{self.own_timing}"
            )
        self.sight = Sight(declared, agents, self.seats, bool(self.presence.reasons))
        table = role_table(agents, self.seats, "acts")
        self._barred = {
            field.name: barred
            for field in declared.actions
            if (
                barred := np.array([row is not None and field.name not in row for row in table])
            ).any()
        }
        self.declaration = replace(
            declared,
            observations=self.sight.layout,
            state=STATE + self.presence.state + declared.state,
            endings={"horizon": "neither", **declared.endings, **self.presence.endings},
            seat_endings=self.presence.results,
        )

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
        return cls.config_from(resolved(cls, archetype, seed, sections or {}, core))

    @classmethod
    def config_from(cls, data: Mapping[str, Any]) -> Config[Any]:
        """A configuration from a dict (its JSON form). Raises ConfigError."""
        return configured(cls, data)

    @classmethod
    def config_model(cls) -> type[Config[Any]]:
        """The pydantic model of this game's configuration; it has the JSON Schema."""
        return Config[cls.Core]  # type: ignore[name-defined]

    def draw_chance(self, seed: Any, period: Any) -> Arrays:
        """The named random arrays of a period, for a seed or an array of seeds."""
        chance = Chance(seed, period)
        drawn = self.draw(chance)
        for layer in self.layers:
            drawn = {**drawn, **layer.draw(chance)}
        return drawn

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
        if self.seat_reasons:
            state["seat_reason"] = np.zeros((*batch, self.seats), dtype=np.int64)
        for layer in self.layers:
            state |= layer.initial(state, chance)
        return stepping.frozen(state), self.observe(state, chance)

    def step(
        self, state: Arrays, actions: Mapping[str, Any], chance: Arrays, leaving: Any = None
    ) -> tuple[Arrays, Outcome]:
        """Validate, transition, shocks, reward, layers, end, observe (`engine.stepping`).

        `leaving` (n, flags): seats that leave now. What is sent for them counts no more.
        Raises ActionError, then nothing changed.
        """
        after, parts = stepping.advanced(self, state, actions, chance, leaving)
        return after, stepping.outcome(self, after, parts, chance)

    def validate(self, state: Arrays, actions: Mapping[str, Any]) -> dict[str, Array]:
        """The actions as used: checked, clamped to declared ranges, limits and roles.

        Finite numbers outside a range are clamped. Anything else, and a choice that is not open
        now, raises ActionError with seat, field, value and rule.
        """
        shape = (*np.shape(state["period"]), self.seats)
        bounds = self.bounds(state)
        sent = checked(self.declaration.actions, actions, shape, bounds)
        used: dict[str, Array] = {}
        for field in self.declaration.actions:
            value = sent[field.name]
            if field.kind != "choice":
                value = np.minimum(np.maximum(value, field.low), field.high)
            if field.name in bounds:
                low, high = bounds[field.name]
                if field.kind == "choice":
                    check_open(field, value, low, high)
                else:
                    value = np.minimum(np.maximum(value, low), high)
            if field.name in self._barred:
                low, high = bounds.get(field.name, (field.low, field.high))
                default = np.minimum(np.maximum(field.default, low), high)
                value = np.where(self._barred[field.name], default, value)
            used[field.name] = np.asarray(value, dtype=field.dtype)
        return used

    def bounds(self, state: Arrays) -> Mapping[str, tuple[Any, Any]]:
        """What state and layers allow right now, per action field; see `limits`."""
        bounds = self.limits(state)
        for layer in self.layers:
            bounds = layer.bounds(bounds, state)
        return bounds

    def defaults(self, state: Arrays) -> dict[str, Array]:
        """Per action field what a seat does that does not decide: numbers or (n,) arrays."""
        bounds = self.bounds(state)
        found = {}
        for field in self.declaration.actions:
            low, high = bounds.get(field.name, (field.low, field.high))
            inside = np.minimum(np.maximum(field.default, low), high)
            found[field.name] = np.asarray(inside, dtype=field.dtype)
        return found

    def observe(self, state: Arrays, chance: Arrays) -> Arrays:
        """What all seats see of a state; `chance` is that of the period that led to it."""
        return self.sight.observe(self.shown(state, chance, self.layers), state)

    def shown(self, state: Arrays, chance: Arrays, layers: Sequence[Layer[Any]]) -> Arrays:
        """What the game and these layers show, before roles, endings and turns."""
        seen = self.view(state, chance)
        for layer in layers:
            seen = layer.view(seen, state, chance)
        return seen

    def told(self, state: Arrays, seen: Arrays, decided: Mapping[str, Any]) -> Arrays:
        """The observations in the middle of a sequential period: with what has been decided.

        `decided` maps each action field to (n,) numbers, NaN for seats that have not decided.
        """
        return self.sight.told(seen, decided, state)

    def may_act(self, field: str, seat: int) -> bool:
        """Does the role of this seat let it decide this action field?"""
        return field not in self._barred or not self._barred[field][seat]

    def reason_name(self, code: Any) -> str | None:
        """The name of a reason code, None while a play goes on."""
        return self.reasons[int(code) - 1] if int(code) else None

    # -- inside ---------------------------------------------------------------------------

    def _reason(self, state: Arrays) -> Array:
        reason = np.where(state["period"] >= self.horizon, 1, 0)
        for name, where in self.ending(state).items():
            reason = np.where(where, 1 + self.reasons.index(name), reason)
        return np.asarray(reason, dtype=np.int64)
