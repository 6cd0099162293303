from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from bots.gem_mining.learning import Learned, Learner
from bots.gem_mining.reading import shown
from mixed_company.engine.contract.config import Core
from mixed_company.engine.contract.space import Array
from mixed_company.engine.games.gem_mining.core import GemCore
from mixed_company.engine.games.gem_mining.instance import Instance, given
from mixed_company.engine.solutions.gem_mining import MOST_STEPS, best_joint_choice, search_steps
from mixed_company.policies.policy import Seats


class JointOptimum(Learner):
    """Plays its part in the best joint choice if the instance is shown; otherwise learns alone."""

    id = "joint_optimum"
    source = "mixed_company.engine.solutions.gem_mining.best_joint_choice"
    told_the_solution = True

    def __init__(self, rules: Core, **parameters: float) -> None:
        super().__init__(rules, **parameters)
        instance = given(self.rules)
        self._choice = None if instance is None else _best(instance, self.rules)

    def pick(self, seats: Seats, memory: Learned) -> Array:
        alone = self.best(seats, memory, self.rules.weights)
        if self._choice is not None:
            return np.array(self._choice)[seats.seat] - seats.seat
        for row, (seat, choice) in enumerate(zip(seats.seat, self._solved(seats), strict=True)):
            if choice is not None:
                alone[row] = choice[seat] - seat
        return alone

    def _solved(self, seats: Seats) -> list[tuple[int, ...] | None]:
        """Return the best joint choices; None for instances that are hidden or shown with noise."""
        parts = [shown(seats, name) for name in ("reaches", "workforces", "base_probabilities")]
        visible = [part for part in parts if part is not None]
        if len(visible) < len(parts):
            return [None] * seats.count
        exact = np.logical_and.reduce([part.visible for part in visible])
        for counts in (np.where(exact[:, None], part.values, 0) for part in visible[:2]):
            exact &= (counts >= 1).all(axis=1) & (counts % 1 == 0).all(axis=1)
        texts = [[row.tobytes() for row in np.asarray(part.values, np.float64)] for part in visible]
        return [
            _remembered(self.rules, *columns) if whole else None
            for whole, *columns in zip(exact.tolist(), *texts, strict=True)
        ]


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
    """Return the best joint choice; None if the search would take too long."""
    if search_steps(instance) > MOST_STEPS:
        return None
    return tuple(best_joint_choice(instance, rules.weights or ()).choice.tolist())
