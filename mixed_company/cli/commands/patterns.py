"""Reproduce a classic pattern from the literature in each game, using policies.

The plays are simulated. They show that games, policies, measures and tests work together, and that
incentives agree with the literature. They say nothing about people.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import games, sharing, workers_of
from mixed_company.cli.command import Group

GROUP = Group.DATA
EXTRA = "analysis"
EXAMPLES = ("mixed patterns", "mixed patterns sanctions --groups 20 --seed 1")


def configure(parser: ArgumentParser) -> None:
    games(parser)
    parser.add_argument("--groups", type=int, default=20, help="groups per treatment")
    parser.add_argument("--seed", type=int, default=1, help="seed for all random numbers")
    sharing(parser)


def run(chosen: Namespace) -> int:
    """Print a table per game, as Markdown."""
    from mixed_company.analysis import patterns
    from mixed_company.engine.contract.chance import check_seed

    check_seed(chosen.seed)
    workers = workers_of(chosen)
    for game in chosen.games:
        patterns.pattern(game)
    for game in chosen.games or patterns.with_pattern():
        data = patterns.played(game, chosen.groups, chosen.seed, workers, chosen.scheduler)
        print(*patterns.described(data, chosen.seed), sep="\n", flush=True)
    return 0
