"""The contract of a policy: whatever takes a seat instead of a person.

A policy sees what a person in that seat would see, and nothing else. It decides for many seats of
many plays at once, and one play is a batch of one:

    rules          the game's parameters, as the instructions tell them (`game.core`)
    seats.seen     observation field -> (K, ...) numbers of the K seats; NaN is "not shown"
    seats.memory   its own notes, name -> (K, ...) numbers, handed back every period
    seats.draws    seeded chance, named by play, seat and period, made when it is used

    def act_together(self, seats): return {"harvest": 2.0, "contribution": 0.0}, seats.memory

What is given is a number for all, or (K, ...) numbers. Who cannot decide for many at once, because
it searches or keeps notes that are no arrays, writes `act` instead, for one seat:

    def act(self, observation, memory, rng): return {"harvest": 2.0, "contribution": 0.0}, memory

Where its group talks, a policy can write (`say`) and read (`hear`); `policies.talk` says how.

A new policy is one file under `bots/<game>/`, with one subclass of Policy in it; it is found by
itself and tested at once (tests/bots). Its docstring says in the first sentence what it does.
"""

from __future__ import annotations

import gc
import json
import math
import pickle
import time
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.errors import ActionError, ConfigError, nearest
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.policies.draws import Draws, seat_chance
from mixed_company.policies.odds import Odds, are_sound
from mixed_company.policies.seats import Seats
from mixed_company.policies.talk import Saying, Talk

__all__ = [
    "BUDGET_SECONDS",
    "PATIENCE_SECONDS",
    "Action",
    "Answer",
    "Decided",
    "Memory",
    "Observation",
    "Policy",
    "Range",
    "Seats",
    "ask",
    "ask_at",
    "copied",
    "no_notes",
    "seat_chance",
]

Observation = Mapping[str, Array]
Memory = dict[str, Any]
Action = dict[str, Any]
"""Action field -> a number; of an array field, an array of its shape."""

Decided = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Action field -> (K, ...) numbers or one for all, and name -> (K, ...) what is remembered."""

BUDGET_SECONDS = 0.02
"""Processor time a decision may take on the server: far more than any of ours needs, so that a busy
machine is nobody's fault."""

PATIENCE_SECONDS = 1.0
"""Time of the clock that a decision may take on the server, waiting included."""


class Range(NamedTuple):
    """A parameter of a policy: its default and the values it may take, ends included."""

    default: float
    low: float
    high: float


class Policy(ABC):
    """Takes seats. Subclass with `id`, `games` and `source`, and write `act_together`."""

    id: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    version: ClassVar[str] = "1"
    """Goes up whenever the policy decides otherwise, because its rule or its draws changed."""
    source: ClassVar[str]
    told_the_solution: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, Range]] = {}
    apiece: ClassVar[bool] = False
    """May its parameters be (K,) numbers, one for each seat, as people differ?"""
    slow: bool = False

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

    @property
    def ours(self) -> bool:
        """Does it come with this project?"""
        return type(self).__module__.partition(".")[0] in ("bots", "mixed_company")

    @property
    def apart(self) -> bool:
        """Is a server to ask it outside of its loop, because it might keep all others waiting?"""
        return self.slow or not self.ours

    @property
    def lets_others_run(self) -> bool:
        """Does what it does leave Python's lock to others? A model does that runs elsewhere."""
        return False

    def start(self) -> Memory:
        """The memory before the first period."""
        return {}

    @property
    def together(self) -> bool:
        """Does it decide for many seats at once? Of the two ways to write it the later counts."""
        for part in type(self).__mro__:
            if vars(part).get("act_together", Policy.act_together) is not Policy.act_together:
                return True
            if "act" in vars(part):
                return False
        return False

    def act_together(self, seats: Seats) -> Decided:
        """The actions of K seats for this period, and their memories for the next."""
        raise NotImplementedError(f"{self.id}: writes neither `act_together` nor `act`")

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """The same, where `allowed` (K,) is what the seats may do now.

        Override it, and not `act_together`, only where what is open now is not seen otherwise.
        """
        return self.act_together(seats)

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        """One seat's action for this period, and the memory for the next."""
        return _of_one(self.act_together(Seats.one(observation, memory, Draws.of(rng))))

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator | Draws,
    ) -> tuple[Action, Memory]:
        """The same, where `allowed` is what the seat may do now."""
        if not self.together:
            alone = rng.generator(0) if isinstance(rng, Draws) else rng
            return self.act(observation, memory, alone)
        seats = Seats.one(observation, memory, Draws.of(rng))
        return _of_one(self.act_together_within(allowed.rows(None), seats))

    def say(self, talk: Talk, observation: Observation, rng: np.random.Generator) -> Saying | None:
        """Return what it says at the beginning of a time for talk (`policies.talk`), or None.

        It follows from what is given here, and from nothing that the policy remembers.
        """
        return None

    def hear(self, talk: Talk, memory: Memory) -> Memory:
        """Its memory with what it makes of the messages so far, just before it decides."""
        return memory

    @property
    def talks(self) -> bool:
        """Does it ever say anything?"""
        return type(self).say is not Policy.say

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds | None:
        """Return how likely each action is before it draws (`policies.odds`), or None.

        It is asked for logs only, after it has decided, and never changes what is played.
        """
        return None


