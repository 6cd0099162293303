from __future__ import annotations

import numpy as np

from bots.policy import Action, Memory, Observation, Policy
from bots.scripted.gem_mining.reading import (
    going_to,
    in_reach,
    largest,
    others_in_reach,
    own_workers,
    shown,
    shown_chances,
    worth,
)


class BestResponse(Policy):
    """Goes where its workers add most, as if the others went where they were last period.

    Chances that are not shown are estimated from the gems found at the mines in reach, those of
    one worker, starting from the middle of what is possible as if seen once.
    """

    id = "best_response"
    games = ("gem_mining",)
    source = "Cournot (1838), Researches into the Mathematical Principles of the Theory of Wealth"

    def start(self) -> Memory:
        mines, types = self.rules.max_connectivity, self.rules.gem_types
        middle = (self.rules.min_probability + self.rules.max_probability) / 2
        return {"effort": [1.0] * mines, "found": [[middle] * types for _ in range(mines)]}

    def act(
        self, observation: Observation, memory: Memory, rng: np.random.Generator
    ) -> tuple[Action, Memory]:
        memory = self._learned(observation, memory)
        reach = in_reach(observation)[1]
        own = own_workers(observation, self.rules)
        others = others_in_reach(observation, self.rules) or [0] * reach
        chances = shown_chances(observation) or [
            [gem / effort for gem in gems]
            for effort, gems in zip(memory["effort"], memory["found"], strict=True)
        ]
        gains = [
            worth(self.rules, row, count + own) - worth(self.rules, row, count)
            for row, count in zip(chances[:reach], others, strict=True)
        ]
        return going_to(observation, largest(gains)), memory

    def _learned(self, observation: Observation, memory: Memory) -> Memory:
        """The notes with the gems at all mines in reach last period, by the effort they took."""
        gems_found, there = shown(observation, "found"), shown(observation, "workers_at")
        if gems_found is None or there is None or int(observation["period"]) == 0:
            return memory
        first, reach = in_reach(observation)
        effort, gems = list(memory["effort"]), [list(row) for row in memory["found"]]
        for offset in range(reach):
            workers = int(there[first + offset])
            if workers:
                effort[offset] += self.rules.worker_bonus ** (workers - 1)
                new = gems_found[first + offset].tolist()
                gems[offset] = [a + b for a, b in zip(gems[offset], new, strict=True)]
        return {"effort": effort, "found": gems}
