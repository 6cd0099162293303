"""The policies of a game: what each does, and where it comes from."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from mixed_company.cli.command import Group

GROUP = Group.LOOK_UP
EXTRA = ""
EXAMPLES = ("mixed policies commons_game", "mixed policies --folder my_policies")


def configure(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("games", nargs="*", metavar="game", help="all games if none is named")
    parser.add_argument("--folder", help="a folder with trained policies of your own as well")


def run(chosen: Namespace) -> int:
    """Print a line per policy, by game."""
    from mixed_company import engine, policies
    from mixed_company.cli.policies import table

    if chosen.folder:
        policies.look_in(chosen.folder)
    tables = {game_id: table(game_id) for game_id in chosen.games or engine.game_ids()}
    for number, (game_id, lines) in enumerate(tables.items()):
        print(*([""] if number else []), game_id, *lines, sep="\n")
    return 0
