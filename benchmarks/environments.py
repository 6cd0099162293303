"""Speed of one learning seat among policies, in one Gymnasium environment and in many at once.

    python -m benchmarks.environments [game ...]

A step is a decision by the learner, which always takes the same action. Rates are per CPU second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np

from benchmarks.rates import compare
from mixed_company import engine
from mixed_company.adapters.registered import environment_id

SECONDS = 1.0
MANY = (64, 1024)


def rate(step: Callable[[Any], Any], action: Any, count: int) -> float:
    """Return decisions per CPU second."""
    steps, start = 0, time.process_time()
    while (seconds := time.process_time() - start) < SECONDS:
        step(action)
        steps += count
    return steps / seconds


def one(game_id: str) -> Callable[[], float]:
    """Return a function that measures a single environment."""
    env = gymnasium.make(environment_id(game_id), archetype="lab")
    env.reset(seed=1)

    def step(action: Any) -> None:
        if env.step(action)[2]:
            env.reset()

    return partial(rate, step, env.action_space.sample(), 1)


def many(game_id: str, count: int) -> Callable[[], float]:
    """Return a function that measures many environments at once."""
    envs = gymnasium.make_vec(environment_id(game_id), num_envs=count, archetype="lab")
    envs.reset(seed=1)
    return partial(rate, envs.step, np.array(envs.action_space.sample()), count)


for name in sys.argv[1:] or engine.game_ids():
    print(name)
    rows = {"one environment": one(name)}
    compare(rows | {f"{count} at once": many(name, count) for count in MANY}, "one")
