"""Let each policy play alone and against every other policy.

The tables and pictures show what each policy earns, and which policies exploit which others. With
--output, plays are saved in the folder, portion by portion. After an interruption, the same command
resumes.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mixed_company.cli.arguments import (
    assigned,
    configuration,
    game_of,
    look_in_folder,
    own_folder,
    sharing,
    workers_of,
)
from mixed_company.cli.command import Group

if TYPE_CHECKING:
    from mixed_company.engine.game import Game

GROUP = Group.POLICIES
EXTRA = ""
EXAMPLES = (
    "mixed tournament commons_game --archetype lab --plays 1000 --output results",
    "mixed tournament sanctions --archetype lab --policies free_rider,tit_for_tat",
)
MEANING = """\
Points are per seat; numbers after ± are half-widths of 95% intervals of the mean. Alone: all seats
follow the policy. Among others: one seat follows it, and all other seats follow another policy,
each in turn. More than its field: its points minus those of each other seat. Best reply to it: the
policy in this table that earns the most in one seat if all other seats follow it. More:
docs/tournaments.md."""


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("game")
    configuration(parser)
    add("--policies", default="all", help="policies separated by commas, or `all`")
    add("--plays", type=int, default=1000, help="plays per mix")
    own_folder(parser)
    sharing(parser)
    add("--output", type=Path, help="folder for plays, tables and pictures")


def run(chosen: Namespace) -> int:
    """Play the tournament, print a summary, and write the folder."""
    from mixed_company import files
    from mixed_company.learning.tournament.results import tournament

    workers = workers_of(chosen)
    look_in_folder(chosen)
    parameters = assigned(chosen.pairs)
    game = game_of(chosen)
    with files.prepared(chosen.output) as place:
        results = tournament(
            chosen.game,
            chosen.archetype,
            chosen.policies,
            chosen.plays,
            chosen.seed,
            workers,
            chosen.scheduler,
            chosen.output,
            **parameters,
        )
        if chosen.output is not None and place is not None:
            files.written(chosen.output, place, results)
    print(_heading(game, chosen.plays, chosen.seed), results["summary.md"], MEANING, sep="\n")
    return 0


def _heading(game: Game[Any], plays: int, seed: int) -> str:
    from mixed_company.engine import solutions

    identity, best = game.config.identity, solutions.best(game)
    played = f"{identity.game} {identity.archetype}, seats {game.seats}, plays per mix {plays}"
    has_plan = best is not None and best.kind == "plan"
    beside = (
        f"% of best refers to {best.name}"
        if best is not None and has_plan
        else "the best result is unknown"
    )
    return f"{played}, seed {seed}; {beside}.\n"
