"""Speed of the two-seat commons and of JaxMARL's coin game, on one processor.

    python -m benchmarks.jaxmarl [PYTHON]

PYTHON is the interpreter of an environment with jaxmarl 0.2.0 from PyPI; if it is omitted, an
environment is created in `benchmarks/.jaxmarl`. Of JaxMARL's environments, the coin game is the
most similar to the commons: it has two players and a social dilemma. Its steps differ: players move
on a grid of 3 x 3 cells, everyone sees the whole grid, and an action is one of five moves. In the
commons, players choose amounts, and there is a stock of fish.

A step advances one play, with random actions and observations; a finished play is replaced by a new
one. JAX compiles many steps into one call; all other environments are stepped from Python, one step
at a time. Rates are per CPU second on one processor, as medians of three alternating rounds,
excluding compile time.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.rates import compare
from mixed_company import engine
from mixed_company.adapters.gymnasium_vector import SeatsVector
from mixed_company.adapters.pettingzoo import Together

ROUNDS, SECONDS = 3, 2.0
PLAYS = (1, 64, 1024, 16384)
SETTINGS: dict[str, Any] = {"archetype": "lab", "seats": 2}
HOME = Path(__file__).parent / ".jaxmarl"
COINS = """
import sys, time
import jax, jaxmarl
plays, seconds = int(sys.argv[1]), float(sys.argv[2])
env = jaxmarl.make("coin_game")

def step(carry, _):
    key, state = carry
    key, *keys = jax.random.split(key, 2 + len(env.agents))
    actions = {
        agent: jax.random.randint(part, (plays,), 0, env.action_space(agent).n)
        for agent, part in zip(env.agents, keys)
    }
    seen, state, rewards, *_ = jax.vmap(env.step)(jax.random.split(keys[-1], plays), state, actions)
    return (key, state), (seen, rewards)

count = max(20, 200_000 // plays)
def total(carry, _):
    carry, (seen, rewards) = step(carry, _)
    return carry, sum(part.sum() for part in (*seen.values(), *rewards.values()))

run = jax.jit(lambda carry: jax.lax.scan(total, carry, None, count))
_, state = jax.vmap(env.reset)(jax.random.split(jax.random.PRNGKey(0), plays))
carry, used = jax.block_until_ready(run((jax.random.PRNGKey(1), state)))
steps, started = 0, time.process_time()
while (spent := time.process_time() - started) < seconds:
    carry, used = jax.block_until_ready(run(carry))
    steps += count * plays
print(steps / spent)
"""


def coins(python: str, plays: int) -> float:
    """Return the steps per second of the coin game."""
    arguments = [python, "-c", COINS, str(plays), str(SECONDS)]
    done = subprocess.run(arguments, check=True, capture_output=True, text=True)
    return float(done.stdout.split()[-1])


def single() -> float:
    """Return the steps per second of a PettingZoo environment."""
    env = Together(engine.make("commons_game", **SETTINGS))
    spaces = {agent: env.action_space(agent) for agent in env.possible_agents}
    env.reset(seed=1)

    def step() -> None:
        env.step({agent: space.sample() for agent, space in spaces.items()})
        if not env.agents:
            env.reset()

    return _rate(step, 1)


def together(plays: int) -> float:
    """Return the steps per second of an array-based environment."""
    envs = SeatsVector(engine.make("commons_game", **SETTINGS), plays)
    envs.reset(seed=1)
    rng, shape = np.random.default_rng(0), envs.action_space.shape
    assert shape is not None
    return _rate(lambda: envs.step(rng.uniform(-1.0, 1.0, shape)), plays)


def _rate(step: Callable[[], object], count: int) -> float:
    steps, started = 0, time.process_time()
    while (spent := time.process_time() - started) < SECONDS:
        step()
        steps += count
    return steps / spent


def interpreter() -> str:
    """Return the path of an interpreter with JaxMARL installed."""
    if len(sys.argv) > 1:
        return sys.argv[1]
    python = HOME / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "jaxmarl==0.2.0"], check=True)
    return str(python)


def main() -> None:
    python = interpreter()
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    rows: dict[str, Callable[[], float]] = {}
    for plays in PLAYS:
        rows[f"coin game, {plays:,} at once"] = partial(coins, python, plays)
    rows["commons, PettingZoo"] = single
    for plays in PLAYS[1:]:
        rows[f"commons, {plays:,} at once"] = partial(together, plays)
    compare(rows, "one coin game", ROUNDS)


if __name__ == "__main__":
    main()
