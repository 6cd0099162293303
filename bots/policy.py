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

from engine.contract.allowed import Allowed
from engine.contract.chance import generator
from engine.contract.config import Core
from engine.contract.errors import ActionError, ConfigError, nearest
from engine.contract.space import Array
from engine.game import Game
from engine.play.episode import Episode

__all__ = [
    "BUDGET_SECONDS",
    "Action",
    "Answer",
    "Batched",
    "Memory",
    "Observation",
    "Policy",
    "Range",
    "ask",
    "ask_at",
    "seat_chance",
]

Observation = Mapping[str, Array]
Memory = dict[str, Any]
Action = dict[str, Any]
"""Action field -> a number; of an array field, an array of its shape."""

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
        defaults = {name: parameter.default for name, parameter in self.parameters.items()}
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
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator,
    ) -> tuple[Action, Memory]:
        """The same, where `allowed` is what the seat may do now.

        Override it, and not `act`, only where what is open now is not seen otherwise.
        """
        return self.act(observation, memory, rng)


class Batched(Policy):
    """A policy that can also decide for many seats at once, as it would for each of them alone."""

    @abstractmethod
    def act_together(
        self,
        allowed: Allowed,
        observations: Observation,
        memories: Sequence[Memory],
        rngs: Iterator[np.random.Generator],
    ) -> tuple[Mapping[str, Array], Sequence[Memory]]:
        """The actions of K seats, (K,) numbers per field, and their memories.

        `allowed` (K,) is what they may do now. Every observation field leads with K. The
        generators are made as they are taken.
        """


@dataclass(frozen=True)
class Answer:
    """What a policy answered for a seat, or the default, and then why.

    action   plain numbers, as the seat sends them
    memory   to be handed back in the next period; that of before if it failed
    fault    what was wrong; None: nothing
    """

    action: Action
    memory: Memory
    fault: str | None = None


def seat_chance(seed: int, seat: int, period: int) -> np.random.Generator:
    """The chance of the policy on a seat of a play, the same wherever it is asked."""
    return generator(seed, f"policy of seat {seat}", period)


def ask(
    policy: Policy,
    allowed: Allowed,
    observation: Observation,
    memory: Memory,
    rng: np.random.Generator,
    budget: float = BUDGET_SECONDS,
) -> Answer:
    """Ask a policy for one seat. An error, nonsense or an overrun gives the default and a fault.

    `allowed` is what the seat may do now, `budget` the processor time in seconds.
    """
    started = time.thread_time()
    fault, action, after = None, {}, memory
    try:
        answer, after = policy.act_within(allowed, observation, copy.deepcopy(memory), rng)
        action = allowed.plain(answer)
        fault = _no_notes(after)
    except ActionError as error:
        fault = str(error)
    except Exception as error:  # noqa: BLE001  whatever a policy raises, the play goes on
        fault = f"{type(error).__name__}: {error}"
    spent = time.thread_time() - started
    if fault is None and spent > budget:
        fault = f"took {spent * 1000:.1f} ms of {budget * 1000:g} ms"
    if fault is not None:
        return Answer(allowed.default_action(), memory, fault)
    return Answer(action, after)


def ask_at(
    episode: Episode, policy: Policy, seat: int, memory: Memory, budget: float = math.inf
) -> Answer:
    """Ask the policy on a seat of a play for what it decides now."""
    rng = seat_chance(episode.seed, seat, episode.period)
    return ask(policy, episode.allowed(seat), episode.observation(seat), memory, rng, budget)


def _no_notes(memory: Any) -> str | None:
    """Why this is nothing that a policy can remember."""
    if not isinstance(memory, dict):
        return f"memory {memory!r:.40} should be a dict"
    try:
        json.dumps(memory, allow_nan=False)
    except (TypeError, ValueError) as error:
        return f"memory {memory!r:.40} has no JSON form: {error}"
    return None
