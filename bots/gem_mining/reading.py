"""How the policies of gem mining read their screens; m mines are in reach of a village at most."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.gem_mining.core import GemCore
from mixed_company.policies.policy import Seats

__all__ = [
    "Shown",
    "bonus",
    "from_first",
    "going_to",
    "in_reach",
    "largest",
    "others_in_reach",
    "own_workers",
    "reach_of",
    "shown",
    "shown_chances",
    "worth",
]


class Shown(NamedTuple):
    """(K, ...) numbers, and (K,) flags of the seats to which they are shown."""

    values: Array
    known: Array


def reach_of(seats: Seats) -> Array:
    """(K,) how many mines are in reach; the first of them has the number of the seat."""
    return seats.seen["reach"].astype(np.int64)


def in_reach(seats: Seats, rules: GemCore) -> Array:
    """(K, m) flags: which of the mines from the first in reach on are in reach."""
    return np.arange(rules.max_connectivity) < reach_of(seats)[:, None]


def going_to(seats: Seats, offset: Array) -> dict[str, Array]:
    """The actions of going to one of the mines in reach, the first of them being 0."""
    return {"mine": seats.seat + offset}


def shown(seats: Seats, name: str) -> Shown | None:
    """A field of the observation, or what a layer shows to all; None if there is neither."""
    values = seats.seen.get(name, seats.seen.get(f"shown_{name}"))
    if values is None:
        return None
    return Shown(values, np.logical_not(np.isnan(values).reshape(len(values), -1).any(axis=1)))


def own_workers(seats: Seats, rules: GemCore) -> Array:
    """(K,) the workers of each village; if they are not shown, as many as there are on average."""
    workers = np.full(seats.count, (rules.min_workers + rules.max_workers) // 2)
    own, everybody = shown(seats, "workers"), shown(seats, "workforces")
    if everybody is not None:
        theirs = everybody.values[seats.rows, seats.seat]
        workers = _at_least_one(theirs, everybody.known, workers)
    return workers if own is None else _at_least_one(own.values, own.known, workers)


def shown_chances(seats: Seats, rules: GemCore) -> Shown | None:
    """(K, m, types) base chances at each mine in reach, None if they are shown to nobody."""
    base = shown(seats, "base_probabilities")
    return None if base is None else Shown(from_first(seats, rules, base.values), base.known)


def others_in_reach(seats: Seats, rules: GemCore) -> Shown:
    """(K, m) workers of others at each mine in reach last period, 0 where they are not shown."""
    counts = np.zeros((seats.count, rules.max_connectivity), dtype=np.int64)
    there, mine = shown(seats, "workers_at"), shown(seats, "own_mine")
    if there is None or mine is None:
        return Shown(counts, np.zeros(seats.count, dtype=np.bool_))
    known = there.known & mine.known & (seats.period > 0)
    counts[known] = from_first(seats, rules, there.values)[known].astype(np.int64)
    own = np.where(known, mine.values, -1).astype(np.int64) - seats.seat
    rows = np.flatnonzero((own >= 0) & (own < reach_of(seats)))
    left = counts[rows, own[rows]] - own_workers(seats, rules)[rows]
    counts[rows, own[rows]] = np.maximum(left, 0)
    return Shown(counts, known)


def worth(rules: GemCore, chances: Array, workers: Array, weights: Sequence[float]) -> Array:
    """(K, m) points to expect at mines with so many workers, from base chances (..., types).

    `workers` (K, m) or, where they are the same at all mines, (K, 1).
    """
    factor = bonus(rules, workers)
    points = np.zeros(chances.shape[:-1])
    for value, chance in zip(weights, np.moveaxis(chances, -1, 0), strict=True):
        points = points + value * np.minimum(rules.truncation, chance * factor)
    return np.where(workers == 0, 0.0, points)


def bonus(rules: GemCore, workers: Array) -> Array:
    """What so many workers multiply the chances of one by; 0 for none."""
    counts, which = np.unique(workers, return_inverse=True)
    factors = [rules.worker_bonus ** (count - 1) if count else 0.0 for count in counts.tolist()]
    return np.asarray(np.array(factors)[which].reshape(workers.shape))


def largest(values: Array, among: Array) -> Array:
    """(K,) the place of the largest of the flagged ones of (K, m) numbers, the first of equals."""
    return np.asarray(np.where(among, values, -np.inf).argmax(axis=1))


def from_first(seats: Seats, rules: GemCore, values: Array) -> Array:
    """(K, m, ...) of (K, mines, ...) numbers those from the first mine in reach on."""
    places = seats.seat[:, None] + np.arange(rules.max_connectivity)
    return np.asarray(values[seats.rows[:, None], places])


def _at_least_one(values: Array, known: Array, instead: Array) -> Array:
    return np.where(known, np.maximum(np.where(known, values, 0).astype(np.int64), 1), instead)
