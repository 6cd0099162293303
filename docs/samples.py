"""Generator for mixed_company/analysis/sample/<game>.zip, by rehearsing plans on real servers.

    python -m docs.samples [GAME ...]

`analysis.games` declares the plan for each game's sample. Each file is exactly what `mixed
rehearse` writes. Both treatments run in several sessions, so differences between sessions can be
analysed. Policies play in place of people, and every file says so. Times and codes differ from run
to run; the seeds determine everything else.
"""

from __future__ import annotations

import sys
from pathlib import Path

from mixed_company.__main__ import main as mixed
from mixed_company.analysis import games
from mixed_company.analysis.games import Sample

HERE = Path(__file__).resolve().parents[1] / "mixed_company/analysis/sample"
SESSIONS, SEED = 3, 1
"""Number of sessions in a sample, and the seed of the first session."""


def command(sample: Sample, path: Path) -> list[str]:
    """Return the arguments with which `mixed` writes a sample to this file."""
    numbers = {"groups": sample.groups, "sessions": SESSIONS, "seed": SEED, "speed": sample.speed}
    options = [text for name, value in numbers.items() for text in (f"--{name}", str(value))]
    return ["rehearse", sample.plan, *options, "--output", str(path)]


def main() -> int:
    HERE.mkdir(exist_ok=True)
    for game in sys.argv[1:] or games.having(lambda entry: entry.sample):
        sample = games.find(game).sample
        if sample is None:
            sys.exit(f"{game}: no such game, or a game without a sample")
        if mixed(command(sample, HERE / f"{game}.zip")) != 0:
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
