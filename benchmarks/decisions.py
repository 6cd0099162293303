"""Time that each game's policies take to decide in `lab_0_7`.

    python -m benchmarks.decisions

CPU time of `policies.ask`, in microseconds: the 10th percentile and the median of 2000 decisions by
one seat in the first period. Trained policies are listed by name, scripted ones as a range.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from mixed_company import engine, policies
from mixed_company.engine.contract.chance import generator
from mixed_company.policies.trained import Trained

DECISIONS = 2000
Spent = tuple[float, float]


def spent(name: str, game: engine.Game[Any]) -> Spent:
    """Return the 10th percentile and the median of the decision times, in microseconds."""
    policy, play = policies.make(name, game), engine.Episode(game, 1)
    allowed, seen, rng = play.allowed(0), play.observation(0), generator(1, "benchmark", 0)
    memory, times = policy.start(), []
    for _ in range(DECISIONS):
        began = time.thread_time_ns()
        policies.ask(policy, allowed, seen, memory, rng)
        times.append((time.thread_time_ns() - began) / 1000)
    return float(np.percentile(times, 10)), float(np.median(times))


def main() -> None:
    print(f"{'':34}fastest tenth   median")
    for game_id in engine.game_ids():
        game = engine.make(game_id, archetype=engine.find(game_id).reference)
        times = {name: spent(name, game) for name in policies.ids(game_id)}
        learned = [name for name in times if issubclass(policies.find(name, game_id), Trained)]
        for name in learned:
            print(f"{game_id:16}  {name:16}{times[name][0]:13.0f}{times[name][1]:9.0f}")
        rest = [times[name] for name in times if name not in learned]
        for number, which in enumerate(("fastest tenth", "median")):
            low, high = min(pair[number] for pair in rest), max(pair[number] for pair in rest)
            print(f"{game_id:16}  scripted, {which}: {low:.0f} to {high:.0f}")


if __name__ == "__main__":
    main()
