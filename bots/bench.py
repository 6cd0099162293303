"""Policies in seats of many plays at once; whoever plays in batches asks them here.

A policy decides for one seat of one play, in Python: that is where the time goes. One that is
`Batched` is asked once a period for all its seats of all plays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from bots.policy import Answer, Batched, Memory, Policy, ask, seat_chance
from engine.contract.allowed import Allowed
from engine.contract.errors import ConfigError
from engine.contract.space import Array, Arrays, Field
from engine.game import Game, Outcome

__all__ = ["Bench", "by_seat", "check_together"]


def check_together(game: Game[Any]) -> None:
    """Refuse a game whose seats decide in turn, since later ones see what earlier ones decided.

    Raises ConfigError.
    """
    timing = game.config.agents.timing
    if timing != "simultaneous":
        raise ConfigError(
            f"agents.timing = {timing!r}: here all seats decide together; in turn they do in "
            f"bots.rollout, adapters.pettingzoo.InTurn and adapters.gymnasium.OneSeat"
        )


def by_seat(policies: Mapping[int, Policy], seats: int) -> list[tuple[Policy, Array]]:
    """Each policy with flags (n,) of its seats."""
    different = {id(policy): policy for policy in policies.values()}
    return [
        (policy, np.array([policies.get(seat) is policy for seat in range(seats)]))
        for policy in different.values()
    ]


class Bench:
    """The policies at their seats, and what they remember.

    seated     each policy with its places: flags (B, n) of plays and seats, or (n,) of all plays
    faults     how many decisions failed, for which the default was played
    memories   what is remembered, by (play, seat)
    """

    def __init__(self, game: Game[Any], seated: Sequence[tuple[Policy, Array]]) -> None:
        self.game, self.seated = game, list(seated)
        self.faults = 0
        self.memories: dict[tuple[int, int], Memory] = {}

    def begin(self, plays: Array, count: int) -> None:
        """New plays are at these places of a batch of `count`: nothing of them is remembered."""
        new = np.zeros(count, dtype=np.bool_)
        new[plays] = True
        for policy, where in self.seated:
            for place in np.argwhere(where & new[:, None]).tolist():
                self.memories[place[0], place[1]] = policy.start()

    def play(self, seeds: Array, state: Arrays, seen: Arrays) -> Iterator[tuple[Arrays, Outcome]]:
        """The periods of whole plays until all are over: the state after each, and what it gave.

        `seeds` (B,) are those of the plays, `state` and `seen` what `game.reset` gave for them.
        """
        self.begin(np.arange(len(seeds)), len(seeds))
        while (state["reason"] == 0).any():
            chance = self.game.draw_chance(seeds, state["period"])
            state, outcome = self.game.step(state, self.decide(seeds, state, seen), chance)
            seen = outcome.observations
            yield state, outcome

    def decide(self, seeds: Array, state: Arrays, seen: Arrays) -> dict[str, Array]:
        """Field -> (B, n): what all decide; defaults where nobody is asked or one failed.

        `seeds` (B,) are those of the plays, `seen` what all seats see.
        """
        game, allowed = self.game, self.game.allowed(state)
        actions = {name: np.array(value) for name, value in allowed.default.items()}
        if not self.seated:
            return actions
        playing = game.playing(state)
        waiting = (state["reason"] == 0)[:, None] & (True if playing is None else playing)
        for policy, where in self.seated:
            plays, seats = np.nonzero(where & waiting)
            if not len(plays):
                continue
            layout = game.declaration.observations
            own = {field.name: _of_seats(field, seen[field.name], plays, seats) for field in layout}
            places = list(zip(plays.tolist(), seats.tolist(), strict=True))
            rngs = (
                seat_chance(int(seeds[play]), seat, int(state["period"][play]))
                for play, seat in places
            )
            own_allowed = allowed.of((plays, seats))
            answers, sound = self._answers(policy, own_allowed, own, places, rngs)
            for name, values in answers.items():
                actions[name][plays[sound], seats[sound]] = values[sound]
        return actions

    def _answers(
        self,
        policy: Policy,
        allowed: Allowed,
        seen: Arrays,
        places: list[tuple[int, int]],
        rngs: Iterator[np.random.Generator],
    ) -> tuple[dict[str, Array], Array]:
        """Field -> (K,) numbers of a policy at K places, and where these can be played."""
        before = [self.memories[place] for place in places]
        ask_all = _at_once if isinstance(policy, Batched) else _one_by_one
        answers, memories, sound = ask_all(policy, allowed, seen, before, rngs)
        self.faults += int((~sound).sum())
        for row in np.flatnonzero(sound).tolist():
            self.memories[places[row]] = memories[row]
        return answers, sound


_Answers = tuple[dict[str, Array], Sequence[Memory], Array]
"""Field -> (K,) numbers, the memories, and where the policy answered at all."""


def _at_once(
    policy: Any,
    allowed: Allowed,
    seen: Arrays,
    memories: Sequence[Memory],
    rngs: Iterator[np.random.Generator],
) -> _Answers:
    """One question for all; an error fails all of them, as that of one decision fails one."""
    count = len(memories)
    try:
        chosen, after = policy.act_together(allowed, seen, memories, rngs)
        answers = {field.name: np.array(chosen[field.name], np.float64) for field in allowed.fields}
        fits = len(after) == count and all(
            answers[field.name].shape == (count, *field.shape) for field in allowed.fields
        )
    except Exception:  # noqa: BLE001  whatever a policy raises, the play goes on
        fits = False
    if not fits:
        answers, after = (
            {name: np.array(value) for name, value in allowed.default.items()},
            memories,
        )
    return answers, after, allowed.sound(answers) if fits else np.zeros(count, dtype=np.bool_)


def _one_by_one(
    policy: Policy,
    allowed: Allowed,
    seen: Arrays,
    memories: Sequence[Memory],
    rngs: Iterator[np.random.Generator],
) -> _Answers:
    given: list[Answer] = []
    for row, (memory, rng) in enumerate(zip(memories, rngs, strict=True)):
        own = {name: value[row] for name, value in seen.items()}
        given.append(ask(policy, allowed.of(row), own, memory, rng, budget=math.inf))
    answers = {
        field.name: np.array([answer.action[field.name] for answer in given])
        for field in allowed.fields
    }
    sound = np.array([answer.fault is None for answer in given])
    return answers, [answer.memory for answer in given], sound


def _of_seats(field: Field, values: Array, plays: Array, seats: Array) -> Array:
    """(K, ...) what seats of plays see of a field."""
    picked: Array = values[plays, seats] if field.visibility == "private" else values[plays]
    return picked
