"""The contract of a policy, which takes a seat in place of a person.

A policy sees only what a person in its seat would see. It decides for many seats in many plays at
once; one play is a batch of one:

    rules          the game's parameters, as the instructions state them (`game.told`)
    seats.seen     observation field -> (K, ...) numbers of the K seats; NaN is "not shown"
    seats.memory   its notes, name -> (K, ...) numbers, handed back every period
    seats.draws    seeded random draws by play, seat and period, made when used

    def act_together(self, seats): return {"harvest": 2.0, "contribution": 0.0}, seats.memory

An action is one number for all seats, or (K, ...) numbers. A policy that cannot decide for many
seats at once, because it searches or keeps notes that are not arrays, defines `act` for one seat:

    def act(self, observation, memory, rng): return {"harvest": 2.0, "contribution": 0.0}, memory

If the group can talk, a policy can send messages (`say`) and read them (`hear`); see
`policies.talk`.

A new policy is one file under `bots/<game>/` with one subclass of Policy. It is discovered and
tested automatically (tests/bots). The first sentence of its docstring describes its behaviour.
"""

from __future__ import annotations

import copy
import gc
import json
import math
import pickle
import time
import warnings
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
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
    "of_row",
    "seat_chance",
]

Observation = Mapping[str, Array]
Memory = dict[str, Any]
Action = dict[str, Any]
"""Action field -> a number, or an array if the field is an array."""

Decided = tuple[Mapping[str, Any], Mapping[str, Any]]
"""Action field -> (K, ...) numbers or one number for all seats; and name -> (K, ...) notes."""

BUDGET_SECONDS = 0.02
"""CPU time that a decision may take on the server.

No policy here comes close to this limit, so a busy machine does not cause faults.
"""

PATIENCE_SECONDS = 1.0
"""Wall time that a decision may take on the server, including waiting."""


class Range(NamedTuple):
    """Parameter of a policy: its default and its range, limits included."""

    default: float
    low: float
    high: float


