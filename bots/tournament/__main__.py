"""Policies play each other, every one alone and against every other.

python -m bots.tournament commons_game --archetype lab --policies all --plays 1000 --output results
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import engine
from bots.bench import check_together
from bots.tournament import pictures, scoreboard
from bots.tournament.means import both_ways
from bots.tournament.mixes import mixes, named, unfit
from bots.tournament.summary import standings
from bots.tournament.work import all_played, portions
from engine.contract.errors import ConfigError
from files.command import assigned, guarded
from files.folder import prepared, written

__all__ = ["main", "tournament"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m bots.tournament", description=str(__doc__).split("\n")[0]
    )
    parser.add_argument("game")
    parser.add_argument("--archetype", help="the named set of values to start from")
    parser.add_argument("--policies", default="all", help="by commas, or all")
    parser.add_argument("--plays", type=int, default=1000, help="of each mix")
    parser.add_argument("--seed", type=int, default=0, help="seed of every random number")
    parser.add_argument("--workers", type=int, help="processes; as many as cores unless told")
    parser.add_argument("--scheduler", help="address of a Dask cluster that is to do the work")
    parser.add_argument("--output", type=Path, help="folder for tables and pictures")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the game")
    chosen = parser.parse_intermixed_args(arguments)
    return guarded(lambda: _run(chosen))


def _run(chosen: argparse.Namespace) -> int:
    if chosen.scheduler is not None and chosen.workers is not None:
        raise ConfigError("--workers: are those of the cluster where there is a --scheduler")
    workers = chosen.workers if chosen.workers is not None else os.cpu_count() or 1
    sections = assigned(chosen.pairs)
    with prepared(chosen.output) as place:
        files = tournament(
            chosen.game,
            chosen.archetype,
            chosen.policies,
            chosen.plays,
            chosen.seed,
            workers,
            chosen.scheduler,
            **sections,
        )
        if chosen.output is not None and place is not None:
            written(chosen.output, place, files)
    sys.stdout.write(files["summary.md"])
    return 0


def tournament(
    game_id: str,
    archetype: str | None,
    policies: str,
    plays: int,
    seed: int = 0,
    workers: int = 1,
    scheduler: str | None = None,
    **sections: Any,
) -> dict[str, str]:
    """Name and content of every file of results. Raises EngineError for what it cannot play."""
    game = engine.make(game_id, archetype=archetype, seed=seed, **sections)
    check_together(game)
    names = named(policies, game)
    for reason in unfit(game).values() if policies.strip() == "all" else ():
        print(f"left out: {reason}", file=sys.stderr)
    work = portions(game, mixes(names, game.seats), seed, plays)
    found = both_ways(all_played(work, workers, scheduler))
    told = scoreboard.Told(game, archetype or "", seed, plays)
    ranked = standings(found, names)
    order = [each.policy for each in ranked]
    stars = [name for name in names if scoreboard.told_the_solution(name, game)]
    return {
        "mixes.csv": scoreboard.mixes_csv(told, found),
        "summary.csv": scoreboard.summary_csv(told, ranked),
        "summary.md": scoreboard.summary_markdown(told, ranked),
        "exploitation.svg": pictures.exploitation(found, order, stars),
        "returns.svg": pictures.returns(ranked, stars),
    }


if __name__ == "__main__":
    sys.exit(main())
