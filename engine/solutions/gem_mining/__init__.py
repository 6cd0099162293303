"""Solutions of gem mining: the best joint choice for given weights, and the whole Pareto set.

    from engine.solutions import gem_mining as solutions
    solutions.expected_rewards(instance, choice)        -> (K,) expected gems of each type
    solutions.best_joint_choice(instance, weights)      -> the largest weights . expected gems
    solutions.pareto_set(instance)                      -> every vector that no other one beats
    solutions.judge(game, before, after)                -> how good the choice of a period was

`instance` is an `engine.games.gem_mining.Instance`, or a core that tells one. All are those of one
period; periods are alike, so that the best joint choice of one is the best of all.

Both searches are variable elimination along the villages, exact (Roijers, Whiteson and Oliehoek
2015, Journal of AI Research 52). Village i is the last to reach mine i, so once it has chosen, that
mine is worth what its workers make of it, and the villages to come depend on the choices so far
through the workers at mines i + 1 .. i + C - 1 alone: of all choices that leave the same workers
there, only the best (or the non-dominated) are kept. There are at most C! such states, 24 for a
connectivity C of 4, whatever the number of villages. With a C of 10 they are millions:
`search_steps` says beforehand how long a search would be, and `judge`, which is asked on a server,
leaves the best out where that is more than MOST_STEPS.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from engine.contract.allowed import Allowed
from engine.contract.errors import ActionError, ConfigError
from engine.contract.space import Array, Arrays, Field
from engine.game import Game
from engine.games.gem_mining import GemCore, Instance, given, of_state
from engine.games.gem_mining.instance import bonuses
from engine.solutions import Best, Solution, as_without_layers, first_state

__all__ = [
    "SOLUTION",
    "JointChoice",
    "best_joint_choice",
    "best_of_play",
    "expected_rewards",
    "front_of_play",
    "judge",
    "judged",
    "pareto_set",
    "search_steps",
    "share_of_best",
]

MOST_STEPS = 200_000
"""Of a search on a server: some tenths of a second for the best. All connectivities up to 6 with 20
villages, or up to 4 with 1,000, are within it."""

MOST_VILLAGES = 100
"""Of a Pareto set on a server: it grows with the square of the villages."""

Waiting = tuple[int, ...]
Arrival = tuple[Waiting, int, int]
State = Mapping[str, Any]


@dataclass(frozen=True)
class JointChoice:
    """A joint choice (n,), a mine for each village, and the gems (K,) it makes one expect."""

    choice: Array
    rewards: Array


def expected_rewards(instance: Instance | GemCore, choice: Sequence[int] | Array) -> Array:
    """(K,) gems of each type that are expected in a period of this joint choice.

    Raises ConfigError unless it is a mine in reach for each village.
    """
    problem = _problem(instance)
    at = problem.workers_at(_checked(problem, choice))
    chances = problem.probabilities(int(at.max()))[np.arange(problem.mines), at]
    return np.asarray(np.add.reduce(chances, axis=0))


def _checked(problem: Instance, choice: Sequence[int] | Array) -> Array:
    """(n,) the mine of each village, as the game itself would take it."""
    first = np.arange(problem.villages)
    mine = Field("mine", "mine of each village", kind="choice", low=0, high=problem.mines - 1)
    reach = {"mine": (first, first + problem.reach - 1)}
    try:
        return Allowed((mine,), first.shape, reach, {}).used({"mine": choice})["mine"]
    except ActionError as error:
        raise ConfigError(f"choice: {error}; a mine in reach for each village") from None


def best_joint_choice(
    instance: Instance | GemCore, weights: Sequence[float] | Array
) -> JointChoice:
    """The joint choice with the largest weights . expected gems."""
    problem = _problem(instance)
    worth = (problem.probabilities(_most(problem)) @ np.asarray(weights, dtype=np.float64)).tolist()
    values: dict[Waiting, float] = {_start(problem): 0.0}
    trail: list[dict[Waiting, tuple[Waiting, int]]] = []
    for mine, stage in _stages(problem):
        after: dict[Waiting, float] = {}
        came: dict[Waiting, tuple[Waiting, int]] = {}
        for state, arrivals in stage.items():
            totals = [values[before] + worth[mine][count] for before, _, count in arrivals]
            best = max(range(len(totals)), key=totals.__getitem__)
            after[state], came[state] = totals[best], arrivals[best][:2]
        values = after
        trail.append(came)
    (state,) = values
    choice = np.zeros(problem.mines, dtype=np.int64)
    for mine in reversed(range(problem.mines)):
        state, choice[mine] = trail[mine][state]
    choice = choice[: problem.villages]
    return JointChoice(choice, expected_rewards(problem, choice))


def pareto_set(instance: Instance | GemCore) -> list[JointChoice]:
    """Every expected vector that no other one beats, with a joint choice; richest in gem 0 first.

    A vector beats another if it is as large in every type and larger in one. Chances count in
    whole units of 1e-13 or so (15 digits for their sum), which add up exactly in any order: what
    differs by rounding alone is the same.
    """
    problem = _problem(instance)
    unit = 10.0 ** (15 - len(str(problem.mines)))
    worth = np.rint(unit * problem.probabilities(_most(problem)))
    types = worth.shape[-1]
    fronts = {_start(problem): (np.zeros((1, types)), np.zeros((1, problem.mines), dtype=np.int16))}
    for mine, stage in _stages(problem):
        after = {}
        for state, arrivals in stage.items():
            sums = [fronts[before][0] + worth[mine, count] for before, _, count in arrivals]
            vectors = np.concatenate(sums)
            kept = non_dominated(vectors)
            paths = [(fronts[before][1], went) for before, went, _ in arrivals]
            after[state] = vectors[kept], _prolonged(paths, kept, mine)
        fronts = after
    ((vectors, choices),) = fronts.values()
    return [
        JointChoice(choice[: problem.villages].astype(np.int64), vector / unit)
        for vector, choice in zip(vectors, choices, strict=True)
    ]


def judged(game: Game[GemCore]) -> tuple[Field, ...]:
    """What `judge` tells of a period. All of it is known before chance decides what is found."""
    points = Field("expected_points", "points the joint choice makes one expect", "points")
    return (
        Field(
            "expected_gems",
            "gems of each type the joint choice makes one expect",
            "gems",
            shape=(game.core.gem_types,),
        ),
        points,
        Field(
            "best_expected_points",
            "the same for the best joint choice; empty: the search would be too long",
            "points",
        ),
        Field("efficiency", "expected points as a share of the best; empty: it is 0 or not known"),
    )


def judge(game: Game[GemCore], before: State, after: State) -> dict[str, Any]:
    """The fields of `judged` for the period between two states.

    The chances are those before it. Villages that are out of the play have no workers; one that
    its role bars from choosing stays at its first mine, in the best joint choice as well.
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
    """(B,) expected points of the joint choices of plays over those of the best ones."""
    periods, plays = states[-1]["period"], len(states[0]["period"])
    earned, best, most = np.zeros(plays), np.zeros(plays), np.zeros(plays)
    known: Instance | None = None
    for number, (before, after) in enumerate(itertools.pairwise(states)):
        instances = _of_state(game, {**before, "seat_reason": after.get("seat_reason")})
        if known is None or not _same(known, instances):
            known, most = instances, _most_points(game, instances)
        going = number < periods
        earned += np.where(going, _points_of_plays(game, instances, after["mine"]), 0.0)
        best += np.where(going, most, 0.0)
    return earned / best


