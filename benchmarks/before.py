"""Speed of tournaments, in plays per second, compared with an older version of the project.

    git archive c217bb7 | tar x -C /tmp/older
    python -m benchmarks.before /tmp/older lab [limit [game ...]]

The first argument is the older version's folder, and the second is its name for the archetype now
called `lab_0_7`. All games are measured unless some are named. In one process, six of a game's
scripted policies play: each is the focal policy once, and once the field for the next policy.
Batches are as large as that version makes them in tournaments, but no larger than `limit`. The two
versions alternate, each in a process that runs this file. Seconds are CPU time; rates and ratios
are medians over rounds.
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
"""Six scripted policies per game."""


def part(name: str, before: str) -> Any:
    """Import a module from the version on the path. Older versions did not have this package."""
    return import_module(f"mixed_company.{name}" if find_spec("mixed_company") else before)


def rate(game_id: str, archetype: str, limit: int) -> float:
    """Return the plays per CPU second of the version on the path."""
    engine = part("engine", "engine")
    play = part("learning.tournament.batch", "bots.tournament.batch").play
    mixing = part("learning.tournament.batch", "bots.tournament.mixes")
    work = part("learning.tournament.batch", "bots.tournament.work")

    game = engine.make(game_id, archetype=archetype)
    plays: int = min(limit, work.MOST_PLAYS)
    six = POLICIES[game_id].split(",")
    mixes = [mixing.Mix(*pair) for pair in zip(six, [*six[1:], six[0]], strict=True)]
    for mix in mixes:  # fill the solution caches
        play(game, mix, 0, 0, 1)
    started = time.process_time()
    for mix in mixes:
        play(game, mix, 0, 0, plays)
    return plays * len(mixes) / (time.process_time() - started)


def rate_of(folder: Path, file: str, arguments: Sequence[str]) -> float:
    """Run a benchmark of one version in a new process, and return its rate."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, file, *arguments]
    run = subprocess.run(command, cwd=folder, env=environment, check=True, capture_output=True)
    return float(json.loads(run.stdout))


def in_turn(file: str, name: str, before: Sequence[str], now: Sequence[str]) -> None:
    """Print a row with both versions' median rates and the median of their ratios."""
    older, here = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parents[1]
    rounds = [(rate_of(older, file, before), rate_of(here, file, now)) for _ in range(ROUNDS)]
    first, second = (statistics.median(rates) for rates in zip(*rounds, strict=True))
    ratios = [after / earlier for earlier, after in rounds]
    shown = " ".join(f"{ratio:.1f}" for ratio in ratios)
    middle = statistics.median(ratios)
    print(f"{name:20s}{first:12,.0f}{second:12,.0f}{middle:8.1f}{shown:>24s}", flush=True)


def heading(unit: str) -> str:
    """Return the table's heading, which includes the load of the machine."""
    columns = f"{'':20s}{'before':>12s}{'now':>12s}{'ratio':>8s}{'ratios':>24s}"
    return f"load average {os.getloadavg()[0]:.1f}; {unit}\n{columns}"


def main() -> None:
    archetype = sys.argv[2]
    limit = sys.argv[3] if len(sys.argv) > 3 else str(MOST)
    print(heading("plays per second of CPU time"))
    for game_id in sys.argv[4:] or POLICIES:
        in_turn(__file__, game_id, (game_id, archetype, limit), (game_id, NOW, limit))
    print(f"load average {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    if sys.argv[1] in POLICIES:
        print(json.dumps(rate(sys.argv[1], sys.argv[2], int(sys.argv[3]))))
    else:
        main()
