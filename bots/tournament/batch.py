"""Plays of a mix as one batch of the engine.

A policy decides for one seat of one play, in Python: that is where the time goes. One that is
`Batched` is asked once a period for all its seats of all plays.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import bots
from bots.policy import Batched, Decision, Memory, Policy, decide
from bots.tournament.mixes import Mix, focal_seats
from engine import solutions
from engine.chance import generator, play_seeds
from engine.errors import ConfigError
from engine.game import Game
from engine.space import Array, Arrays, Field

__all__ = ["Played", "check_together", "joined", "play"]

Limits = Mapping[str, tuple[Array, Array]]


@dataclass(frozen=True)
class Played:
    """What P plays of a mix came to.

    returns     (P, n) points of each seat
    focal       (P,) the seat of the focal policy
    periods     (P,) periods that were played
    efficiency  (P,) share of the best, NaN where the game has no best
    faults      decisions that failed, for which the default was played
    """

    returns: Array
    focal: Array
    periods: Array
    efficiency: Array
    faults: int


def joined(parts: Sequence[Played]) -> Played:
    """Plays in portions as one."""
    return Played(
        returns=np.concatenate([part.returns for part in parts]),
        focal=np.concatenate([part.focal for part in parts]),
        periods=np.concatenate([part.periods for part in parts]),
        efficiency=np.concatenate([part.efficiency for part in parts]),
        faults=sum(part.faults for part in parts),
    )


def check_together(game: Game[Any]) -> None:
    """Refuse a game whose seats decide in turn: a batch asks all of them at once.

    Raises ConfigError.
    """
    if game.sight.order is not None:
        raise ConfigError("agents.timing = 'sequential': in a tournament all seats decide together")


def play(game: Game[Any], mix: Mix, seed: int, first: int, count: int) -> Played:
    """Plays of a mix with the numbers `first` to `first + count - 1`.

    Raises UnknownName or ConfigError for a policy.
    """
    numbers = np.arange(first, first + count)
    seeds, focal = play_seeds(seed, numbers), focal_seats(numbers, game.seats)
    state, seen = game.reset(seeds)
    table = _Table(game, mix, seeds, focal)
    returns = np.zeros((count, game.seats))
    judged = solutions.has_best(game)
    states: list[Arrays] = [state]
    components: list[Arrays] = []
    while (state["reason"] == 0).any():
        chance = game.draw_chance(seeds, state["period"])
        state, outcome = game.step(state, table.decide(state, seen), chance)
        seen, returns = outcome.observations, returns + outcome.rewards
        if judged:
            states.append(state)
            components.append(outcome.components)
    shares = solutions.share_of_best(game, states, components)
    efficiency = np.full(count, np.nan) if shares is None else shares
    return Played(returns, focal, np.array(state["period"]), efficiency, table.faults)


class _Table:
    """The policies at their seats, and what they remember."""

    def __init__(self, game: Game[Any], mix: Mix, seeds: Array, focal: Array) -> None:
        self.game, self.seeds, self.faults = game, seeds.tolist(), 0
        is_focal = np.arange(game.seats) == focal[:, None]
        places = {mix.field: ~is_focal, mix.focal: is_focal}
        if mix.alone:
            places = {mix.field: np.ones_like(is_focal)}
        self.policies = [(bots.make(spec, game), where) for spec, where in places.items()]
        self.memories: dict[tuple[int, int], Memory] = {
            (place, seat): policy.start()
            for policy, where in self.policies
            for place, seat in np.argwhere(where).tolist()
        }

    def decide(self, state: Arrays, seen: Arrays) -> dict[str, Array]:
        """Field -> (B, n): what all decide; defaults where nobody is asked or one failed."""
        game, shape = self.game, (len(self.seeds), self.game.seats)
        actions = {
            name: np.array(np.broadcast_to(value, shape))
            for name, value in game.defaults(state).items()
        }
        playing, bounds = game.playing(state), game.bounds(state)
        asked = (state["reason"] == 0)[:, None] & (True if playing is None else playing)
        for policy, where in self.policies:
            plays, seats = np.nonzero(where & asked)
            if not len(plays):
                continue
            layout = game.declaration.observations
            own = {field.name: _of_seats(field, seen[field.name], plays, seats) for field in layout}
            places = list(zip(plays.tolist(), seats.tolist(), strict=True))
            limits = {
                field.name: _limits(field, bounds, shape, plays, seats)
                for field in game.declaration.actions
            }
            answers, memories, sound = self._answers(policy, limits, own, places, state["period"])
            for field in game.declaration.actions:
                sound &= _possible(field, answers[field.name], *limits[field.name])
            self.faults += int((~sound).sum())
            for name, values in answers.items():
                actions[name][plays[sound], seats[sound]] = values[sound]
            for row in np.flatnonzero(sound).tolist():
                self.memories[places[row]] = memories[row]
        return actions

    def _answers(
        self,
        policy: Policy,
        limits: Limits,
        seen: Arrays,
        places: list[tuple[int, int]],
        periods: Array,
    ) -> tuple[dict[str, Array], Sequence[Memory], Array]:
        """Field -> (K,) numbers, the memories, and where a policy answered at all."""
        rngs = (
            generator(self.seeds[play], f"policy of seat {seat}", int(periods[play]))
            for play, seat in places
        )
        before = [self.memories[place] for place in places]
        fields = self.game.declaration.actions
        if isinstance(policy, Batched):
            return _at_once(policy, fields, limits, seen, before, rngs)
        decisions = list(_one_by_one(policy, fields, limits, seen, before, rngs))
        answers = {
            field.name: np.array([decision.action[field.name] for decision in decisions])
            for field in fields
        }
        sound = np.array([decision.fault is None for decision in decisions])
        return answers, [decision.memory for decision in decisions], sound


def _at_once(
    policy: Batched,
    fields: tuple[Field, ...],
    limits: Limits,
    seen: Arrays,
    memories: Sequence[Memory],
    rngs: Iterator[np.random.Generator],
) -> tuple[dict[str, Array], Sequence[Memory], Array]:
    """One question for all; an error fails all of them, as that of one decision fails one."""
    count = len(memories)
    try:
        made, after = policy.act_together(limits, seen, memories, rngs)
        answers = {field.name: np.array(made[field.name], np.float64) for field in fields}
        fits = len(after) == count and all(each.shape == (count,) for each in answers.values())
    except Exception:  # noqa: BLE001  whatever a policy raises, the play goes on
        fits = False
    if not fits:
        answers, after = {field.name: np.zeros(count) for field in fields}, memories
    return answers, after, np.full(count, fits)


def _one_by_one(
    policy: Policy,
    fields: tuple[Field, ...],
    limits: Limits,
    seen: Arrays,
    memories: Sequence[Memory],
    rngs: Iterator[np.random.Generator],
) -> Iterator[Decision]:
    for row, (memory, rng) in enumerate(zip(memories, rngs, strict=True)):
        own = {name: value[row] for name, value in seen.items()}
        layout = tuple(field.within(*_ends(limits[field.name], row)) for field in fields)
        yield decide(policy, layout, own, memory, rng, budget=math.inf)


def _ends(limits: tuple[Array, Array], row: int) -> tuple[float, float]:
    low, high = limits
    return float(low[row]), float(high[row])


def _limits(
    field: Field, bounds: Mapping[str, tuple[Any, Any]], shape: Any, plays: Array, seats: Array
) -> tuple[Array, Array]:
    """(K,) the lowest and highest of an action field for seats of plays now."""
    low, high = bounds.get(field.name, (field.low, field.high))
    return (
        np.maximum(np.broadcast_to(low, shape)[plays, seats], field.low),
        np.minimum(np.broadcast_to(high, shape)[plays, seats], field.high),
    )


def _of_seats(field: Field, values: Array, plays: Array, seats: Array) -> Array:
    """(K, ...) what seats of plays see of a field."""
    picked: Array = values[plays, seats] if field.visibility == "private" else values[plays]
    return picked


def _possible(field: Field, values: Array, low: Array, high: Array) -> Array:
    """Where numbers are an action: finite, whole where they should be, a choice that is open."""
    fine = np.isfinite(values)
    if field.kind in ("whole", "choice"):
        fine &= values == np.floor(values)
    if field.kind == "choice":
        fine &= (low <= values) & (values <= high)
    return fine
