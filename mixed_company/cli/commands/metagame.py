"""Play policies in every composition, and find which of them spread.

Plays are saved in the folder, portion by portion. After an interruption, the same command resumes.
If you add policies or plays, it plays only the missing ones. The tables list exact clones among the
policies, equilibrium mixtures, the outcomes of replicator dynamics and of rare newcomers (Moran,
alpha-rank) with intervals over plays, and the policies' focal and background returns against
backgrounds that they were not trained with.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from mixed_company.cli.arguments import (
    configuration,
    game_of,
    look_in_folder,
    own_folder,
    sharing,
    workers_of,
)
from mixed_company.cli.command import Group

GROUP = Group.POLICIES
EXTRA = ""
EXAMPLES = (
    "mixed metagame commons_game --archetype lab --policies steward,greedy --output results",
)


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("game")
    configuration(parser)
    add("--policies", default="all", help="policies separated by commas, or `all`")
    own_folder(parser)
    add("--plays", type=int, default=200, help="plays per composition")
    add(
        "--population",
        type=int,
        default=50,
        help="number of members in the population that copies success",
    )
    add("--alpha", type=float, default=10.0, help="strength of selection")
    sharing(parser)
    add("--output", type=Path, required=True, help="folder for plays, tables and pictures")


def run(chosen: Namespace) -> int:
    """Play missing portions, print a summary, and write the folder."""
    from mixed_company import files
    from mixed_company.learning.metagame.composition import all_played, portions
    from mixed_company.learning.metagame.dynamics import check, sweep_csv
    from mixed_company.learning.metagame.pictures import ranks, replicators, sweeps
    from mixed_company.learning.metagame.report import payoffs_csv, solved, summary
    from mixed_company.learning.metagame.scenarios import scenarios, scenarios_csv, scenarios_table
    from mixed_company.learning.tournament.batch import named

    look_in_folder(chosen)
    game = game_of(chosen)
    policies = tuple(named(chosen.policies, game))
    check(game.seats, chosen.population, chosen.alpha)
    work = portions(game, policies, chosen.plays, chosen.seed)
    identity = game.config.identity
    with files.prepared(chosen.output) as place:
        plays = all_played(chosen.output, work, workers_of(chosen), chosen.scheduler)
        result = solved(policies, plays, chosen.seed, chosen.population, chosen.alpha)
        origin = {identity.game: identity.archetype, "seats": game.seats}
        origin |= {"compositions": len(plays), "plays of each": chosen.plays, "seed": chosen.seed}
        text = summary(result, {**origin, "population": chosen.population, "alpha": chosen.alpha})
        every = scenarios(game, policies, plays)
        text += f"\n{scenarios_table(every)}" if every else ""
        if place is not None:
            tables = {"payoffs.csv": payoffs_csv(policies, plays), "metagame.md": text}
            tables["scenarios.csv"] = scenarios_csv(every)
            tables["sweep.csv"] = sweep_csv(result.game.policies, result.sweep)
            drawn = {"replicators.svg": replicators(result), "ranks.svg": ranks(result)}
            drawn["sweep.svg"] = sweeps(result)
            files.written(chosen.output, place, {**tables, **drawn})
    sys.stdout.write(text)
    return 0
