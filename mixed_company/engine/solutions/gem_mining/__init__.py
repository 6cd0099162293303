"""Solutions of gem mining: the best joint choice for given weights, and the complete Pareto set.

    from mixed_company.engine.solutions import gem_mining as solutions
    solutions.expected_rewards(instance, choice)        -> (K,) expected gems of each type
    solutions.best_joint_choice(instance, weights)      -> the choice with the largest
                                                        weights . expected gems
    solutions.pareto_set(instance)                      -> every non-dominated vector
    solutions.judge(game, before, after)                -> quality of a period's choice

`instance` is an `engine.games.gem_mining.Instance`, or a core that configures one. All results are
for one period. All periods are alike, so the best joint choice is always the same.

`search` searches an instance; this module handles plays. With a connectivity of 10, a search has
millions of states; `search_steps` predicts its length. `judge`, which runs on a server, leaves out
the best choice if the search would take more than MOST_STEPS.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from mixed_company.engine.contract.space import Array, Arrays, Field
from mixed_company.engine.game import Game
from mixed_company.engine.games.gem_mining import GemCore, Instance, of_state
from mixed_company.engine.games.gem_mining.instance import bonuses
from mixed_company.engine.solutions import Best, Solution, as_without_layers, first_state, shares
from mixed_company.engine.solutions.gem_mining.search import (
    JointChoice,
    best_joint_choice,
    expected_rewards,
    pareto_set,
    search_steps,
)

__all__ = [
    "SOLUTION",
    "JointChoice",
    "best_joint_choice",
    "best_of_play",
    "expected_rewards",
    "front_of_play",
    "judge",
    "judged",
    "nearest_best",
    "pareto_set",
    "search_steps",
    "share_of_best",
]

MOST_STEPS = 200_000
"""Maximum length of a search on a server; this takes a few tenths of a second.

It covers all connectivities up to 6 with 20 villages, or up to 4 with 1,000.
"""

MOST_VILLAGES = 100
"""Maximum number of villages for a Pareto set on a server; the work grows with its square."""

Counts = tuple[int, ...]
State = Mapping[str, Any]


def judged(game: Game[GemCore]) -> tuple[Field, ...]:
    """Return the fields of `judge`. None of them depends on the gems that are drawn."""
    points = Field("expected_points", "expected points of the joint choice", "points")
    return (
        Field(
            "expected_gems",
            "expected gems of each type for the joint choice",
            "gems",
            shape=(game.core.gem_types,),
        ),
        points,
        Field(
            "best_expected_points",
            "expected points of the best joint choice; empty: the search would take too long",
            "points",
        ),
        Field(
            "efficiency", "expected points as a share of the best; empty: the best is 0 or unknown"
        ),
    )


def judge(game: Game[GemCore], before: State, after: State) -> dict[str, Any]:
    """Return the fields of `judged` for the period between two states.

    The chances are those at the start of the period. Villages that have ended have no workers. A
    village that may not choose stays at its first mine, even in the group's best choice.
    """
    state = {**before, "seat_reason": after.get("seat_reason")}
    weights = np.asarray(game.core.weights)
    gems = expected_rewards(_of_state(game, state), after["mine"])
    points = float(gems @ weights)
    best_choice = best_of_play(game, state)
    best = None if best_choice is None else float(best_choice.rewards @ weights)
    return {
        "expected_gems": gems.tolist(),
        "expected_points": points,
        "best_expected_points": best,
        "efficiency": points / best if best else None,
    }


def share_of_best(
    game: Game[GemCore], states: Sequence[Arrays], components: Sequence[Arrays]
) -> Array:
    """Return plays' expected points as `shares` of the best expected points, (B, 2)."""
    periods, plays = states[-1]["period"], len(states[0]["period"])
    earned, best, maxima = np.zeros(plays), np.zeros(plays), np.zeros(plays)
    current: Instance | None = None
    for number, (before, after) in enumerate(itertools.pairwise(states)):
        instances = _of_state(game, {**before, "seat_reason": after.get("seat_reason")})
        if current is None or not _same(current, instances):
            current, maxima = instances, _most_points(game, instances)
        going = number < periods
        earned += np.where(going, _points_of_plays(game, instances, after["mine"]), 0.0)
        best += np.where(going, maxima, 0.0)
    return shares(earned, best)


def _points_of_plays(game: Game[GemCore], instances: Instance, choices: Array) -> Array:
    """Return the expected points (B,) of joint choices (B, n); `instances` has a batch axis."""
    base, workers = instances.base_probabilities, instances.workers
    crowd = np.zeros(base.shape[:2], dtype=np.int64)
    np.add.at(crowd, (np.arange(len(crowd))[:, None], choices), workers)
    factors = bonuses(game.core.worker_bonus, int(crowd.max()))[crowd]
    chances = np.minimum(game.core.truncation, base * factors[:, :, None])
    gems = reduce(np.add, np.moveaxis(chances, 1, 0))  # mine by mine, as in `judge`
    weights = np.asarray(game.core.weights)
    return np.array([row @ weights for row in gems])


