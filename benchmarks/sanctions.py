"""Speed of a sanctions step, compared with the published implementation.

    python -m benchmarks.sanctions

Two speeds are measured alternately in one run; figures are medians of five rounds. Actions are
random, and all six seats act in every step.

* GraduatedSanction-v0 of `coopetition_gym` from PyPI, one play at a time;
* the engine: `source` archetype, observations included, one play and batches of plays.

coopetition_gym is installed in a separate environment (`benchmarks/.coopetition`). If it cannot be
installed, its published speed on one core of a two-core machine is used instead. The table says so,
because the ratios then compare two machines.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from benchmarks.rates import compare
from mixed_company import engine

BATCHES = (64, 256, 1024, 4096)
PERIODS = 200
PUBLISHED = 1235.0  # steps per second
HOME = Path(__file__).parent / ".coopetition"
PUBLISHED_GAME = """
import time, warnings
warnings.filterwarnings("ignore")
import numpy as np
import coopetition_gym
env = coopetition_gym.make("GraduatedSanction-v0")
actions = np.random.default_rng(0).uniform(0, 100, (200, 6)).astype(np.float32)
for plays in (1, 10):
    started = time.perf_counter()
    for _ in range(plays):
        env.reset(seed=0)
        for action in actions:
            env.step(action)
print(plays * len(actions) / (time.perf_counter() - started))
"""


def installed() -> bool:
    """Return whether the published game is installed or could be installed."""
    python = HOME / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        fetch = [str(python), "-m", "pip", "install", "-q", "coopetition-gym"]
        subprocess.run(fetch, check=False, capture_output=True)
    process = subprocess.run(
        [str(python), "-c", "import coopetition_gym"], check=False, capture_output=True
    )
    return process.returncode == 0


def theirs() -> float:
    """Return the steps per second of the published game."""
    run = [str(HOME / "bin/python"), "-c", PUBLISHED_GAME]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def ours(batch: tuple[int, ...]) -> float:
    """Return the engine's steps per second over all plays. Steps include observations."""
    game = engine.make("sanctions", archetype="source")
    seeds = np.arange(batch[0]) if batch else 0
    actions = np.random.default_rng(0).uniform(0, 100, (20, *batch, game.seats))
    plays = 1 if batch else 10
    started = time.perf_counter()
    for _ in range(plays):
        state, _ = game.reset(seeds)
        for period in range(PERIODS):
            sent = {"contribution": actions[period % len(actions)]}
            state, _ = game.step(state, sent, game.draw_chance(seeds, period))
    count = plays * PERIODS * (batch[0] if batch else 1)
    return count / (time.perf_counter() - started)


def main() -> None:
    is_installed = installed()
    name = "coopetition_gym" if is_installed else "coopetition_gym (published)"
    rows: dict[str, Callable[[], float]] = {name: theirs if is_installed else lambda: PUBLISHED}
    rows["source, one play"] = lambda: ours(())
    rows |= {f"source, {size} plays": partial(ours, (size,)) for size in BATCHES}
    compare(rows, "theirs")


if __name__ == "__main__":
    main()
