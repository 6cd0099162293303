"""Generator of mixed_company/analysis/sample/<game>.zip: plans rehearsed on real servers.

    python -m docs.samples [GAME ...]

`analysis.games` declares the plan of each game's sample. Each file is exactly what `mixed rehearse`
writes, with both treatments in several sessions, so that differences between sessions can be
analysed. Policies take the places of people, and every file says so. Times and codes are those of
this run; everything else follows from the seeds.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mixed_company.__main__ import main as mixed
from mixed_company.analysis import games
from mixed_company.analysis.games import Sample

HERE = Path(__file__).resolve().parents[1] / "mixed_company/analysis/sample"
SESSIONS, SEED = 3, 1
"""Sessions of a sample, and the seed of the first."""


def command(sample: Sample, path: Path) -> list[str]:
    """Return the arguments of `mixed` that write a sample to this file."""
    numbers = {"groups": sample.groups, "sessions": SESSIONS, "seed": SEED, "speed": sample.speed}
    options = [text for name, value in numbers.items() for text in (f"--{name}", str(value))]
    return ["rehearse", sample.plan, *options, "--output", str(path)]


def main() -> int:
    HERE.mkdir(exist_ok=True)
    samples = {game: games.find(game).sample for game in games.having(lambda entry: entry.sample)}
    return max(
        mixed(command(sample, HERE / f"{game}.zip"))
        for game, sample in samples.items()
        if sample is not None and game in (sys.argv[1:] or samples)
    )


if __name__ == "__main__":
    sys.exit(main())
