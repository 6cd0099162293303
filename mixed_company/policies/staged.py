"""One policy for each stage of a period, joined by `+`: `conditional_cooperator+antisocial`.

In each stage, the policy for that stage decides, and has a separate memory. A seat without a policy
for a later stage does nothing in it. In a game with one stage, the second policy is never asked, so
a population's types can be used in games with and without later stages.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.policies.draws import Draws
from mixed_company.policies.policy import (
    Action,
    Decided,
    Memory,
    Observation,
    Policy,
    Range,
    Seats,
)
from mixed_company.policies.talk import Saying, Talk

_LATER = "later."
"""Prefix of the second policy's notes."""


class Staged(Policy):
    """A policy for the first stage and one for a later stage. Raises ConfigError for any other
    pair."""

    stage = None

    def __init__(self, spec: str, first: Policy, second: Policy) -> None:
        if first.stage is None:
            raise ConfigError(f"{spec}: {first.id} already decides in every stage of a period")
        if first.stage != 0:
            raise ConfigError(f"{spec}: {first.id} does not decide in the first stage of a period")
        if not second.stage:
            raise ConfigError(f"{spec}: {second.id} decides in the first stage, not in a later one")
        self.first, self.second = first, second
        super().__init__(first.rules)
        self._id = spec

    @property
    def id(self) -> str:  # type: ignore[override]
        return self._id

    @property
    def parts(self) -> tuple[Policy, Policy]:
        """The policies of both stages."""
        return self.first, self.second

    @property
    def parameters(self) -> Mapping[str, Range]:  # type: ignore[override]
        """Parameters of both policies."""
        return {**self.second.parameters, **self.first.parameters}

    @property
    def apiece(self) -> bool:  # type: ignore[override]
        return all(part.apiece for part in self.parts if part.parameters)

    def having(self, settings: Mapping[str, Any]) -> Self:
        changed = copy.copy(self)
        changed.first, changed.second = (
            part.having({name: settings[name] for name in settings if name in part.parameters})
            for part in self.parts
        )
        return changed

    @property
    def ours(self) -> bool:
        return all(part.ours for part in self.parts)

    @property
    def apart(self) -> bool:
        return self.slow or any(part.apart for part in self.parts)

    @property
    def together(self) -> bool:
        return all(part.together for part in self.parts)

    def start(self) -> Memory:
        later = {_LATER + name: value for name, value in self.second.start().items()}
        return {**self.first.start(), **later}

    def at_stage(self, stage: int) -> Policy | None:
        return self.parts[stage].at_stage(stage)

    def notes_at(self, stage: int, memory: Memory) -> Memory:
        return _divided(memory)[stage]

    def noted(self, stage: int, memory: Memory, notes: Memory) -> Memory:
        first, later = _divided(memory)
        return _joined(first, notes) if stage else _joined(notes, later)

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator | Draws,
    ) -> tuple[Action, Memory]:
        stage = int(observation["stage"])
        notes = self.notes_at(stage, memory)
        action, notes = self.parts[stage].act_within(allowed, observation, notes, rng)
        return action, self.noted(stage, memory, notes)

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        stage = int(np.any(seats.seen.get("stage", 0)))
        memory = dict(seats.memory)
        part = Seats(seats.seen, self.notes_at(stage, memory), seats.draws)
        actions, notes = self.parts[stage].act_together_within(allowed, part)
        return actions, self.noted(stage, memory, dict(notes))

    def say(self, talk: Talk, observation: Observation, rng: np.random.Generator) -> Saying | None:
        return self.first.say(talk, observation, rng)

    def hear(self, talk: Talk, memory: Memory) -> Memory:
        first, later = _divided(memory)
        return _joined(self.first.hear(talk, first), later)

    @property
    def talks(self) -> bool:
        return self.first.talks


def check_alone(policy: Policy) -> None:
    """Raise ConfigError if a policy on its own decides only in a later stage."""
    if policy.stage:
        raise ConfigError(
            f"{policy.id}: decides only in a later stage; combine it with a policy for the "
            f"first stage, such as 'random+{policy.id}'"
        )


def _divided(memory: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    later = {name.removeprefix(_LATER): memory[name] for name in memory if name.startswith(_LATER)}
    return {name: memory[name] for name in memory if not name.startswith(_LATER)}, later


def _joined(first: Mapping[str, Any], later: Mapping[str, Any]) -> dict[str, Any]:
    return {**first, **{_LATER + name: value for name, value in later.items()}}
