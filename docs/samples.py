"""Writes analysis/sample/<game>.zip: sessions rehearsed on a real server, two treatments per game.

python -m docs.samples

They are treatments of `analysis.patterns`, with fewer groups. Policies sit in people's places, and
every file says so. Times and codes are those of this run; all else follows from the seed.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import analysis
from server.rehearse.whole import plan, rehearsed

HERE = Path(__file__).resolve().parent.parent / "analysis" / "sample"
GROUPS = 6
SEEDS = (1, 2)
"""One for each treatment, so that groups of two treatments share no chance."""
SPEED = "lognormal:median=1.5;sigma=0.5"


@dataclass(frozen=True)
class Sample:
    """A game's sample: a session config, who sits in it, and what one treatment changes in it."""

    config: str
    people: str
    bots: str
    changes: dict[str, Any]
    speed: str = SPEED
    both: dict[str, Any] = field(default_factory=dict)


SAMPLES = {
    "commons_game": Sample(
        "commons_four_people",
        "greedy,half_capacity,noisy_person",
        "steward",
        {"governance": "per_step", "pool_effect": 2.0},
    ),
    "gem_mining": Sample(
        "gems_four_people",
        "avoid_crowd,avoid_crowd,avoid_crowd",
        "avoid_crowd",
        {"information": "own"},
    ),
    "punishment_vote": Sample(
        "vote_three_people",
        "forager,forager,law_and_order",
        "forager",
        {"vote_step": 0.0},
        speed="instant",
        both={"decision_seconds": 0.5},
    ),
    "sanctions": Sample(
        "sanctions",
        "sanction_averse,sanction_averse,noisy_person",
        "sanction_averse",
        {"lambda_R": 0.0},
    ),
}


def made(sample: Sample) -> analysis.Data:
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
    for game, sample in SAMPLES.items():
        analysis.save(made(sample), HERE / f"{game}.zip")


if __name__ == "__main__":
    main()