def _points_of_plays(game: Game[GemCore], instances: Instance, choices: Array) -> Array:
    """(B,) points that joint choices (B, n) make one expect; instances lead with B."""
    base, workers = instances.base_probabilities, instances.workers
    at = np.zeros(base.shape[:2], dtype=np.int64)
    np.add.at(at, (np.arange(len(at))[:, None], choices), workers)
    factors = bonuses(game.core.worker_bonus, int(at.max()))[at]
    chances = np.minimum(game.core.truncation, base * factors[:, :, None])
    gems = reduce(np.add, np.moveaxis(chances, 1, 0))  # one mine after the other, as `judge` does
    weights = np.asarray(game.core.weights)
    return np.array([row @ weights for row in gems])


def _most_points(game: Game[GemCore], instances: Instance) -> Array:
    """(B,) the points of the best joint choices; NaN where nothing can be earned."""
    weights, most = np.asarray(game.core.weights), []
    parts = (instances.reach, instances.workers, instances.base_probabilities)
    for reach, workers, base in zip(*parts, strict=True):
        one = replace(instances, reach=reach, workers=workers, base_probabilities=base)
        best = _best_of(game, one)
        most.append(0.0 if best is None else float(best.rewards @ weights))
    return np.array([points or np.nan for points in most])


def _same(known: Instance, other: Instance) -> bool:
    """Have two instances the same mines, villages and workers?"""
    names = ("reach", "workers", "base_probabilities")
    return all(np.array_equal(getattr(known, name), getattr(other, name)) for name in names)


