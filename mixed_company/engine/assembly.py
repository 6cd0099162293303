"""A game built from its configuration, before it is played.

A configuration consists of an archetype, the user's keys and layers (`engine.config`). It
determines the parts of the game: the rules in force, seats and roles, stages, and layers. Each part
adds fields to the game's declaration.

`Staging` is the transition of a game whose periods may have several stages, with peer points in the
second (`engine.contract.stages`, `engine.contract.peers`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from mixed_company.engine.config import Config, completed, configured, kept, resolved
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.config import check_seats
from mixed_company.engine.contract.declaration import STATE
from mixed_company.engine.contract.drift import Drift
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.peer_layout import ASSIGN
from mixed_company.engine.contract.peers import Peers
from mixed_company.engine.contract.permissions import (
    Attribution,
    barred_seats,
    check_limits_seen,
    closed_choices,
)
from mixed_company.engine.contract.presence import Presence
from mixed_company.engine.contract.rules import CoreT, InForce, Rules
from mixed_company.engine.contract.sight import Sight, Turn
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.contract.stages import Stages, chosen
from mixed_company.engine.layers import ORDER
from mixed_company.engine.layers.base import Layer


class Staging(Rules[CoreT]):
    """Base class of a game: its transition over the stages of a period."""

    stages: Stages

    @abstractmethod
    def allowed(self, state: Arrays) -> Allowed:
        """Return the actions currently open to every seat, in a state or a batch of states."""

    def so_far(self, state: Arrays, chance: Arrays) -> Arrays:
        """Return the state as it would be if no seat did anything in the remaining stages."""
        begun = np.asarray(state["stage"] > 0)
        if not begun.any():
            return state
        used = self.stages.whole(state, self.allowed(state).default)
        brought = self.transition(state, used, chance)
        return {**state, **{n: chosen(begun, v, state[n]) for n, v in brought.items()}}

    def _moved(self, state: Arrays, used: Arrays, chance: Arrays) -> dict[str, Array]:
        """Return the next state under the rules of the game and of peer points."""
        after = dict(self.transition(state, used, chance))
        batch = state["period"].shape
        if self.peers is not None:
            income = self.income(state, used, after)
            after |= self.peers.transition(state, used[ASSIGN], income, after)
            after |= self.peers.order(chance, batch)
        if self.stages.several:
            after |= self.stages.initial(batch, self.seats)
        return after


class Assembly(Staging[CoreT]):
    """Base class of a game: its configuration, its parts, and its declaration."""

    def __init__(self, config: Config[Any]) -> None:
        self.config = config
        self.seats = config.core.seats
        active = [
            (layer, getattr(config.layers, layer.name))
            for layer in ORDER
            if getattr(config.layers, layer.name).intensity > 0
        ]
        force: InForce[Any] = InForce(config.core, 1.0, None, {})
        for layer, settings in active:
            force = layer.in_force(settings, self, force)
        self.core, self.externality, self.weights, self.drifts, self.shocks = force
        self._drift = Drift(self.core, self.drifts)
        self.prepare()

        check_seats(config.agents, self.seats)
        self.attribution = Attribution(config.agents, self.seats)
        self.peers = Peers.of(config, self)
        basis = self.declare()
        if self.peers is not None:
            basis = self.peers.declared(basis)
        self.stages = Stages(basis.stages, basis.actions)
        declared = self.attribution.declared(basis)
        first = tuple(field for field in declared.actions if not field.stage)
        self.own_observations = declared.observations
        self.turn = Turn(first, config.agents, self.seats, self.in_view())
        seen = declared.observations + self.stages.observations + self.turn.fields
        declared = replace(declared, observations=seen)
        self.presence = Presence(declared, self.seats, config.agents.may_leave)
        layers: list[Layer[Any]] = []
        for layer, settings in active:
            layers.append(layer(settings, self, declared))
            declared = layers[-1].declared
        self.layers = tuple(layers)
        self._check_timing()
        can_end = bool(self.presence.reasons)
        self.sight = Sight(declared, config.agents, self.seats, can_end, self.turn)
        check_limits_seen(config.agents, declared.actions, declared.observations)
        self.barred = barred_seats(config.agents, self.seats, declared.actions)
        self.closed = closed_choices(config.agents, self.seats, declared.actions)
        self._nobody = np.zeros(self.seats, dtype=np.bool_)
        self.declaration = replace(
            declared,
            observations=self.sight.layout,
            state=STATE + self.presence.state + self.stages.state(self.seats) + declared.state,
            endings={"horizon": "neither", **declared.endings, **self.presence.endings},
            seat_endings=self.presence.results,
        )
        self.fields_of_stages = tuple(
            tuple(field for field in declared.actions if field.stage == number)
            for number in range(len(self.stages.names))
        )
        self.reasons: tuple[str, ...] = tuple(self.declaration.endings)
        self.seat_reasons: tuple[str, ...] = self.presence.reasons

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle a game as its class and its configuration."""
        return _again, (type(self), self.config.model_dump(mode="json"))

    def _check_timing(self) -> None:
        timing = self.config.agents.timing
        if self.own_timing and timing != "simultaneous":
            raise ConfigError(
                f"agents.timing = {timing!r}: {self.id} has its own order; "
                f"set core.{self.own_timing}"
            )

    # -- its configuration ----------------------------------------------------------------

    @classmethod
    def resolve(
        cls,
        archetype: str | None = None,
        seed: int = 0,
        sections: Mapping[str, Any] | None = None,
        **core: Any,
    ) -> Config[Any]:
        """Return the configuration: an archetype, changed by `sections` and then by core
        parameters."""
        return completed(cls, resolved(cls, archetype, seed, sections or {}, core))

    @classmethod
    def config_from(cls, data: Mapping[str, Any]) -> Config[Any]:
        """Return the configuration from a complete dict (its JSON form). Raises ConfigError."""
        return configured(cls, data)

    @classmethod
    def completed(cls, data: Mapping[str, Any]) -> Config[Any]:
        """Return the configuration from a dict that may lack keys. Raises ConfigError."""
        return completed(cls, data)

    @classmethod
    def config_kept(cls, data: Mapping[str, Any]) -> Config[Any]:
        """Return a stored configuration. Keys that its release did not have get the values that the
        release implied.

        Raises ConfigError.
        """
        return completed(cls, kept(cls, data))

    @classmethod
    def config_model(cls) -> type[Config[Any]]:
        """Return the pydantic model of this game's configuration, with its JSON Schema."""
        return Config[cls.Core]  # type: ignore[name-defined]


def _again(game: type[Assembly[Any]], config: Mapping[str, Any]) -> Assembly[Any]:
    return game(game.config_model().trusted(config))
