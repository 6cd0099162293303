"""Functions that read observations for the policies of gem mining.

m is the largest number of mines that any village can reach.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.gem_mining.core import GemCore
from mixed_company.policies.policy import Seats


class Shown(NamedTuple):
    """Observed numbers (K, ...), and flags (K,) for the seats that see them."""

    values: Array
    visible: Array


def reach_of(seats: Seats) -> Array:
    """Return the number of mines in reach, (K,). The first mine in reach has the seat's number."""
    return seats.seen["reach"].astype(np.int64)


def in_reach(seats: Seats, rules: GemCore) -> Array:
    """Return flags (K, m) for the mines in reach, counted from the first of them."""
    return np.arange(rules.max_connectivity) < reach_of(seats)[:, None]


def going_to(seats: Seats, offset: Array) -> dict[str, Array]:
    """Return the actions that choose a mine by its offset from the first mine in reach."""
    return {"mine": seats.seat + offset}


def shown(seats: Seats, name: str) -> Shown | None:
    """Return an observation field, or the copy of it that a layer shows; None if neither exists."""
    values = seats.seen.get(name)
    if values is None:
        values = seats.seen.get(f"shown_{name}")
    if values is None:
        return None
    visible = ~np.isnan(values).reshape(len(values), -1)
    return Shown(values, np.asarray(visible.all(axis=1)))


def own_workers(seats: Seats, rules: GemCore) -> Array:
    """Return each village's number of workers, (K,); the average workforce if it is not shown."""
    workers = np.full(seats.count, (rules.min_workers + rules.max_workers) // 2)
    workforce, everybody = shown(seats, "workers"), shown(seats, "workforces")
    if everybody is not None:
        theirs = everybody.values[seats.rows, seats.seat]
        workers = _at_least_one(theirs, everybody.visible, workers)
    return (
        workers
        if workforce is None
        else _at_least_one(workforce.values, workforce.visible, workers)
    )


def shown_chances(seats: Seats, rules: GemCore) -> Shown | None:
    """Return the base chances at each mine in reach, (K, m, types); None if no seat sees them."""
    base = shown(seats, "base_probabilities")
    return None if base is None else Shown(from_first(seats, rules, base.values), base.visible)


def others_in_reach(seats: Seats, rules: GemCore) -> Shown:
    """Return the others' workers at each mine last period, (K, m); 0 where they are not shown."""
    counts = np.zeros((seats.count, rules.max_connectivity), dtype=np.int64)
    crowd, mine = shown(seats, "workers_at"), shown(seats, "own_mine")
    if crowd is None or mine is None:
        return Shown(counts, np.zeros(seats.count, dtype=np.bool_))
    visible = crowd.visible & mine.visible & (seats.period > 0)
    counts[visible] = from_first(seats, rules, crowd.values)[visible].astype(np.int64)
    choice = np.where(visible, mine.values, -1).astype(np.int64) - seats.seat
    rows = np.flatnonzero((choice >= 0) & (choice < reach_of(seats)))
    left = counts[rows, choice[rows]] - own_workers(seats, rules)[rows]
    counts[rows, choice[rows]] = np.maximum(left, 0)
    return Shown(counts, visible)


def worth(rules: GemCore, chances: Array, workers: Array, weights: Sequence[float]) -> Array:
    """Return the expected points (K, m) at mines with these workers and chances (..., types).

    `workers` is (K, m), or (K, 1) if all mines have the same number.
    """
    factor = bonus(rules, workers)
    points = np.zeros(chances.shape[:-1])
    for value, chance in zip(weights, np.moveaxis(chances, -1, 0), strict=True):
        points = points + value * np.minimum(rules.truncation, chance * factor)
    return np.where(workers == 0, 0.0, points)


def bonus(rules: GemCore, workers: Array) -> Array:
    """Return the factor by which these workers multiply one worker's chances; 0 without workers."""
    counts, which = np.unique(workers, return_inverse=True)
    factors = [rules.worker_bonus ** (count - 1) if count else 0.0 for count in counts.tolist()]
    return np.asarray(np.array(factors)[which].reshape(workers.shape))


def largest(values: Array, among: Array) -> Array:
    """Return the index (K,) of the largest flagged number in each row (K, m); in a tie, the
    first."""
    return np.asarray(np.where(among, values, -np.inf).argmax(axis=1))


def from_first(seats: Seats, rules: GemCore, values: Array) -> Array:
    """Return values (K, mines, ...) as (K, m, ...), starting with the first mine in reach."""
    mines = seats.seat[:, None] + np.arange(rules.max_connectivity)
    return np.asarray(values[seats.rows[:, None], mines])


def _at_least_one(values: Array, visible: Array, default: Array) -> Array:
    return np.where(visible, np.maximum(np.where(visible, values, 0).astype(np.int64), 1), default)
