"""Lets policies play each other, every one alone and against every other.

The tables and pictures say who earns what, and who exploits whom.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed.arguments import configuration, look_in_folder, own_folder
from mixed.command import Group
from mixed.sharing import sharing, workers_of

GROUP = Group.POLICIES
EXTRA = ""
EXAMPLES = (
    "mixed tournament commons_game --archetype lab --plays 1000 --output results",
    "mixed tournament sanctions --archetype lab --policies free_rider,tit_for_tat",
)


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    add = parser.add_argument
    add("game")
    configuration(parser)
    add("--policies", default="all", help="by commas, or all")
    add("--plays", type=int, default=1000, help="of each mix")
    own_folder(parser)
    sharing(parser)
    add("--output", type=Path, help="folder for tables and pictures")


def run(chosen: Namespace) -> int:
    """Play, print the summary, write the folder."""
    import files
    from bots.tournament.results import tournament
    from engine.contract.errors import ConfigError
    from mixed.values import assigned

    workers = workers_of(chosen)
    if chosen.folder and chosen.scheduler:
        raise ConfigError("--folder: is of this machine; a cluster knows bots/trained alone")
    look_in_folder(chosen)
    parameters = assigned(chosen.pairs)
    with files.prepared(chosen.output) as place:
        results = tournament(
            chosen.game,
            chosen.archetype,
            chosen.policies,
            chosen.plays,
            chosen.seed,
            workers,
            chosen.scheduler,
            **parameters,
        )
        if chosen.output is not None and place is not None:
            files.written(chosen.output, place, results)
    sys.stdout.write(results["summary.md"])
    return 0
