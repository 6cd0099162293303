"""Speed of a gem mining step, compared with the published implementation.

    python -m benchmarks.gem_mining

It measures three things in one run. The first two are medians of five alternating rounds. In each
step, all twenty villages choose a random mine within reach.

* MOGemMining of `momaland` from PyPI, one play at a time, on one randomly drawn instance;
* the engine: `source` archetype with many periods, observations included, one play and batches;
* the time taken by the exact solutions.

momaland is installed in a separate environment (`benchmarks/.momaland`) with numpy 1, because it
fails on numpy 2.4. If it cannot be installed, its published speed on one core of a two-core machine
is used instead. The table says so, because the ratios then compare two machines.
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
from mixed_company.engine.games.gem_mining import of_state
from mixed_company.engine.kit import actions_for
from mixed_company.engine.solutions.gem_mining import best_joint_choice, pareto_set

BATCHES = (64, 256, 512, 1024, 4096)
PERIODS = 200
PUBLISHED = 9202.0  # steps per second
HOME = Path(__file__).parent / ".momaland"
PUBLISHED_GAME = """
import time, warnings
warnings.filterwarnings("ignore")
from momaland.envs.gem_mining import gem_mining
env = gem_mining.parallel_env()
env.reset(seed=0)
choices = [
    {name: int(env.action_space(name).sample()) for name in env.possible_agents} for _ in range(20)
]
for steps in (100, 2000):
    started = time.perf_counter()
    for step in range(steps):
        env.reset()
        env.step(choices[step % 20])
print(steps / (time.perf_counter() - started))
"""


def installed() -> bool:
    """Return whether the published game is installed or could be installed."""
    python = HOME / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        fetch = [str(python), "-m", "pip", "install", "-q", "momaland", "numpy<2"]
        subprocess.run(fetch, check=False, capture_output=True)
    process = subprocess.run(
        [str(python), "-c", "import momaland"], check=False, capture_output=True
    )
    return process.returncode == 0


def theirs() -> float:
    """Return the steps per second of the published game."""
    run = [str(HOME / "bin/python"), "-c", PUBLISHED_GAME]
    return float(subprocess.run(run, check=True, capture_output=True, text=True).stdout)


def ours(batch: tuple[int, ...]) -> float:
    """Return the engine's steps per second over all plays. Steps include observations."""
    game = engine.make("gem_mining", archetype="source", periods=PERIODS)
    seeds = np.arange(batch[0]) if batch else 0
    first, _ = game.reset(seeds)
    choices = [actions_for(game, first, 0, period) for period in range(20)]
    plays = 1 if batch else 10
    started = time.perf_counter()
    for _ in range(plays):
        state, _ = game.reset(seeds)
        for period in range(PERIODS):
            chance = game.draw_chance(seeds, period)
            state, _ = game.step(state, choices[period % len(choices)], chance)
    count = plays * PERIODS * (batch[0] if batch else 1)
    return count / (time.perf_counter() - started)


def solutions() -> None:
    """Print how long the exact searches take by number of villages, all with connectivity 4."""
    print(f"\n{'villages':28s}{'best choice, ms':>16s}{'Pareto set, ms':>16s}{'vectors':>10s}")
    for villages in (20, 50, 100, 200):
        game = engine.make("gem_mining", seats=villages, min_connectivity=4)
        instance = of_state(game.core, game.reset(1)[0])
        started = time.perf_counter()
        best_joint_choice(instance, game.core.weights)
        between = time.perf_counter()
        vectors = pareto_set(instance)
        done = time.perf_counter()
        best, front = (between - started) * 1e3, (done - between) * 1e3
        print(f"{villages:<28d}{best:16.1f}{front:16.1f}{len(vectors):10d}")


def main() -> None:
    is_installed = installed()
    name = "momaland" if is_installed else "momaland (published)"
    rows: dict[str, Callable[[], float]] = {name: theirs if is_installed else lambda: PUBLISHED}
    rows["source, one play"] = lambda: ours(())
    rows |= {f"source, {size} plays": partial(ours, (size,)) for size in BATCHES}
    compare(rows, "theirs")
    solutions()


if __name__ == "__main__":
    main()
