"""A whole tournament: its tables and pictures, as files by name."""

from __future__ import annotations

import sys
from typing import Any

from mixed_company import engine
from mixed_company.learning.tournament import pictures, scoreboard
from mixed_company.learning.tournament.means import both_ways
from mixed_company.learning.tournament.mixes import mixes, named, unfit
from mixed_company.learning.tournament.summary import standings
from mixed_company.learning.tournament.work import all_played, portions
from mixed_company.policies.bench import check_together

__all__ = ["tournament"]


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
    outcomes = both_ways(all_played(work, workers, scheduler))
    origin = scoreboard.Origin(game, archetype or "", seed, plays)
    ranked = standings(outcomes, names)
    order = [standing.policy for standing in ranked]
    stars = [name for name in names if scoreboard.told_the_solution(name, game)]
    return {
        "mixes.csv": scoreboard.mixes_csv(origin, outcomes),
        "summary.csv": scoreboard.summary_csv(origin, ranked),
        "summary.md": scoreboard.summary_markdown(origin, ranked),
        "exploitation.svg": pictures.exploitation(outcomes, order, stars),
        "returns.svg": pictures.returns(ranked, stars),
    }
