"""Many plays of one game at once, as plain functions over arrays. A play that ends is replaced.

    plays = start(game, seed=7, count=1024)
    for _ in range(100):
        actions = {"harvest": ..., "contribution": ...}  # (1024, n) each
        plays, outcome = advance(game, plays, actions)

Play number j has the seed `engine.contract.chance.play_seeds(seed, j)`, no matter what happens in
other plays, so every play can be repeated on its own: `engine.Episode(game, int(play_seeds(7,
j)))`.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import check_seed, play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game, Outcome
from mixed_company.policies import Policy, make
from mixed_company.policies.bench import check_together


@dataclass(frozen=True)
class Plays:
    """Batch of B plays between two periods.

    seed          base seed of all plays
    begun         number of plays started so far; also the number of the next play
    numbers       (B,) number of each play
    seeds         (B,) seed of each play
    state         named arrays of the engine; not visible to players
    observations  named arrays that the seats currently see
    """

    seed: int
    begun: int
    numbers: Array
    seeds: Array
    state: Arrays
    observations: Arrays


def start(game: Game[Any], seed: int, count: int, begun: int = 0) -> Plays:
    """Start `count` plays, numbered from `begun`.

    Raises ConfigError for an invalid seed, for fewer than one play, or if seats decide in turn.
    """
    check_together(game)
    if count < 1:
        raise ConfigError(f"plays = {count!r}: should be at least 1")
    numbers = np.arange(begun, begun + count)
    seeds = play_seeds(check_seed(seed), numbers)
    state, observations = game.reset(seeds)
    return Plays(seed, begun + count, numbers, seeds, state, observations)


def advance(game: Game[Any], plays: Plays, actions: Arrays) -> tuple[Plays, Outcome]:
    """Play one period of every play, and return the new batch and the period's outcome.

    Raises ActionError. The outcome has the last observations of plays that ended; the batch already
    has the first observations of the plays that replace them.
    """
    chance = game.draw_chance(plays.seeds, plays.state["period"])
    state, outcome = game.step(plays.state, actions, chance)
    ended = np.flatnonzero(outcome.done)
    if not len(ended):
        same = (plays.seed, plays.begun, plays.numbers, plays.seeds)
        return Plays(*same, state, outcome.observations), outcome
    new = start(game, plays.seed, len(ended), plays.begun)
    if len(ended) == len(plays.seeds):
        return new, outcome
    return (
        Plays(
            plays.seed,
            new.begun,
            _replaced(plays.numbers, ended, new.numbers),
            _replaced(plays.seeds, ended, new.seeds),
            _all_replaced(state, ended, new.state),
            _all_replaced(outcome.observations, ended, new.observations),
        ),
        outcome,
    )


def seated(game: Game[Any], others: str | Policy, learners: Collection[int]) -> dict[int, Policy]:
    """Return the policies of the seats that are not `learners`. Policies are assigned in order,
    starting over when all have been used.

    `others` names policies as a session does (`policies.make`), separated by commas, or one policy
    for all these seats. Raises ConfigError for a seat that does not exist or has no policy, or for
    policies without a seat; UnknownName for an unknown policy.
    """
    for seat in learners:
        if not 0 <= seat < game.seats:
            raise ConfigError(f"seat {seat}: should be from 0 to {game.seats - 1}")
    if len(set(learners)) != len(learners) or not learners:
        raise ConfigError(
            f"seats {list(learners)!r}: should list at least one seat, without repeats"
        )
    free = [seat for seat in range(game.seats) if seat not in learners]
    if isinstance(others, Policy):
        return dict.fromkeys(free, others)
    names = [name for name in others.split(",") if name.strip()]
    if bool(names) != bool(free):
        have = f"seats {free} need policies" if free else "no seat is left for a policy"
        raise ConfigError(f"others = {others!r}: {have}")
    policies = {name: make(name, game) for name in names}
    return {seat: policies[names[i % len(names)]] for i, seat in enumerate(free)}


def _all_replaced(values: Arrays, where: Array, new: Arrays) -> dict[str, Array]:
    return {name: _replaced(value, where, new[name]) for name, value in values.items()}


def _replaced(values: Array, where: Array, new: Array) -> Array:
    both = np.array(values)
    both[where] = new
    return both
