"""Village for one policy in gem mining. Tests set its observation and read its choice.

There are four villages and C = 4, so there are seven mines. The village is number 1 and reaches
mines 1, 2 and 3.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.policies import make

REACH, OWN = 3, 1


class Village:
    """Village that keeps a policy's notes from one period to the next."""

    def __init__(self, spec: str, workers: int = 2, seed: int = 0, **core: Any) -> None:
        self.game = engine.make("gem_mining", **{"archetype": "lab_0_7", **core})
        self.policy = make(spec, self.game)
        self.workers, self.period, self.went = workers, 0, -1
        self.memory = self.policy.start()
        self.rng = np.random.default_rng(seed)

    def goes(self, **shown: Any) -> int:
        """Return the chosen mine. `shown` holds last period's own_found, found and workers_at."""
        observation = {
            "period": np.array(self.period),
            "seat": np.array(OWN),
            "ended": np.array(False),
            "nothing": np.array(0),
            "reach": np.array(REACH),
            "workers": np.array(float(self.workers)),
            "own_mine": np.array(self.went),
            **{name: np.array(value, dtype=float) for name, value in shown.items()},
        }
        action, self.memory = self.policy.act(observation, self.memory, self.rng)
        assert set(action) == {"mine"}
        self.period, self.went = self.period + 1, int(action["mine"])
        assert OWN <= self.went < OWN + REACH
        return self.went


def played(spec: str, seed: int = 0, **core: Any) -> engine.Episode:
    """Return a finished play in which all villages follow one policy."""
    game = engine.make("gem_mining", **{"archetype": "lab_0_7", **core})
    episode = engine.Episode(game, seed)
    policies = [make(spec, game) for _ in range(game.seats)]
    memories = [policy.start() for policy in policies]
    rng = np.random.default_rng(seed)
    while not episode.done:
        chosen = []
        for seat, policy in enumerate(policies):
            action, memories[seat] = policy.act(episode.observation(seat), memories[seat], rng)
            chosen.append(action["mine"])
        episode.step({"mine": chosen})
    return episode
