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
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROUNDS = 3
NOW = "lab_0_7"
MOST = 4096
POLICIES: dict[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text("utf-8"))
"""Six scripted policies of each game."""


def part(name: str, before: str) -> Any:
    """A module of the tree that is on the path: older trees had no package of this name."""
    return import_module(f"mixed_company.{name}" if find_spec("mixed_company") else before)


def rate(game_id: str, archetype: str, most: int) -> float:
    """Plays per second of the processor, by the tree that is on the path."""
    engine = part("engine", "engine")
    play = part("learning.tournament.batch", "bots.tournament.batch").play
    mixing = part("learning.tournament.batch", "bots.tournament.mixes")
    work = part("learning.tournament.batch", "bots.tournament.work")

    game = engine.make(game_id, archetype=archetype)
    plays: int = min(most, work.MOST_PLAYS)
    six = POLICIES[game_id].split(",")
    mixes = [mixing.Mix(*pair) for pair in zip(six, [*six[1:], six[0]], strict=True)]
    for mix in mixes:  # what is solved once is solved before
        play(game, mix, 0, 0, 1)
    started = time.process_time()
    for mix in mixes:
        play(game, mix, 0, 0, plays)
    return plays * len(mixes) / (time.process_time() - started)


def rate_of(folder: Path, file: str, arguments: Sequence[str]) -> float:
    """What a benchmark measures, by a tree in a process of its own."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    own = [sys.executable, file, *arguments]
    run = subprocess.run(own, cwd=folder, env=environment, check=True, capture_output=True)
    return float(json.loads(run.stdout))


def in_turn(file: str, name: str, before: Sequence[str], now: Sequence[str]) -> None:
    """Print a row: medians of rounds of the older tree and this one, and of their ratios."""
    older, here = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parents[1]
    rounds = [(rate_of(older, file, before), rate_of(here, file, now)) for _ in range(ROUNDS)]
    first, second = (statistics.median(rates) for rates in zip(*rounds, strict=True))
    ratios = [after / earlier for earlier, after in rounds]
    shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
    middle = statistics.median(ratios)
    print(f"{name:20s}{first:12,.0f}{second:12,.0f}{middle:8.1f}{shown:>24s}", flush=True)


def heading(unit: str) -> str:
    """What is above the rows, with the load of the machine."""
    columns = f"{'':20s}{'before':>12s}{'now':>12s}{'ratio':>8s}{'ratios':>24s}"
    return f"load average {os.getloadavg()[0]:.1f}; {unit}\n{columns}"


def main() -> None:
    archetype = sys.argv[2]
    most = sys.argv[3] if len(sys.argv) > 3 else str(MOST)
    print(heading("plays per second of the processor"))
    for game_id in sys.argv[4:] or POLICIES:
        in_turn(__file__, game_id, (game_id, archetype, most), (game_id, NOW, most))
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1] in POLICIES:
        print(json.dumps(rate(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