def best_of_play(game: Game[GemCore], state: State) -> JointChoice | None:
    """The best joint choice for the weights of a play, solved once; any of its states will do.

    None if the search would take more than MOST_STEPS.
    """
    return _best_of(game, _of_state(game, state))


def _best_of(game: Game[GemCore], instance: Instance) -> JointChoice | None:
    if search_steps(instance) > MOST_STEPS:
        return None
    return _best(game.core, *_content(instance))


def front_of_play(game: Game[GemCore], state: State, types: Sequence[int]) -> Array:
    """(vectors, len(types)) the Pareto set if only these types count, solved once.

    No vectors if the search would take more than MOST_STEPS, or has more than MOST_VILLAGES.
    """
    instance = _of_state(game, state)
    if search_steps(instance) > MOST_STEPS or instance.villages > MOST_VILLAGES:
        return np.empty((0, len(types)))
    some = replace(instance, base_probabilities=instance.base_probabilities[:, list(types)])
    return _front(*_content(some), game.core.truncation, game.core.worker_bonus)


def _of_state(game: Game[GemCore], state: State) -> Instance:
    """The instance of a state: nobody works where a village is out, barred villages stay put."""
    instance = of_state(game.core, state)
    if "mine" in game.barred:
        instance = replace(instance, reach=np.where(game.barred["mine"], 1, instance.reach))
    if state.get("seat_reason") is None:
        return instance
    out = np.asarray(state["seat_reason"]) > 0
    return replace(instance, workers=np.where(out, 0, instance.workers))


def _content(instance: Instance) -> tuple[Waiting, Waiting, tuple[Any, ...]]:
    base = tuple(map(tuple, instance.base_probabilities.tolist()))
    return tuple(instance.reach.tolist()), tuple(instance.workers.tolist()), base


@lru_cache(maxsize=4096)  # the plays of a tournament, which come in every mix
def _best(core: GemCore, reach: Waiting, workers: Waiting, base: tuple[Any, ...]) -> JointChoice:
    instance = _instance(reach, workers, base, core.truncation, core.worker_bonus)
    return best_joint_choice(instance, core.weights or ())


@lru_cache(maxsize=256)
def _front(
    reach: Waiting, workers: Waiting, base: tuple[Any, ...], most: float, bonus: float
) -> Array:
    front = pareto_set(_instance(reach, workers, base, most, bonus))
    return np.array([choice.rewards for choice in front])


def _instance(
    reach: Waiting, workers: Waiting, base: tuple[Any, ...], truncation: float, bonus: float
) -> Instance:
    return Instance(np.array(reach), np.array(workers), np.array(base), truncation, bonus)


