"""Generator of mixed_company/analysis/sample/<game>.zip: sessions rehearsed on real servers.

    python -m docs.samples [GAME ...]

Each game has two treatments and several sessions of each, so that differences between sessions can
be analysed. `analysis.games` declares the sample of a game. Policies take the places of people, and
every file says so. Times and codes are those of this run; everything else follows from the seeds.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

from mixed_company import analysis
from mixed_company.analysis import games
from mixed_company.analysis.games import Sample
from mixed_company.server.rehearse.whole import Plan, plan, rehearsed

HERE = Path(__file__).resolve().parents[1] / "mixed_company/analysis/sample"
SESSIONS, GROUPS = 3, 4
"""Sessions per treatment, played at the same time, and groups per session."""


def played(sample: Sample) -> analysis.Data:
    """Play all sessions of both treatments through the pages, each with a seed of its own."""
    seeds = count(1)
    sessions = [
        _session(sample, changes, next(seeds))
        for changes in ({}, sample.changes)
        for _ in range(SESSIONS)
    ]
    with ThreadPoolExecutor(SESSIONS) as threads:
        return analysis.joined(*threads.map(_export, sessions))


def _session(sample: Sample, changes: Mapping[str, Any], seed: int) -> Plan:
    whole = {"bots": sample.bots, **sample.both, **changes}
    return plan(sample.config, GROUPS, sample.people, seed, sample.speed, whole)


def _export(session: Plan) -> analysis.Data:
    content, faults = rehearsed(session)
    for fault in faults:
        print(fault, file=sys.stderr)
    with tempfile.NamedTemporaryFile(suffix=".zip") as file:
        file.write(content)
        file.flush()
        return analysis.load(file.name)


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for game in sys.argv[1:] or games.having(lambda entry: entry.sample):
        sample = games.find(game).sample
        if sample is not None:
            analysis.save(played(sample), HERE / f"{game}.zip")


if __name__ == "__main__":
    main()
