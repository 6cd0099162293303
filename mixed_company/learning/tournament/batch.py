"""Plays of a mix as one batch of the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company import policies
from mixed_company.engine import solutions
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.game import Game
from mixed_company.learning.tournament.mixes import Mix, focal_seats
from mixed_company.policies.bench import Bench
from mixed_company.policies.policy import Policy

__all__ = ["Played", "joined", "play"]


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


def play(game: Game[Any], mix: Mix, seed: int, first: int, count: int) -> Played:
    """Plays of a mix with the numbers `first` to `first + count - 1`.

    Raises UnknownName or ConfigError for a policy.
    """
    numbers = np.arange(first, first + count)
    seeds, focal = play_seeds(seed, numbers), focal_seats(numbers, game.seats)
    state, seen = game.reset(seeds)
    bench = Bench(game, _seated(game, mix, focal))
    returns = np.zeros((count, game.seats))
    judged = solutions.has_best(game)
    states: list[Arrays] = [state]
    components: list[Arrays] = []
    for after, outcome in bench.play(seeds, state, seen):
        state, returns = after, returns + outcome.rewards
        if judged:
            states.append(state)
            components.append(outcome.components)
    shares = solutions.share_of_best(game, states, components)
    efficiency = np.full(count, np.nan) if shares is None else shares
    return Played(returns, focal, np.array(state["period"]), efficiency, bench.faults)


def _seated(game: Game[Any], mix: Mix, focal: Array) -> list[tuple[Policy, Array]]:
    """The policies of a mix and their places (P, n)."""
    is_focal = np.arange(game.seats) == focal[:, None]
    places = {mix.field: ~is_focal, mix.focal: is_focal}
    if mix.alone:
        places = {mix.field: np.ones_like(is_focal)}
    return [(policies.make(spec, game), where) for spec, where in places.items()]
