"""An instance of gem mining: the villages' reach and workers, and the chances at the mines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from mixed_company.engine.contract.chance import Chance, as_order
from mixed_company.engine.contract.space import Array, Arrays
from mixed_company.engine.games.gem_mining.core import GemCore

_LARGEST = 1e300  # finite, so a chance of 0 stays 0


@dataclass(frozen=True, eq=False)
class Instance:
    """Numbers drawn before play. n villages, m mines, K gem types.

    reach               (n,) village i reaches the mines i .. i + reach_i - 1
    workers             (n,) number of workers of each village
    base_probabilities  (m, K) chance of a gem for a single worker
    truncation, worker_bonus   t and b of p = min(t, base * b^(w-1))
    """

    reach: Array
    workers: Array
    base_probabilities: Array
    truncation: float
    worker_bonus: float

    @property
    def villages(self) -> int:
        return len(self.reach)

    @property
    def mines(self) -> int:
        return len(self.base_probabilities)

    def workers_at(self, choice: Array) -> Array:
        """Return the number of workers at each mine, (m,), if village i goes to mine choice_i."""
        return np.bincount(choice, weights=self.workers, minlength=self.mines).astype(np.int64)

    def probabilities(self, limit: int) -> Array:
        """Return the chances by mine, number of workers at it and gem type, (m, limit + 1, K)."""
        bonus = bonuses(self.worker_bonus, limit)
        shared = self.base_probabilities[:, None, :] * bonus[:, None]
        chances: Array = np.minimum(self.truncation, shared)
        return chances


def bonuses(worker_bonus: float, limit: int) -> Array:
    """Return the factors b^(w-1) for w = 0 .. limit workers, (limit + 1,); 0 for no workers."""
    with np.errstate(over="ignore"):
        factors = np.power(worker_bonus, np.arange(float(limit)))
    return np.concatenate([[0.0], np.minimum(factors, _LARGEST)])


def given(core: GemCore) -> Instance | None:
    """Return the instance that the configuration sets; None if instances are drawn."""
    return None if core.instance is None else _instance(core, dict(core.instance))


def of_state(core: GemCore, state: Arrays) -> Instance:
    """Return the instance of one play (batch shape `()`), from its state."""
    return _instance(core, state)


def _instance(core: GemCore, numbers: Mapping[str, Any]) -> Instance:
    reach, workers, chances = (
        np.asarray(numbers[name]) for name in ("reach", "workers", "base_probabilities")
    )
    return Instance(reach, workers, chances, core.truncation, core.worker_bonus)


def draw(core: GemCore, chance: Chance) -> Arrays:
    """Draw the numbers behind an instance, uniform on [0, 1), and the order of the types."""
    places = (core.mines, core.gem_types)
    return {
        "reach": chance("reach").uniform((core.seats,)),
        "workers": chance("workers").uniform((core.seats,)),
        "richness": chance("richness").uniform(places),
        "types": as_order(chance("types").bits(places)),
    }


def from_chance(core: GemCore, chance: Arrays) -> Arrays:
    """Return the instance as named arrays, given the result of `draw`."""
    return {
        "reach": _whole(chance["reach"], core.min_connectivity, core.max_connectivity),
        "workers": _whole(chance["workers"], core.min_workers, core.max_workers),
        "base_probabilities": _probabilities(core, chance["richness"], chance["types"]),
    }


def _whole(uniform: Array, low: int, high: int) -> Array:
    """Return whole numbers from low to high, all equally likely."""
    return low + (uniform * (high - low + 1)).astype(np.int64)


def _probabilities(core: GemCore, uniform: Array, order: Array) -> Array:
    """Return chances between the minimum and the maximum.

    If correlated, the types at a mine share a total. Each type in turn takes a uniform share of the
    remainder beyond the minimum. Then the types are shuffled, so no type is plentiful at every
    mine.
    """
    low, high = core.min_probability, core.max_probability
    if not core.correlated:
        return low + uniform * (high - low)
    left = max(high - core.gem_types * low, 0.0)
    before = np.cumprod(1.0 - uniform, axis=-1)
    before = np.concatenate([np.ones_like(uniform[..., :1]), before[..., :-1]], axis=-1)
    return low + left * np.take_along_axis(uniform * before, order, axis=-1)
