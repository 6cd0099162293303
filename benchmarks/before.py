"""How many times as many plays does a tournament do per second as in an older tree of the project?

    git archive c217bb7 | tar x -C /tmp/older
    python -m benchmarks.before /tmp/older lab [most [game ...]]

The first argument is the folder of the older tree, the second what it calls the archetype that is
now `lab_0_7`; of all games, unless some are named. Six scripted policies of a game, each once as
the one and once as the field of the next, by one process, in batches of the size that a tournament
of its tree takes (but not more than `most`). Both trees in turn; seconds are those of the
processor; medians of rounds, and of their ratios. Each tree is asked in a process of its own, by
this file.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROUNDS = 3
NOW = "lab_0_7"
MOST = 1024
POLICIES: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""Six scripted policies of each game."""


def rate(game_id: str, archetype: str, most: int) -> float:
    """Plays per second of the processor, by the tree that is on the path."""
    import engine
    from bots.tournament.batch import play
    from bots.tournament.mixes import Mix
    from bots.tournament.work import MOST_PLAYS

    game, plays = engine.make(game_id, archetype=archetype), min(most, MOST_PLAYS)
    six = POLICIES[game_id].split(",")
    mixes = [Mix(*pair) for pair in zip(six, [*six[1:], six[0]], strict=True)]
    for mix in mixes:  # what is solved once is solved before
        play(game, mix, 0, 0, 1)
    started = time.process_time()
    for mix in mixes:
        play(game, mix, 0, 0, plays)
    return plays * len(mixes) / (time.process_time() - started)


def rate_of(folder: Path, game_id: str, archetype: str, most: int) -> float:
    """The same, by a tree in a process of its own."""
    own = [sys.executable, __file__, game_id, archetype, str(most)]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    run = subprocess.run(own, cwd=folder, env=environment, check=True, capture_output=True)
    return float(json.loads(run.stdout))


def main() -> None:
    older, archetype = Path(sys.argv[1]).resolve(), sys.argv[2]
    most = int(sys.argv[3]) if len(sys.argv) > 3 else MOST
    here = Path(__file__).resolve().parents[1]
    print(f"load average {os.getloadavg()[0]:.1f}; plays per second of the processor")
    print(f"{'':20s}{'before':>12s}{'now':>12s}{'ratio':>8s}{'ratios':>24s}")
    for game_id in sys.argv[4:] or POLICIES:
        rounds = [
            (rate_of(older, game_id, archetype, most), rate_of(here, game_id, NOW, most))
            for _ in range(ROUNDS)
        ]
        before, now = (statistics.median(rates) for rates in zip(*rounds, strict=True))
        ratios = [after / first for first, after in rounds]
        shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
        middle = statistics.median(ratios)
        print(f"{game_id:20s}{before:12,.0f}{now:12,.0f}{middle:8.1f}{shown:>24s}", flush=True)
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1] in POLICIES:
        print(json.dumps(rate(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
