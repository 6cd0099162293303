"""Solutions of gem mining: the best joint choice for given weights, and the whole Pareto set.

    from engine.solutions import gem_mining as solutions
    solutions.expected_rewards(instance, choice)        -> (K,) expected gems of each type
    solutions.best_joint_choice(instance, weights)      -> the largest weights . expected gems
    solutions.pareto_set(instance)                      -> every vector that no other one beats
    solutions.judge(core, before, after)                -> how good the choice of a period was

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
from functools import lru_cache
from typing import Any

import numpy as np

from engine.contract.errors import ConfigError
from engine.contract.space import Array, Arrays, Field
from engine.games.gem_mining import GemCore, Instance, given, of_state
from engine.solutions import Best, Solution

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

State = tuple[int, ...]
Arrival = tuple[State, int, int]


@dataclass(frozen=True)
class JointChoice:
    """A joint choice (n,), a mine for each village, and the gems (K,) it makes one expect."""

    choice: Array
    rewards: Array


def expected_rewards(instance: Instance | GemCore, choice: Sequence[int] | Array) -> Array:
    """(K,) gems of each type that are expected in a period of this joint choice."""
    problem = _problem(instance)
    chosen = np.asarray(choice, dtype=np.int64)
    first = np.arange(problem.villages)
    fits = chosen.shape == first.shape
    if not fits or ((chosen < first) | (chosen >= first + problem.reach)).any():
        raise ConfigError(f"choice = {chosen.tolist()}: a mine in reach for each village")
    at = problem.workers_at(chosen)
    chances = problem.probabilities(int(at.max()))[np.arange(problem.mines), at]
    return np.asarray(np.add.reduce(chances, axis=0))


def best_joint_choice(
    instance: Instance | GemCore, weights: Sequence[float] | Array
) -> JointChoice:
    """The joint choice with the largest weights . expected gems."""
    problem = _problem(instance)
    worth = (problem.probabilities(_most(problem)) @ np.asarray(weights, dtype=np.float64)).tolist()
    values: dict[State, float] = {_start(problem): 0.0}
    trail: list[dict[State, tuple[State, int]]] = []
    for mine, stage in _stages(problem):
        after: dict[State, float] = {}
        came: dict[State, tuple[State, int]] = {}
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

    A vector beats another if it is as large in every type and larger in one.
    """
    problem = _problem(instance)
    worth = problem.probabilities(_most(problem))
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
        JointChoice(choice[: problem.villages].astype(np.int64), vector)
        for vector, choice in zip(vectors, choices, strict=True)
    ]


def judged(core: GemCore) -> tuple[Field, ...]:
    """What `judge` tells of a period. All of it is known before chance decides what is found."""
    points = Field("expected_points", "points the joint choice makes one expect", "points")
    return (
        Field(
            "expected_gems",
            "gems of each type the joint choice makes one expect",
            "gems",
            shape=(core.gem_types,),
        ),
        points,
        Field(
            "best_expected_points",
            "the same for the best joint choice; empty: the search would be too long",
            "points",
        ),
        Field("efficiency", "expected points as a share of the best; empty: it is 0 or not known"),
    )