def non_dominated(vectors: Array) -> Array:
    """Indices of the rows that no other row beats, one of equal rows, sorted from the largest."""
    if vectors.shape[-1] <= 2:
        # Rows come as sorted runs, which a stable sort only has to merge.
        order = np.argsort(-vectors[:, 0], kind="stable")
        last = vectors[order, -1]
        before = np.maximum.accumulate(np.concatenate([[-np.inf], last[:-1]]))
        rising = order[last > before]
        ends = np.append(np.diff(vectors[rising, 0]) != 0, True)
        return np.asarray(rising[ends])
    order = np.lexsort(-vectors.T[::-1])
    kept: list[int] = []
    front = np.empty_like(vectors)
    for row in order:
        if not (front[: len(kept)] >= vectors[row]).all(axis=-1).any():
            front[len(kept)] = vectors[row]
            kept.append(int(row))
    return np.array(kept)


def _prolonged(paths: list[tuple[Array, int]], kept: Array, village: int) -> Array:
    """(rows kept, m) the joint choices so far, stacked, and in each where this village goes."""
    choices = np.empty((len(kept), paths[0][0].shape[1]), dtype=np.int16)
    start = 0
    for before, went in paths:
        end = start + len(before)
        own = (kept >= start) & (kept < end)
        choices[own] = before[kept[own] - start]
        choices[own, village] = went
        start = end
    return choices


def search_steps(instance: Instance | GemCore) -> int:
    """At most how many (state, choice) pairs a search through this instance looks at."""
    problem = _problem(instance)
    shared = problem.mines - problem.villages
    reach = problem.reach.tolist() + [1] * shared
    steps = 0
    for village, own in enumerate(reach):
        states = 1  # each village before may have gone to a mine still open, or to one that is not
        for back in range(1, min(shared, village) + 1):
            states *= max(reach[village - back] - back, 0) + 1
        steps += own * states
    return steps


def _stages(instance: Instance) -> Iterator[tuple[int, dict[Waiting, list[Arrival]]]]:
    """For each mine in turn: state after -> (state before, mine chosen, workers it closes with).

    A state is the workers at the mines that can still be reached, from the next one on. Behind
    the villages stand some without workers, so that the last mines are closed as well.
    """
    states = [_start(instance)]
    for village in range(instance.mines):
        real = village < instance.villages
        workers = int(instance.workers[village]) if real else 0
        stage: dict[Waiting, list[Arrival]] = {}
        for state in states:
            for offset in range(int(instance.reach[village]) if real else 1):
                counts = [*state, 0]
                counts[offset] += workers
                arrival = (state, village + offset, counts[0])
                stage.setdefault(tuple(counts[1:]), []).append(arrival)
        states = list(stage)
        yield village, stage


def _start(instance: Instance) -> Waiting:
    """Nobody is anywhere yet; m = n + C - 1."""
    return (0,) * (instance.mines - instance.villages)


def _most(instance: Instance) -> int:
    """Workers that can meet at a mine at most."""
    shared = instance.mines - instance.villages + 1
    windows = np.convolve(instance.workers, np.ones(min(shared, instance.villages)), mode="full")
    return int(windows.max())


def _problem(instance: Instance | GemCore) -> Instance:
    if isinstance(instance, Instance):
        return instance
    problem = given(instance)
    if problem is None:
        raise ConfigError("instance = None: it is drawn from the seed; take it from a state")
    return problem


def _best_play(game: Game[GemCore], seed: int) -> Best | None:
    """All villages earn the same, and periods are alike."""
    core = game.core
    choice = best_of_play(game, first_state(game, seed))
    if choice is None:
        return None
    points = core.periods * core.seats * float(choice.rewards @ np.asarray(core.weights))
    return Best("the best joint choice", points, error=0.0, how="variable elimination by village")


def _holds(game: Game[GemCore]) -> bool:
    """Under a role that bars a village from choosing as well: it is part of the search."""
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
