"""Policies that take seats in a batch of plays.

A policy is asked once per period for all its seats in all plays. A policy that decides for one seat
at a time (`Policy.act`) is asked seat by seat, which takes much longer.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from mixed_company.engine.contract import sent as form
from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game, Outcome
from mixed_company.policies.draws import Draws
from mixed_company.policies.notes import Apiece, Together, notes_of
from mixed_company.policies.policy import Answer, Memory, Policy, Seats, ask, copied, no_notes
from mixed_company.policies.seats import Gathered

LOG = logging.getLogger(__name__)


def check_together(game: Game[Any]) -> None:
    """Reject a game whose seats decide in turn, because later seats see earlier decisions.

    Raises ConfigError.
    """
    timing = game.config.agents.timing
    if timing != "simultaneous":
        raise ConfigError(
            f"agents.timing = {timing!r}: all seats decide together here; for decisions in turn "
            "use mixed_company.policies.rollout, mixed_company.adapters.pettingzoo.InTurn or "
            "mixed_company.adapters.gymnasium.OneSeat"
        )


def by_seat(policies: Mapping[int, Policy], seats: int) -> list[tuple[Policy, Array]]:
    """Return pairs of a policy and flags (n,) for its seats."""
    different = {id(policy): policy for policy in policies.values()}
    return [
        (policy, np.array([policies.get(seat) is policy for seat in range(seats)]))
        for policy in different.values()
    ]


class Bench:
    """Policies in a batch of plays, with their seats and memories.

    seated     each policy with flags for its seats: (B, n) by play and seat, or (n,) for all plays
    faults     number of failed decisions, which the default action replaced
    memories   memory of each policy
    """

    def __init__(self, game: Game[Any], seated: Sequence[tuple[Policy, Array]]) -> None:
        self.game, self.seated = game, list(seated)
        self.faults = 0
        self.memories: list[Together | Apiece] = [notes_of(policy) for policy, _ in self.seated]

    def begin(self, numbers: Array, count: int) -> None:
        """Start new plays, with empty memories, at these positions in a batch of `count` plays."""
        new = np.zeros(count, dtype=np.bool_)
        new[numbers] = True
        for notes, (_, where) in zip(self.memories, self.seated, strict=True):
            plays, seats = np.nonzero(where & new[:, None])
            notes.begin(plays, seats, (count, self.game.seats))

    def branch(self, plays: Array) -> None:
        """Replace the batch with copies of some of its plays, including their notes. Use this only
        if the policies have the same seats in all plays.
        """
        for notes in self.memories:
            notes.branch(plays)

    def play(self, seeds: Array, state: Arrays, seen: Arrays) -> Iterator[tuple[Arrays, Outcome]]:
        """Run a batch of plays until all are over; yield the state and the outcome of each step.

        `seeds` (B,) contains the seeds of the plays. `state` and `seen` are the results of
        `game.reset`.
        """
        self.begin(np.arange(len(seeds)), len(seeds))
        while (state["reason"] == 0).any():
            chance = self.game.draw_chance(seeds, state["period"])
            state, outcome = self.game.step(state, self.decide(seeds, state, seen), chance)
            seen = outcome.observations
            if not (self.game.stages.several and state["stage"].any()):
                yield state, outcome

    def decide(self, seeds: Array, state: Arrays, seen: Arrays) -> dict[str, Array]:
        """Return decisions, field -> (B, n), with the default where no policy was asked or a policy
        failed.

        `seeds` (B,) contains the seeds of the plays, and `seen` the observations of all seats.
        """
        game, allowed = self.game, self.game.allowed(state)
        actions = {name: np.array(value) for name, value in allowed.default.items()}
        if not self.seated:
            return actions
        playing = game.playing(state)
        waiting = (state["reason"] == 0)[:, None] & (True if playing is None else playing)
        for notes, (policy, places) in zip(self.memories, self.seated, strict=True):
            plays, seats = np.nonzero(places & waiting & self._asks(policy, state))
            if not len(plays):
                continue
            gathered = Gathered(game.declaration.observations, seen, plays, seats)
            draws = Draws(seeds[plays], seats, state["period"][plays])
            part = allowed.of((plays, seats))
            answers, sound, fault = _Asked(
                policy, notes, plays, seats, part, gathered, draws
            ).answers()
            if not sound.all():
                self.faults += len(plays) - int(np.count_nonzero(sound))
                _warn_once(policy.id, fault)
            for name, values in answers.items():
                actions[name][plays[sound], seats[sound]] = values[sound]
        return actions

    def _asks(self, policy: Policy, state: Arrays) -> Any:
        """Return flags (B, 1) for the plays in a stage in which this policy decides."""
        if not self.game.stages.several or policy.stage is None:
            return True
        return (state["stage"] == policy.stage)[:, None]


def totals(
    game: Game[Any],
    seated: Sequence[Sequence[str]],
    policy_of: Callable[[str], Policy],
    seeds: Sequence[int],
) -> tuple[list[list[float]], list[int]]:
    """Return every seat's points in each play of a batch, and each play's number of periods.

    `seated` names the policies of all seats in each play; `policy_of` makes a policy from its name.
    """
    names, numbers = np.array(seated), np.array(seeds)
    policies = [(policy_of(str(name)), names == name) for name in dict.fromkeys(names.flat)]
    points: Array = np.zeros(names.shape)
    periods: Array = np.zeros(len(numbers), dtype=int)
    start, seen = game.reset(numbers)
    going = start["reason"] == 0
    for state, outcome in Bench(game, policies).play(numbers, start, seen):
        points, periods = points + outcome.rewards, periods + going
        going = state["reason"] == 0
    return list(points.tolist()), list(periods.tolist())


_Answers = tuple[dict[str, Array], Array, str]
"""Field -> (K, ...) numbers, flags (K,) of valid answers, and the first fault."""


_failing: set[str] = set()
"""Policies with a failure that has already been logged."""


def _warn_once(policy: str, fault: str) -> None:
    """Log only the first failure of a policy."""
    if policy not in _failing:
        _failing.add(policy)
        LOG.warning("%s: %s; the default is played whenever it fails", policy, fault)


class _Asked(NamedTuple):
    """A policy, its notes, and the K seats that it is deciding for.

    A policy that decides for many seats is asked `_at_once`. A policy that decides for one seat,
    using only its observation, is asked `_quickly`. All others are asked by `ask`, which is slower,
    because it works out the allowed actions of every seat and checks every answer separately. With
    `ask`, 12 periods in 8 plays of the vote took 15 to 38% more function calls, depending on the
    policy.
    """

    policy: Policy
    notes: Together | Apiece
    plays: Array
    seats: Array
    allowed: Allowed
    seen: Gathered
    draws: Draws

    def answers(self) -> _Answers:
        """Return the policy's decisions, and store its notes for the seats with valid answers."""
        if isinstance(self.notes, Together):
            try:
                return self._at_once(self.notes)
            except Exception:  # noqa: BLE001  any error, perhaps caused by one seat only
                return self._each(self._asked_alone)
        act_within = type(self.policy).act_within
        return self._each(self._quickly if act_within is Policy.act_within else self._asked_alone)

    def _at_once(self, notes: Together) -> _Answers:
        memory = notes.of(self.plays, self.seats)
        seats = Seats(self.seen, memory, self.draws)
        actions, after = self.policy.act_together_within(self.allowed, seats)
        answers = _numbers(self.allowed, actions, len(self.plays))
        sound = self.allowed.sound(answers)
        notes.keep(self.plays, self.seats, after, sound)
        fault = "" if sound.all() else _no_action(answers, int(np.argmin(sound)))
        return answers, sound, fault

    def _each(self, ask_for: Callable[[int, Arrays, Memory], Answer]) -> _Answers:
        """Ask the policy for one seat after another, with `ask_for`."""
        columns = dict(self.seen)
        results = [
            ask_for(row, {name: value[row] for name, value in columns.items()}, memory)
            for row, memory in enumerate(self.notes.memories(self.plays, self.seats))
        ]
        answers = {
            field.name: np.array(
                [
                    answer.action.get(field.name, self.allowed.default[field.name][row])
                    for row, answer in enumerate(results)
                ],
                dtype=np.float64,
            )
            for field in self.allowed.fields
        }
        sound = np.array([answer.fault is None for answer in results]) & self.allowed.sound(answers)
        rows = np.flatnonzero(sound)
        memories = [results[row].memory for row in rows.tolist()]
        sound[rows] = self.notes.keep_each(self.plays[rows], self.seats[rows], memories)
        if sound.all():
            return answers, sound, ""
        first = int(np.argmin(sound))
        return answers, sound, results[first].fault or _no_action(answers, first)

    def _asked_alone(self, row: int, observation: Arrays, memory: Memory) -> Answer:
        draws, allowed = self.draws.of_row(row), self.allowed.of(row)
        return ask(self.policy, allowed, observation, memory, draws, math.inf, patience=math.inf)

    def _quickly(self, row: int, observation: Arrays, memory: Memory) -> Answer:
        """Query the policy for one seat, with only that seat's observation; ranges are checked
        later."""
        try:
            rng = self.draws.generator(row)
            action, after = self.policy.act(observation, copied(memory), rng)
            if not _is_plain(action, self.allowed.fields):
                action = self.allowed.of(row).plain(action)
            fault = no_notes(after) if after != memory else None
        except Exception as error:  # noqa: BLE001  any error of a policy; the play goes on
            fault = f"{type(error).__name__}: {error}"
        if fault is not None:
            return Answer(self.allowed.of(row).default_action(), memory, fault)
        return Answer(action, after)


def _no_action(answers: Mapping[str, Array], row: int) -> str:
    answer = ", ".join(f"{name} = {values[row].tolist()}" for name, values in answers.items())
    return f"its answer or its memory is invalid: {answer}"


def _is_plain(action: Any, fields: tuple[Field, ...]) -> bool:
    """Return whether an action has exactly one plain number per field."""
    return (
        type(action) is dict
        and len(action) == len(fields)
        and all(not field.shape and type(action.get(field.name)) in _PLAIN for field in fields)
    )


_PLAIN = (float, int, np.float64)


def _numbers(allowed: Allowed, actions: Mapping[str, Any], count: int) -> dict[str, Array]:
    """Return actions as arrays, field -> (K, ...). Raises ValueError for wrong names, types or
    shapes."""
    left_out = {name: allowed.default[name] for name in allowed.idle if name not in actions}
    actions = {**actions, **left_out}
    if actions.keys() != {field.name for field in allowed.fields}:
        raise ValueError(f"actions {sorted(actions)} should name every action field")
    numbers = {}
    for field in allowed.fields:
        values = form.numbers(field.name, actions[field.name])
        numbers[field.name] = np.broadcast_to(values, (count, *field.shape)).astype(np.float64)
    return numbers