def _most_points(game: Game[GemCore], instances: Instance) -> Array:
    """Return the points of the best joint choices, shape (B,); NaN if nothing can be earned."""
    weights, values = np.asarray(game.core.weights), []
    parts = (instances.reach, instances.workers, instances.base_probabilities)
    for reach, workers, base in zip(*parts, strict=True):
        instance = replace(instances, reach=reach, workers=workers, base_probabilities=base)
        best = _best_of(game, instance)
        values.append(0.0 if best is None else float(best.rewards @ weights))
    return np.array([points or np.nan for points in values])


def _same(instance: Instance, other: Instance) -> bool:
    """Return whether two instances have the same mines, villages and numbers of workers."""
    names = ("reach", "workers", "base_probabilities")
    return all(np.array_equal(getattr(instance, name), getattr(other, name)) for name in names)


def best_of_play(game: Game[GemCore], state: State) -> JointChoice | None:
    """Return the best joint choice for a play's weights, given any state of the play. Cached.

    None if the search would take more than MOST_STEPS.
    """
    return _best_of(game, _of_state(game, state))


def nearest_best(game: Game[GemCore], state: State, mines: Array) -> JointChoice | None:
    """Return the best joint choice that is closest to the choices of a play, `mines` (periods, n).

    If several joint choices are equally good, the one that matches most of the villages' actual
    choices in all periods is returned. None if the search would take more than MOST_STEPS.
    """
    instance = _of_state(game, state)
    if search_steps(instance) > MOST_STEPS:
        return None
    went = (mines[:, :, None] == np.arange(instance.mines)).mean(axis=0)
    return best_joint_choice(instance, game.core.weights or (), went)


def _best_of(game: Game[GemCore], instance: Instance) -> JointChoice | None:
    if search_steps(instance) > MOST_STEPS:
        return None
    return _best(game.core, *_content(instance))


def front_of_play(game: Game[GemCore], state: State, types: Sequence[int]) -> Array:
    """Return the Pareto set if only these types count, shape (vectors, len(types)). Cached.

    It is empty if the search would take more than MOST_STEPS, or there are more than MOST_VILLAGES.
    """
    instance = _of_state(game, state)
    if search_steps(instance) > MOST_STEPS or instance.villages > MOST_VILLAGES:
        return np.empty((0, len(types)))
    some = replace(instance, base_probabilities=instance.base_probabilities[:, list(types)])
    return _front(*_content(some), game.core.truncation, game.core.worker_bonus)


def _of_state(game: Game[GemCore], state: State) -> Instance:
    """Return a state's instance; ended villages have no workers, and barred villages reach one
    mine."""
    instance = of_state(game.core, state)
    if "mine" in game.barred:
        instance = replace(instance, reach=np.where(game.barred["mine"], 1, instance.reach))
    if state.get("seat_reason") is None:
        return instance
    out = np.asarray(state["seat_reason"]) > 0
    return replace(instance, workers=np.where(out, 0, instance.workers))


def _content(instance: Instance) -> tuple[Counts, Counts, tuple[Any, ...]]:
    base = tuple(map(tuple, instance.base_probabilities.tolist()))
    return tuple(instance.reach.tolist()), tuple(instance.workers.tolist()), base


@lru_cache(maxsize=4096)  # large, because tournaments repeat plays in every mix
def _best(core: GemCore, reach: Counts, workers: Counts, base: tuple[Any, ...]) -> JointChoice:
    instance = _instance(reach, workers, base, core.truncation, core.worker_bonus)
    return best_joint_choice(instance, core.weights or ())


@lru_cache(maxsize=256)
def _front(
    reach: Counts, workers: Counts, base: tuple[Any, ...], truncation: float, bonus: float
) -> Array:
    front = pareto_set(_instance(reach, workers, base, truncation, bonus))
    return np.array([choice.rewards for choice in front])


def _instance(
    reach: Counts, workers: Counts, base: tuple[Any, ...], truncation: float, bonus: float
) -> Instance:
    return Instance(np.array(reach), np.array(workers), np.array(base), truncation, bonus)


def _best_play(game: Game[GemCore], seed: int) -> Best | None:
    """Return a play's best result, based on a period's best joint choice; None if unknown."""
    core = game.core
    choice = best_of_play(game, first_state(game, seed))
    if choice is None:
        return None
    points = core.periods * core.seats * float(choice.rewards @ np.asarray(core.weights))
    return Best("the best joint choice", points, error=0.0, how="variable elimination by village")


def _holds(game: Game[GemCore]) -> bool:
    """Return whether the best result is known; roles may bar villages, because the search can
    handle this."""
    return as_without_layers(game, barred=("mine",))


def _expected_points(game: Game[GemCore], before: State, after: State) -> float:
    return float(judge(game, before, after)["expected_points"])


SOLUTION = Solution[GemCore](
    best=_best_play,
    share_of_best=share_of_best,
    holds=_holds,
    judged=judged,
    judge=judge,
    expected_points=_expected_points,
)
