"""The best joint choices of one period, found by searching an instance.

Both searches are exact and eliminate variables village by village (Roijers, Whiteson and Oliehoek
2015, Journal of AI Research 52). Village i is the last to reach mine i, so its choice fixes the
yield of that mine. Later villages depend on earlier choices only through the workers at mines i + 1
.. i + C - 1. So among all choices with the same workers there, only the best (or the non-dominated
ones) are kept. There are at most C! such states, or 24 for a connectivity C of 4,
however many villages there are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mixed_company.engine.contract.allowed import Allowed
from mixed_company.engine.contract.errors import ActionError, ConfigError
from mixed_company.engine.contract.space import Array, Field
from mixed_company.engine.games.gem_mining import GemCore, Instance, given

Waiting = tuple[int, ...]
Arrival = tuple[Waiting, int, int]


@dataclass(frozen=True)
class JointChoice:
    """Joint choice (n,), a mine for each village, and the expected gems (K,)."""

    choice: Array
    rewards: Array


def expected_rewards(instance: Instance | GemCore, choice: Sequence[int] | Array) -> Array:
    """Return the expected gems of each type, (K,), in a period with this joint choice.

    Raises ConfigError unless the choice is a mine in reach for each village.
    """
    problem = _problem(instance)
    crowd = problem.workers_at(_checked(problem, choice))
    chances = problem.probabilities(int(crowd.max()))[np.arange(problem.mines), crowd]
    return np.asarray(np.add.reduce(chances, axis=0))


def _checked(problem: Instance, choice: Sequence[int] | Array) -> Array:
    """Return each village's mine, (n,), validated as an action of the game."""
    first = np.arange(problem.villages)
    mine = Field("mine", "mine of each village", kind="choice", low=0, high=problem.mines - 1)
    reach = {"mine": (first, first + problem.reach - 1)}
    try:
        return Allowed((mine,), first.shape, reach, {}).used({"mine": choice})["mine"]
    except ActionError as error:
        raise ConfigError(f"choice: {error}; name a mine in reach for each village") from None


_TIE = 1e-9
"""Difference in points below which joint choices count as equally good."""


def best_joint_choice(
    instance: Instance | GemCore,
    weights: Sequence[float] | Array,
    preferred: Array | None = None,
) -> JointChoice:
    """Return the joint choice with the largest weights . expected gems.

    Ties are broken by the largest sum of `preferred` (n, m), 0 to 1 for each village and mine.
    """
    problem = _problem(instance)
    worth = (problem.probabilities(_most(problem)) @ np.asarray(weights, dtype=np.float64)).tolist()
    extra = (
        {}
        if preferred is None
        else {
            (village, mine): _TIE * float(preferred[village, mine])
            for village, mine in np.argwhere(preferred).tolist()
        }
    )
    values: dict[Waiting, float] = {_start(problem): 0.0}
    trail: list[dict[Waiting, tuple[Waiting, int]]] = []
    for mine, stage in _stages(problem):
        after: dict[Waiting, float] = {}
        came: dict[Waiting, tuple[Waiting, int]] = {}
        for state, arrivals in stage.items():
            totals = [
                values[before] + worth[mine][count] + extra.get((mine, went), 0.0)
                for before, went, count in arrivals
            ]
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
    """Return a joint choice for every non-dominated vector of expected gems; most gems of type 0
    come first.

    A vector dominates another if it is at least as large in every type and larger in at least one.
    Chances are rounded to units of about 1e-13 (15 digits for their sum). These add up exactly in
    any order, so rounding errors make no difference.
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


def non_dominated(vectors: Array) -> Array:
    """Return the indices of distinct non-dominated rows, largest first."""
    if vectors.shape[-1] <= 2:
        # The rows consist of sorted runs, which a stable sort merges quickly.
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
    """Return the joint choices kept so far with this village's choice added, (rows kept, m)."""
    choices = np.empty((len(kept), paths[0][0].shape[1]), dtype=np.int16)
    start = 0
    for before, went in paths:
        end = start + len(before)
        mask = (kept >= start) & (kept < end)
        choices[mask] = before[kept[mask] - start]
        choices[mask, village] = went
        start = end
    return choices


def search_steps(instance: Instance | GemCore) -> int:
    """Return an upper bound on the (state, choice) pairs of a search through this instance."""
    problem = _problem(instance)
    shared = problem.mines - problem.villages
    reach = problem.reach.tolist() + [1] * shared
    steps = 0
    for village, choices in enumerate(reach):
        states = 1  # an earlier village is at one of the mines still in reach, or elsewhere
        for back in range(1, min(shared, village) + 1):
            states *= max(reach[village - back] - back, 0) + 1
        steps += choices * states
    return steps


def _stages(instance: Instance) -> Iterator[tuple[int, dict[Waiting, list[Arrival]]]]:
    """Yield for each mine: state after -> list of (state before, chosen mine, its workers).

    A state contains the numbers of workers at the mines that later villages can reach. Villages
    without workers are added at the end, so the last mines are also settled.
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
    """Return the initial state: C - 1 mines without workers."""
    return (0,) * (instance.mines - instance.villages)


def _most(instance: Instance) -> int:
    """Return the largest number of workers that can meet at a mine."""
    shared = instance.mines - instance.villages + 1
    windows = np.convolve(instance.workers, np.ones(min(shared, instance.villages)), mode="full")
    return int(windows.max())


def _problem(instance: Instance | GemCore) -> Instance:
    if isinstance(instance, Instance):
        return instance
    problem = given(instance)
    if problem is None:
        raise ConfigError(
            "instance = None: the instance is drawn from the seed; get it from a state"
        )
    return problem
