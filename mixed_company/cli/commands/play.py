"""Start a server for playing in the browser, or let policies play a game.

mixed play
    starts a server on this machine and prints its address. Ctrl-C stops it. It needs oTree and
    works in the project folder, where db.sqlite3 stores the plays.

mixed play GAME --policies NAME,NAME
    lets policies play without a server, and prints the log of the play as JSON lines. `mixed
    replay` recomputes such a log and shows it.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace

from mixed_company.cli.arguments import configuration, game_of, look_in_folder, own_folder
from mixed_company.cli.command import Group
from mixed_company.cli.refusal import config_error

GROUP = Group.PLAY
EXTRA = ""
EXAMPLES = (
    "mixed play --port 8000",
    "mixed play commons_game --archetype lab --policies steward,greedy > play.jsonl",
    "mixed play commons_game --policies fixed:harvest=3,greedy periods=5",
)
PORT = 8000


def configure(parser: ArgumentParser) -> None:
    add = parser.add_argument
    add("game", nargs="?", help="game that policies play; without a game, start a server")
    configuration(parser)
    add(
        "--policies",
        help="policies separated by commas, such as `fixed:harvest=3,greedy`; default: random",
    )
    own_folder(parser)
    add("--verbose", action="store_true", help="also log states and observations")
    add("--port", type=int, help=f"the server's port; default {PORT}")


def run(chosen: Namespace) -> int:
    """Start a server, or let policies play."""
    if chosen.game is not None:
        if chosen.port is not None:
            raise config_error(
                "--port: applies only to the server, which starts if no game is named"
            )
        return _played(chosen)
    if chosen.policies or chosen.archetype or chosen.seed or chosen.verbose or chosen.folder:
        raise config_error(
            "no game named: use `mixed play GAME --policies NAME,NAME`; "
            "without a game, this command starts a server and accepts only --port"
        )
    from mixed_company.cli.project import serve

    return serve(PORT if chosen.port is None else chosen.port)


def _played(chosen: Namespace) -> int:
    from mixed_company.engine.play import record
    from mixed_company.policies.play import play

    look_in_folder(chosen)
    verbose = ["instrumentation.verbose=true"] if chosen.verbose else []
    game = game_of(chosen, *verbose)
    policies = "random" if chosen.policies is None else chosen.policies
    lines, faults = play(game, policies.split(","), chosen.seed)
    sys.stdout.write(record.to_text(lines))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 0