def judge(core: GemCore, before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of `judged` for the period between two states.

    The chances are those before it. Villages that are out of the play have no workers.
    """
    state = {**before, "seat_reason": after.get("seat_reason")}
    gems = expected_rewards(_of_state(core, state), after["mine"])
    points = float(gems @ np.asarray(core.weights))
    best_choice = best_of_play(core, state)
    best = None if best_choice is None else float(best_choice.rewards @ np.asarray(core.weights))
    return {
        "expected_gems": gems.tolist(),
        "expected_points": points,
        "best_expected_points": best,
        "efficiency": points / best if best else None,
    }


def share_of_best(core: GemCore, states: Sequence[Arrays], components: Sequence[Arrays]) -> Array:
    """(B,) expected points of the joint choices of plays over those of the best ones."""
    shares = []
    for play in range(len(states[0]["period"])):
        own = [{name: value[play] for name, value in state.items()} for state in states]
        earned = best = 0.0
        for before, after in itertools.pairwise(own[: int(own[-1]["period"]) + 1]):
            judgement = judge(core, before, after)
            earned += judgement["expected_points"]
            best += judgement["best_expected_points"] or np.nan
        shares.append(earned / best)
    return np.array(shares)


def best_of_play(core: GemCore, state: Mapping[str, Any]) -> JointChoice | None:
    """The best joint choice for the weights of a play, solved once; any of its states will do.

    None if the search would take more than MOST_STEPS.
    """
    instance = _of_state(core, state)
    if search_steps(instance) > MOST_STEPS:
        return None
    return _best(core, *_content(instance))


def front_of_play(core: GemCore, state: Mapping[str, Any], types: Sequence[int]) -> Array:
    """(vectors, len(types)) the Pareto set if only these types count, solved once.

    No vectors if the search would take more than MOST_STEPS, or has more than MOST_VILLAGES.
    """
    instance = _of_state(core, state)
    if search_steps(instance) > MOST_STEPS or instance.villages > MOST_VILLAGES:
        return np.empty((0, len(types)))
    some = replace(instance, base_probabilities=instance.base_probabilities[:, list(types)])
    return _front(*_content(some), core.truncation, core.worker_bonus)


def _of_state(core: GemCore, state: Mapping[str, Any]) -> Instance:
    """The instance of a state, in which villages that are out of the play have no workers."""
    instance = of_state(core, state)
    if state.get("seat_reason") is None:
        return instance
    out = np.asarray(state["seat_reason"]) > 0
    return replace(instance, workers=np.where(out, 0, instance.workers))


def _content(instance: Instance) -> tuple[State, State, tuple[Any, ...]]:
    base = tuple(map(tuple, instance.base_probabilities.tolist()))
    return tuple(instance.reach.tolist()), tuple(instance.workers.tolist()), base


@lru_cache(maxsize=256)
def _best(core: GemCore, reach: State, workers: State, base: tuple[Any, ...]) -> JointChoice:
    instance = _instance(reach, workers, base, core.truncation, core.worker_bonus)
    return best_joint_choice(instance, core.weights or ())


@lru_cache(maxsize=256)
def _front(reach: State, workers: State, base: tuple[Any, ...], most: float, bonus: float) -> Array:
    front = pareto_set(_instance(reach, workers, base, most, bonus))
    return np.array([choice.rewards for choice in front])


def _instance(
    reach: State, workers: State, base: tuple[Any, ...], truncation: float, bonus: float
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


def _stages(instance: Instance) -> Iterator[tuple[int, dict[State, list[Arrival]]]]:
    """For each mine in turn: state after -> (state before, mine chosen, workers it closes with).

    A state is the workers at the mines that can still be reached, from the next one on. Behind
    the villages stand some without workers, so that the last mines are closed as well.
    """
    states = [_start(instance)]
    for village in range(instance.mines):
        real = village < instance.villages
        workers = int(instance.workers[village]) if real else 0
        stage: dict[State, list[Arrival]] = {}
        for state in states:
            for offset in range(int(instance.reach[village]) if real else 1):
                counts = [*state, 0]
                counts[offset] += workers
                arrival = (state, village + offset, counts[0])
                stage.setdefault(tuple(counts[1:]), []).append(arrival)
        states = list(stage)
        yield village, stage


def _start(instance: Instance) -> State:
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


def _best_play(core: GemCore, state: Mapping[str, Any]) -> Best | None:
    """All villages earn the same, and periods are alike."""
    choice = best_of_play(core, state)
    if choice is None:
        return None
    points = float(choice.rewards @ np.asarray(core.weights))
    return Best("the best joint choice", core.periods * core.seats * points, error=0.0)


def _expected_points(core: GemCore, before: Mapping[str, Any], after: Mapping[str, Any]) -> float:
    return float(judge(core, before, after)["expected_points"])


SOLUTION = Solution[GemCore](
    best=_best_play,
    share_of_best=share_of_best,
    judged=judged,
    judge=judge,
    expected_points=_expected_points,
)
