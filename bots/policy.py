"""The contract of a policy: whatever takes a seat instead of a person.

A policy sees what a person in that seat would see, and nothing else:

    rules         the game's parameters, as the instructions tell them (`game.core`)
    observation   the seat's own observation: field name -> number or array; NaN is "not shown"
    memory        its own notes, plain JSON, handed back every period
    rng           a seeded numpy Generator, named by play, seat and period

    def act(self, observation, memory, rng): return {"harvest": 2.0, "contribution": 0.0}, memory

A new policy is one file under `bots/scripted/`, with one subclass of Policy in it; it is found by
itself and tested at once (tests/bots). Its docstring says in the first sentence what it does.
"""

from __future__ import annotations

import copy
import json
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from engine.contract.config import Core
from engine.contract.errors import ConfigError, choices, nearest
from engine.contract.space import Array, Field
from engine.game import Game

__all__ = [
    "BUDGET_SECONDS",
    "Action",
    "Batched",
    "Decision",
    "Memory",
    "Observation",
    "Policy",
    "Range",
    "decide",
]

Observation = Mapping[str, Array]
Memory = dict[str, Any]
Action = dict[str, float]

BUDGET_SECONDS = 0.002
"""Processor time a decision may take on the server."""


class Range(NamedTuple):
    """A parameter of a policy: its default and the values it may take, ends included."""

    default: float
    low: float
    high: float


class Policy(ABC):
    """Takes a seat. Subclass with `id`, `games` and `source`, and write `act`."""

    id: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    version: ClassVar[str] = "1"
    source: ClassVar[str]
    told_the_solution: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, Range]] = {}

    def __init__(self, rules: Core, **parameters: float) -> None:
        for name, value in parameters.items():
            if name not in self.parameters:
                raise ConfigError(
                    f"{self.id}: parameter {name!r}: unknown{nearest(name, self.parameters)}"
                )
            _, low, high = self.parameters[name]
            if not low <= value <= high:
                raise ConfigError(f"{self.id}: {name} = {value:g}: from {low:g} to {high:g}")
        defaults = {name: each.default for name, each in self.parameters.items()}
        self.rules: Any = rules
        self.own: dict[str, float] = {**defaults, **parameters}

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        """The policy for a game. Raises ConfigError for a parameter, or if the game does not fit.

        A written policy reads the rules alone; a trained one needs the layouts of the game.
        """
        return cls(game.core, **parameters)

    def start(self) -> Memory:
        """The memory before the first period."""
        return {}

    @abstractmethod
    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        """One seat's action for this period, and the memory for the next."""

    def act_within(
        self,
        layout: tuple[Field, ...],
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator,
    ) -> tuple[Action, Memory]:
        """The same where `layout` are the action fields as the seat has them now.

        Override it, and not `act`, only where what is open now is not seen otherwise.
        """
        return self.act(observation, memory, rng)


class Batched(Policy):
    """A policy that can also decide for many seats at once, as it would for each of them alone."""

    @abstractmethod
    def act_together(
        self,
        limits: Mapping[str, tuple[Array, Array]],
        observations: Observation,
        memories: Sequence[Memory],
        rngs: Iterator[np.random.Generator],
    ) -> tuple[Mapping[str, Array], Sequence[Memory]]:
        """The actions of K seats, (K,) numbers per field, and their memories.

        `limits` are the lowest and highest (K,) of each action field now. Every observation field
        leads with K. The generators are made as they are taken.
        """


@dataclass(frozen=True)
class Decision:
    """What a seat does, and why it is not what the policy said, if so."""

    action: Action
    memory: Memory
    fault: str | None = None


def decide(
    policy: Policy,
    layout: tuple[Field, ...],
    observation: Observation,
    memory: Memory,
    rng: np.random.Generator,
    budget: float = BUDGET_SECONDS,
) -> Decision:
    """Ask a policy. An error, nonsense or an overrun gives the default action and a fault.

    `layout` are the action fields as the seat has them now, see `engine.Episode.actions`.
    """
    started = time.thread_time()
    try:
        answer, after = policy.act_within(layout, observation, copy.deepcopy(memory), rng)
        fault = _nonsense(layout, answer, after)
        action = {} if fault else {field.name: float(answer[field.name]) for field in layout}
    except Exception as error:  # noqa: BLE001  whatever a policy raises, the play goes on
        fault = f"{type(error).__name__}: {error}"
    spent = time.thread_time() - started
    if fault is None and spent > budget:
        fault = f"took {spent * 1000:.1f} ms of {budget * 1000:g} ms"
    if fault is not None:
        return Decision({field.name: field.default for field in layout}, memory, fault)
    return Decision(action, after)


def _nonsense(layout: tuple[Field, ...], action: Any, memory: Any) -> str | None:
    if not isinstance(action, Mapping) or set(action) != {field.name for field in layout}:
        return f"action {action!r:.80} should have {[field.name for field in layout]}"
    for field in layout:
        value = action[field.name]
        if not isinstance(value, int | float | np.number) or not math.isfinite(value):
            return f"{field.name} = {value!r:.40}: must be a finite number"
        if field.kind == "whole" and value != int(value):
            return f"{field.name} = {value!r:.40}: must be a whole number"
        if field.kind == "choice" and (value != int(value) or not field.low <= value <= field.high):
            return f"{field.name} = {value!r:.40}: one of {choices(field.low, field.high)}"
    if not isinstance(memory, dict):
        return f"memory {memory!r:.40} should be a dict"
    try:
        json.dumps(memory, allow_nan=False)
    except (TypeError, ValueError) as error:
        return f"memory {memory!r:.40} has no JSON form: {error}"
    return None
