"""Speed of a commons step, compared with a published fishery and with plain numpy.

    python -m benchmarks.commons

Three speeds are measured alternately in one run; figures are medians of five rounds:

* `gym_fishing` 0.1.0 from PyPI: one seat, logistic stock, plain Python, one play at a time;
* the engine: four seats, observations included, one play and batches of plays;
* an upper limit: a handwritten numpy loop for exactly these rules, without validation or
  observations.

gym_fishing depends on gym and matplotlib, which nothing else here needs, so it is installed in a
separate environment (`benchmarks/.gym`).
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

BATCHES = (64, 256, 1024, 4096, 16384)
HOME = Path(__file__).parent / ".gym"
FISHING = """
import time, warnings
warnings.filterwarnings("ignore")
import numpy as np
from gym_fishing.envs.fishing_cts_env import FishingCtsEnv
env = FishingCtsEnv(Tmax=10**9)
env.reset()
action = np.array([-0.99], dtype=np.float32)
for count in (2000, 50000):
    started = time.perf_counter()
    for _ in range(count):
        env.step(action)
print(count / (time.perf_counter() - started))
"""


def fishing() -> float:
    """Return the steps per second of gym_fishing."""
    python = HOME / "bin/python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
        install = ["-m", "pip", "install", "-q", "gym-fishing==0.1.0"]
        subprocess.run([str(python), *install], check=True)
    process = subprocess.run(
        [str(python), "-c", FISHING], check=True, capture_output=True, text=True
    )
    return float(process.stdout)


def ours(archetype: str, batch: tuple[int, ...]) -> float:
    """Return the engine's steps per second over all plays. Steps include observations."""
    game = engine.make(
        "commons_game", archetype=archetype, periods=10_000, collapse_stock=0.0, max_harvest=1.0
    )
    seeds = np.arange(batch[0]) if batch else 0
    state, _ = game.reset(seeds)
    actions = {
        "harvest": np.full((*batch, game.seats), 0.9),
        "contribution": np.full((*batch, game.seats), 0.1),
    }
    steps = max(20, 400_000 // batch[0]) if batch else 3000
    started = time.perf_counter()
    for period in range(steps):
        state, _outcome = game.step(state, actions, game.draw_chance(seeds, period))
    return steps * (batch[0] if batch else 1) / (time.perf_counter() - started)


def fused(batch: int) -> float:
    """Return the steps per second of the handwritten loop, on a batch in preallocated arrays."""
    stock, wealth = np.full(batch, 100.0), np.zeros((batch, 4))
    request = np.full((batch, 4), 0.9)
    total, share, grown = np.empty(batch), np.empty(batch), np.empty(batch)
    taken = np.empty((batch, 4))
    steps = max(20, 400_000 // batch)
    started = time.perf_counter()
    for _ in range(steps):
        np.add.reduce(request, axis=-1, out=total)
        np.maximum(total, stock, out=share)
        np.divide(stock, share, out=share)
        np.multiply(request, share[:, None], out=taken)
        wealth += taken
        np.multiply(stock, -0.4 / 100.0, out=grown)
        grown += 1.4
        grown *= stock
        np.minimum(total, stock, out=total)
        grown -= total
        np.minimum(grown, 100.0, out=stock)
        np.maximum(stock, 0.0, out=stock)
    return steps * batch / (time.perf_counter() - started)


def main() -> None:
    rows: dict[str, Callable[[], float]] = {"gym_fishing, one seat": fishing}
    for archetype in ("lab_0_7", "governed", "local_view", "noisy_stock"):
        rows[f"{archetype}, one play"] = partial(ours, archetype, ())
        for batch in BATCHES:
            rows[f"{archetype}, {batch} plays"] = partial(ours, archetype, (batch,))
    for batch in BATCHES:
        rows[f"by hand, {batch} plays"] = partial(fused, batch)
    compare(rows, "gym_fishing")


if __name__ == "__main__":
    main()