class Policy(ABC):
    """A rule that makes decisions for seats.

    A subclass sets `id`, `games` and `source`, and defines `act_together`.
    """

    id: ClassVar[str]
    games: ClassVar[tuple[str, ...]]
    version: ClassVar[str] = "1"
    """Version, which is increased whenever a change to the rule or the draws changes decisions."""
    source: ClassVar[str]
    told_the_solution: ClassVar[bool] = False
    parameters: ClassVar[Mapping[str, Range]] = {}
    apiece: ClassVar[bool] = False
    """True if parameters may be (K,) numbers, one per seat, so seats can differ as people do."""
    stage: ClassVar[int | None] = 0
    """Stage of a period in which it decides; None if it decides in every stage."""
    slow: bool = False

    def __init__(self, rules: Core, **parameters: float) -> None:
        for name, value in parameters.items():
            if name not in self.parameters:
                raise ConfigError(
                    f"{self.id}: parameter {name!r}: unknown{nearest(name, self.parameters)}"
                )
            _, low, high = self.parameters[name]
            if not low <= value <= high:
                raise ConfigError(
                    f"{self.id}: {name} = {value:g}: should be from {low:g} to {high:g}"
                )
        defaults = {name: parameter.default for name, parameter in self.parameters.items()}
        self.rules: Any = rules
        self.settings: dict[str, float] = {**defaults, **parameters}

    @classmethod
    def for_game(cls, game: Game[Any], **parameters: float) -> Self:
        """Return the policy for a game. Raises ConfigError for a parameter or an unsuitable game.

        A scripted policy reads only the rules; a trained policy also needs the game's layouts.
        """
        return cls(game.told, **parameters)

    def having(self, settings: Mapping[str, Any]) -> Self:
        """Return a copy with different parameters: numbers, or (K,) numbers if the policy is
        `apiece`."""
        changed = copy.copy(self)
        changed.settings = {**self.settings, **settings}
        return changed

    @property
    def own(self) -> dict[str, float]:
        """Deprecated name for `settings`, used until 0.8."""
        warnings.warn(
            "Policy.own has been renamed to Policy.settings", DeprecationWarning, stacklevel=2
        )
        return self.settings

    @property
    def ours(self) -> bool:
        """True if the policy is part of this project."""
        return type(self).__module__.partition(".")[0] in ("bots", "mixed_company")

    @property
    def apart(self) -> bool:
        """True if servers must run it outside the event loop, where it might block other
        requests."""
        return self.slow or not self.ours

    @property
    def lets_others_run(self) -> bool:
        """True if it releases Python's lock while it decides, as libraries that run models do."""
        return False

    def start(self) -> Memory:
        """Return the memory before the first period."""
        return {}

    def at_stage(self, stage: int) -> Policy | None:
        """Return the policy that decides in a stage of a period; None if there is none."""
        return self if self.stage in (None, stage) else None

    def notes_at(self, stage: int, memory: Memory) -> Memory:
        """Return the part of the memory that belongs to the policy for a stage."""
        return memory

    def noted(self, stage: int, memory: Memory, notes: Memory) -> Memory:
        """Return the memory after replacing the part that belongs to the policy for a stage with
        `notes`."""
        return notes

    @cached_property
    def together(self) -> bool:
        """True if it decides for many seats at once: no subclass overrides `act_together` with
        `act`."""
        for part in type(self).__mro__:
            if vars(part).get("act_together", Policy.act_together) is not Policy.act_together:
                return True
            if "act" in vars(part):
                return False
        return False

    def act_together(self, seats: Seats) -> Decided:
        """Return the actions of K seats for this period, and their memories for the next."""
        raise NotImplementedError(f"{self.id}: defines neither `act_together` nor `act`")

    def act_together_within(self, allowed: Allowed, seats: Seats) -> Decided:
        """Return the same as `act_together`; `allowed` (K,) contains the actions currently open to
        the seats.

        Override this instead of `act_together` only if observations do not show which actions are
        open.
        """
        return self.act_together(seats)

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        """Return one seat's action for this period, and the memory for the next."""
        return of_row(self.act_together(Seats.one(observation, memory, Draws.of(rng))))

    def act_within(
        self,
        allowed: Allowed,
        observation: Observation,
        memory: Memory,
        rng: np.random.Generator | Draws,
    ) -> tuple[Action, Memory]:
        """Return the same as `act`; `allowed` contains the actions currently open to the seat."""
        if not self.together:
            alone = rng.generator(0) if isinstance(rng, Draws) else rng
            return self.act(observation, memory, alone)
        return of_row(self.act_rows(Seats.one(observation, memory, Draws.of(rng)), allowed, None))

    def act_rows(self, seats: Seats, allowed: Allowed, index: Any) -> Decided:
        """Return the same as `act_together_within`, but only for the selected rows of `allowed`.

        The rows are computed only if a policy reads them.
        """
        if type(self).act_together_within is Policy.act_together_within:
            return self.act_together(seats)
        return self.act_together_within(allowed.rows(index), seats)

    def say(self, talk: Talk, observation: Observation, rng: np.random.Generator) -> Saying | None:
        """Return a message for the start of a talk phase (`policies.talk`), or None.

        The message must depend only on these arguments, not on the policy's memory.
        """
        return None

    def hear(self, talk: Talk, memory: Memory) -> Memory:
        """Return the memory, updated with the messages so far. It is called just before the policy
        decides."""
        return memory

    @property
    def talks(self) -> bool:
        """True if it defines `say`, and can therefore send messages."""
        return type(self).say is not Policy.say

    def odds(self, allowed: Allowed, observation: Observation, memory: Memory) -> Odds | None:
        """Return the odds of every action before the draw (`policies.odds`), or None.

        Only logs ask for odds, and only after the decision, so odds never change the play.
        """
        return None


def of_row(decided: Decided, row: int = 0, count: int = 1) -> tuple[Action, Memory]:
    """Return the action and memory of one of `count` seats as plain numbers and lists."""
    action: Action = {}
    memory: Memory = {}
    for plain, values in zip((action, memory), decided, strict=True):
        for name, value in values.items():
            several = type(value) is np.ndarray and value.shape[:1] == (count,)
            plain[name] = value[row].tolist() if several else value
    return action, memory


