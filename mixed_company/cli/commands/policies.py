"""List the policies of a game, with their descriptions and sources."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import games, look_in_folder, own_folder
from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed policies commons_game", "mixed policies --folder my_policies")


def configure(parser: ArgumentParser) -> None:
    games(parser)
    own_folder(parser)


def run(chosen: Namespace) -> int:
    """Print one line per policy, by game."""
    from mixed_company import engine

    look_in_folder(chosen)
    tables = {game_id: table(game_id) for game_id in chosen.games or engine.game_ids()}
    for number, (game_id, lines) in enumerate(tables.items()):
        print(*([""] if number else []), game_id, *lines, sep="\n")
    return 0


def table(game_id: str) -> list[str]:
    """Return one line per policy and population: id, description, source.

    A policy for a later stage has a `+` before its id, as in a spec. Raises UnknownName.
    """
    from mixed_company import engine
    from mixed_company.policies import find, ids, populations
    from mixed_company.policies.spec import POPULATION

    engine.find(game_id)
    first = ids(game_id)
    specs = [*first, *(f"{POPULATION}{name}" for name in populations.names(game_id))]
    policies = {spec: find(spec, game_id) for spec in specs}
    later = (policy_id for policy_id in ids(game_id, stage=1) if policy_id not in first)
    policies |= {f"+{policy_id}": find(policy_id, game_id, 1) for policy_id in later}
    width = max(map(len, policies), default=0)
    lines = []
    for spec, policy in policies.items():
        does = " ".join([str(policy.__doc__).strip().splitlines()[0], populations.judged(spec)])
        lines.append(f"  {spec:{width}}  {does.strip()} ({policy.source})")
    return lines
