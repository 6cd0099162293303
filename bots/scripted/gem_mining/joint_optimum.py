from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bots.policy import Memory, Observation
from bots.scripted.gem_mining.learning import Learner
from bots.scripted.gem_mining.reading import shown
from engine.contract.config import Core
from engine.games.gem_mining.core import GemCore
from engine.games.gem_mining.instance import Instance, given
from engine.solutions.gem_mining import MOST_STEPS, best_joint_choice, search_steps


class JointOptimum(Learner):
    """Does its part of the best joint choice where the instance is known, else learns alone."""

    id = "joint_optimum"
    source = "engine.solutions.gem_mining.best_joint_choice"
    told_the_solution = True

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        instance = given(self.rules)
        self._choice = None if instance is None else _best(instance, self.rules)

    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        choice = self._choice or _solved(observation, self.rules)
        if choice is None:
            return self.best(observation, memory, self.rules.weights)
        seat = int(observation["seat"])
        return choice[seat] - seat


def _solved(observation: Observation, rules: GemCore) -> tuple[int, ...] | None:
    """The best joint choice, None if the instance is not shown, or only with noise."""
    parts = [shown(observation, name) for name in ("reaches", "workforces", "base_probabilities")]
    known = [part for part in parts if part is not None]
    counts = known[:2]
    if len(known) < len(parts) or any((part < 1).any() or (part % 1).any() for part in counts):
        return None
    return _remembered(rules, *(part.tobytes() for part in known))


@lru_cache(maxsize=64)
def _remembered(rules: Any, reach: bytes, workers: bytes, base: bytes) -> tuple[int, ...] | None:
    shown_as = (np.frombuffer(reach), np.frombuffer(workers), np.frombuffer(base))
    instance = Instance(
        shown_as[0].astype(np.int64),
        shown_as[1].astype(np.int64),
        shown_as[2].reshape(rules.mines, rules.gem_types),
        rules.truncation,
        rules.worker_bonus,
    )
    return _best(instance, rules)


def _best(instance: Instance, rules: GemCore) -> tuple[int, ...] | None:
    """None if the search would be too long."""
    if search_steps(instance) > MOST_STEPS:
        return None
    return tuple(best_joint_choice(instance, rules.weights or ()).choice.tolist())
