"""What the villages that learn from their own yields have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.gem_mining.reading import (
    going_to,
    in_reach,
    largest,
    own_workers,
    shown,
    shown_chances,
    worth,
)

__all__ = ["Learner"]


class Learner(Policy):
    """Counts its visits to each mine in reach, and the gems of each type it found there."""

    games = ("gem_mining",)

    def start(self) -> Memory:
        mines, types = self.rules.max_connectivity, self.rules.gem_types
        return {"visits": [0] * mines, "found": [[0] * types for _ in range(mines)]}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        memory = self.learned(observation, memory)
        return going_to(observation, self.pick(observation, memory, rng)), memory

    @abstractmethod
    def pick(self, observation: Observation, memory: Memory, rng: np.random.Generator) -> int:
        """Which of the mines in reach, the first being 0."""

    def learned(self, observation: Observation, memory: Memory) -> Memory:
        """The notes with what was found at the own mine last period, if that is shown.

        A reading with noise counts as the nearest of a gem and none.
        """
        own_gems = shown(observation, "own_found")
        if own_gems is None:
            return memory
        first, reach = in_reach(observation)
        own = int(observation["own_mine"]) - first
        if not 0 <= own < reach:  # nobody was anywhere yet, or it is shown late
            return memory
        visits, gems = list(memory["visits"]), [list(row) for row in memory["found"]]
        visits[own] += 1
        gems[own] = [known + int(new > 0.5) for known, new in zip(gems[own], own_gems, strict=True)]
        return {"visits": visits, "found": gems}

    def best(self, observation: Observation, memory: Memory, weights: Sequence[float]) -> int:
        """The mine that is best for the village alone: by its chances if they are shown, else by
        the average yield so far, of which a mine never visited is tried first."""
        chances = shown_chances(observation)
        if chances is not None:
            workers = own_workers(observation, self.rules)
            return largest([worth(self.rules, row, workers, weights) for row in chances])
        averages = []
        for visits, gems in zip(memory["visits"], memory["found"], strict=True):
            points = sum(weight * gem for weight, gem in zip(weights, gems, strict=True))
            averages.append(points / visits if visits else float("inf"))
        return largest(averages[: in_reach(observation)[1]])
