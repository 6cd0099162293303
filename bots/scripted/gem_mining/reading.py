"""How the policies of gem mining read their screen."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bots.policy import Action, Observation
from engine.contract.space import Array
from engine.games.gem_mining.core import GemCore

__all__ = [
    "going_to",
    "in_reach",
    "largest",
    "others_in_reach",
    "own_workers",
    "shown",
    "shown_chances",
    "worth",
]


def in_reach(observation: Observation) -> tuple[int, int]:
    """The first mine in reach, and how many there are from it on."""
    return int(observation["seat"]), int(observation["reach"])


def going_to(observation: Observation, offset: int) -> Action:
    """The action of going to one of the mines in reach, the first of them being 0."""
    return {"mine": float(int(observation["seat"]) + offset)}


def shown(observation: Observation, name: str) -> Array | None:
    """A field of the observation, or what a layer shows to all; None if neither is shown."""
    value = observation.get(name, observation.get(f"shown_{name}"))
    return None if value is None or np.isnan(value).any() else value


def own_workers(observation: Observation, rules: GemCore) -> int:
    """The workers of this village; if they are not shown, as many as villages have on average."""
    own = shown(observation, "workers")
    if own is not None:
        return max(int(own), 1)
    everybody = shown(observation, "workforces")
    if everybody is not None:
        return max(int(everybody[int(observation["seat"])]), 1)
    return (rules.min_workers + rules.max_workers) // 2


def shown_chances(observation: Observation) -> list[list[float]] | None:
    """Base chances of each gem type at each mine in reach, None if they are not shown."""
    base = shown(observation, "base_probabilities")
    first, reach = in_reach(observation)
    return None if base is None else base[first : first + reach].tolist()


def others_in_reach(observation: Observation, rules: GemCore) -> list[int] | None:
    """Workers of others at each mine in reach last period, None if there is nothing to see."""
    there = shown(observation, "workers_at")
    if there is None or "own_mine" not in observation or int(observation["period"]) == 0:
        return None
    first, reach = in_reach(observation)
    counts = [int(count) for count in there[first : first + reach]]
    own = int(observation["own_mine"]) - first
    if 0 <= own < reach:
        counts[own] = max(counts[own] - own_workers(observation, rules), 0)
    return counts


def worth(
    rules: GemCore, chances: Sequence[float], workers: int, weights: Sequence[float] | None = None
) -> float:
    """Points a mine makes one expect with so many workers, from its base chances."""
    if workers == 0:
        return 0.0
    bonus = rules.worker_bonus ** (workers - 1)
    values = rules.weights if weights is None else weights
    return sum(
        value * min(rules.truncation, chance * bonus)
        for value, chance in zip(values or (), chances, strict=True)
    )


def largest(values: Sequence[float]) -> int:
    """The place of the largest number, the first of equals."""
    return max(range(len(values)), key=values.__getitem__)