@dataclass(frozen=True)
class Answer:
    """A policy's answer for a seat, or the default with a fault.

    action   plain numbers, in the form in which a seat sends them
    memory   memory for the next period; the previous one after a fault
    fault    description of the failure; None if there was none
    odds     odds of the action; None if not requested, not stated, or after a fault
    overran  whether it exceeded its CPU time
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
    """Ask a policy for one seat.

    After an error, an invalid answer or an overrun, the answer is the default. It is also the
    default in a stage in which the policy does not decide.

    `allowed` contains the actions currently open to the seat. `budget` limits the CPU time, and
    `patience` the wall time, in seconds. `with_odds` also asks for the odds, which takes extra
    time. If the group talks, `talk` is read first.
    """
    started, began, swept = time.thread_time(), time.monotonic(), _sweeps()
    fault, action, after = None, {}, memory
    stage = int(observation["stage"]) if allowed.idle else 0
    decider = policy.at_stage(stage)
    if decider is None:
        return Answer(allowed.default_action(), memory)
    try:
        notes = copied(memory) if memory else {}
        notes = notes if talk is None else policy.hear(talk, notes)
        part = notes if decider is policy else policy.notes_at(stage, notes)
        answer, part = decider.act_within(allowed, observation, part, rng)
        after = part if decider is policy else policy.noted(stage, notes, part)
        action, fault = allowed.plain(answer), no_notes(after)
    except ActionError as error:
        fault = str(error)
    except Exception as error:  # noqa: BLE001  any error of a policy; the play goes on
        fault = f"{type(error).__name__}: {error}"
    spent, waited = time.thread_time() - started, time.monotonic() - began
    unswept = (spent > budget or waited > patience) and swept == _sweeps()
    overran = spent > budget and unswept
    if fault is None and overran:
        fault = f"took {spent * 1000:.1f} ms of {budget * 1000:g} ms"
    elif fault is None and waited > patience and unswept:
        fault = f"took {waited:.1f} s of wall time, of {patience:g} s"
    if fault is not None:
        return Answer(allowed.default_action(), memory, fault, overran=overran)
    odds = _odds(policy, allowed, observation, memory) if with_odds else None
    return Answer(action, after, odds=odds)


def _sweeps() -> int:
    """Return the number of full garbage collections so far, because policies are not blamed for
    these."""
    return int(gc.get_stats()[-1]["collections"])


def _odds(
    policy: Policy, allowed: Allowed, observation: Observation, memory: Memory
) -> Odds | None:
    """Return a policy's odds, or None if they are invalid."""
    try:
        odds = policy.odds(allowed, observation, copied(memory))
        return odds if odds is not None and are_sound(odds, allowed) else None
    except Exception:  # noqa: BLE001  any error; the decision counts
        return None


def ask_at(
    episode: Episode,
    policy: Policy,
    seat: int,
    memory: Memory,
    budget: float = math.inf,
    with_odds: bool = False,
) -> Answer:
    """Ask a policy for its current decision in a seat of a play, without a time limit."""
    seen, allowed = episode.observation(seat), episode.allowed(seat)
    draws = seat_chance(episode.seed, seat, episode.period)
    return ask(policy, allowed, seen, memory, draws, budget, with_odds, patience=math.inf)


def copied(memory: Memory) -> Memory:
    """Return a copy of a memory, so a policy that fails cannot change the original."""
    copy: Memory = pickle.loads(pickle.dumps(memory, -1)) if memory else {}  # noqa: S301  ours
    return copy


def no_notes(memory: Any) -> str | None:
    """Return the reason why this memory is invalid, or None if it is valid."""
    if type(memory) is not dict and not isinstance(memory, dict):
        return f"memory {memory!r:.40} should be a dict"
    if not memory:
        return None
    try:
        json.dumps(memory, allow_nan=False, ensure_ascii=False).encode()
    except (TypeError, ValueError) as error:
        return f"memory {memory!r:.40} has no JSON form: {error}"
    return None
