"""A learner's speed among scripted policies, in steps per second, compared with an older version.

    git archive c217bb7 | tar x -C /tmp/older
    python -m benchmarks.learners /tmp/older lab [game ...]

The arguments are the same as for `benchmarks.before`. One seat is the learner; the others have
three scripted policies. The learner acts at random and is not trained, so this measures only the
environment (`adapters.batch`), with as many parallel plays as `mixed train` uses. A step is a
decision by the learner. The two versions alternate after whole plays, each in a new process.
Seconds are CPU time; rates and ratios are medians over rounds.
"""

from __future__ import annotations

import json
import os
import sys
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

NOW = "lab_0_7"
PLAYS = 512
LEAST = 2.0  # seconds of CPU time
OTHERS: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""Three policies per game, for the other seats."""


def part(name: str) -> Any:
    """Import a module from the version on the path. In older versions, modules were not in a
    package."""
    return import_module(f"mixed_company.{name}" if find_spec("mixed_company") else name)


def rate(game_id: str, archetype: str) -> float:
    """Return the learner's steps per CPU second in the version on the path."""
    import numpy as np

    game = part("engine").make(game_id, archetype=archetype)
    batch = part("adapters.batch").Batch(game, PLAYS, seed=0, seats=[0], others=OTHERS[game_id])
    rng, acts = np.random.default_rng(0), batch.acts
    drawn = [
        rng.integers(acts.sizes, size=(PLAYS, len(acts.sizes)))
        if acts.choices
        else rng.uniform(-1.0, 1.0, (PLAYS, *acts.shape))
        for _ in range(16)
    ]
    actions = [numbers.reshape(PLAYS, *acts.shape) for numbers in drawn]
    batch.reset()
    batch.step(actions[0])
    plays, started = 0, time.process_time()
    while time.process_time() - started < LEAST:
        for period in range(game.horizon):
            batch.step(actions[period % len(actions)])
        plays += PLAYS
    return float(plays * game.horizon / (time.process_time() - started))


def main() -> None:
    from benchmarks.before import heading, in_turn

    print(heading("steps of the learner per second of CPU time"))
    for game_id in sys.argv[3:] or OTHERS:
        in_turn(__file__, game_id, (game_id, sys.argv[2]), (game_id, NOW))
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1] in OTHERS:
        print(json.dumps(rate(sys.argv[1], sys.argv[2])))
    else:
        main()