def _of_one(decided: Decided) -> tuple[Action, Memory]:
    """A batch of one as the action and the memory of a seat, plain numbers and lists."""
    actions, memory = decided
    return (
        {name: _first(value) for name, value in actions.items()},
        {name: _first(value) for name, value in memory.items()},
    )


def _first(value: Any) -> Any:
    of_one = isinstance(value, np.ndarray) and value.shape[:1] == (1,)
    return value[0].tolist() if of_one else value


@dataclass(frozen=True)
class Answer:
    """What a policy answered for a seat, or the default, and then why.

    action   plain numbers, as the seat sends them
    memory   to be handed back in the next period; that of before if it failed
    fault    what was wrong; None: nothing
    odds     how likely it was to do what; None: it was not asked, it does not say, or it failed
    overran  did it use more than its processor time?
    """

    action: Action
    memory: Memory
    fault: str | None = None
    odds: Odds | None = None
    overran: bool = field(default=False, compare=False)


def ask(
    policy: Policy,
    allowed: Allowed,
    observation: Observation,
    memory: Memory,
    rng: np.random.Generator | Draws,
    budget: float = BUDGET_SECONDS,
    with_odds: bool = False,
    patience: float = PATIENCE_SECONDS,
    talk: Talk | None = None,
) -> Answer:
    """Ask a policy for one seat. An error, nonsense or an overrun gives the default and a fault.

    `allowed` is what the seat may do now, `budget` the seconds of processor time that it may take,
    `patience` those of the clock; `with_odds` asks also how likely it was to do what, which takes
    time of its own; `talk` is what it reads first, where its group talks.
    """
    started, began, swept = time.thread_time(), time.monotonic(), _sweeps()
    fault, action, after = None, {}, memory
    try:
        notes = copied(memory)
        notes = notes if talk is None else policy.hear(talk, notes)
        answer, after = policy.act_within(allowed, observation, notes, rng)
        action = allowed.plain(answer)
        fault = no_notes(after)
    except ActionError as error:
        fault = str(error)
    except Exception as error:  # noqa: BLE001  whatever a policy raises, the play goes on
        fault = f"{type(error).__name__}: {error}"
    spent, waited = time.thread_time() - started, time.monotonic() - began
    unswept = swept == _sweeps()
    overran = spent > budget and unswept
    if fault is None and overran:
        fault = f"took {spent * 1000:.1f} ms of {budget * 1000:g} ms"
    elif fault is None and waited > patience and unswept:
        fault = f"took {waited:.1f} s of the clock, of {patience:g} s"
    if fault is not None:
        return Answer(allowed.default_action(), memory, fault, overran=overran)
    odds = _odds(policy, allowed, observation, memory, with_odds)
    return Answer(action, after, odds=odds)


def _sweeps() -> int:
    """How often Python has gone through the whole memory: that takes time which is no policy's."""
    return int(gc.get_stats()[-1]["collections"])


def _odds(
    policy: Policy, allowed: Allowed, observation: Observation, memory: Memory, wanted: bool
) -> Odds | None:
    """What a policy says of its odds; None also if it is nonsense: nothing is invented."""
    if not wanted:
        return None
    try:
        odds = policy.odds(allowed, observation, copied(memory))
        return odds if odds is not None and are_sound(odds, allowed) else None
    except Exception:  # noqa: BLE001  whatever it raises, the play goes on: it has decided
        return None


def ask_at(
    episode: Episode,
    policy: Policy,
    seat: int,
    memory: Memory,
    budget: float = math.inf,
    with_odds: bool = False,
) -> Answer:
    """Ask the policy on a seat of a play for what it decides now; it may take any time."""
    seen, allowed = episode.observation(seat), episode.allowed(seat)
    draws = seat_chance(episode.seed, seat, episode.period)
    return ask(policy, allowed, seen, memory, draws, budget, with_odds, patience=math.inf)


def copied(memory: Memory) -> Memory:
    """A memory of its own, so that what is changed before a failure is as it was."""
    again: Memory = pickle.loads(pickle.dumps(memory, -1)) if memory else {}  # noqa: S301  ours
    return again


def no_notes(memory: Any) -> str | None:
    """Why this is nothing that a policy can remember."""
    if not isinstance(memory, dict):
        return f"memory {memory!r:.40} should be a dict"
    try:
        json.dumps(memory, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        return f"memory {memory!r:.40} has no JSON form: {error}"
    return None
