"""Writes analysis/sample/<game>.zip: sessions rehearsed on a real server, two treatments per game.

python -m docs.samples

Each is what its game declares in `analysis.games`. Policies sit in people's places, and
every file says so. Times and codes are those of this run; all else follows from the seed.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import analysis
from analysis import games
from analysis.games import Sample
from server.rehearse.whole import plan, rehearsed

HERE = Path(__file__).resolve().parent.parent / "analysis" / "sample"
GROUPS = 6
SEEDS = (1, 2)
"""One for each treatment, so that groups of two treatments share no chance."""


def played(sample: Sample) -> analysis.Data:
    """Both treatments, played through the pages."""
    parts = []
    for seed, changes in zip(SEEDS, ({}, sample.changes), strict=True):
        chosen = plan(
            sample.config,
            GROUPS,
            sample.people,
            seed,
            sample.speed,
            {"bots": sample.bots, **sample.both, **changes},
        )
        content, faults = rehearsed(chosen)
        for fault in faults:
            print(fault, file=sys.stderr)
        with tempfile.NamedTemporaryFile(suffix=".zip") as file:
            file.write(content)
            file.flush()
            parts.append(analysis.load(file.name))
    return analysis.joined(*parts)


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for game in games.having(lambda own: own.sample):
        sample = games.find(game).sample
        if sample is not None:
            analysis.save(played(sample), HERE / f"{game}.zip")


if __name__ == "__main__":
    main()
