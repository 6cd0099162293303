"""The engine on a command line.

python -m engine games
python -m engine show commons_game --archetype lab capacity=80
python -m engine schema commons_game
python -m engine replay play.jsonl --html play.html

`replay` ends with 0 if the log is right, 1 if it differs, 2 if it cannot be replayed.
`python -m bots.play` makes a log.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import engine
from engine.contract import describe
from engine.contract.errors import LogError
from engine.play import record, replay_page
from files.command import assigned, guarded, read, write_whole

_SHOWN = 50


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; its exit code."""
    parser = _parser()
    chosen, more = parser.parse_known_args(arguments)
    if more and (chosen.run is not _show or any(each.startswith("-") for each in more)):
        parser.error(f"unknown argument {more[0]!r}")
    chosen.pairs = more  # argparse loses a list of positionals behind an option
    return guarded(lambda: int(chosen.run(chosen)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m engine", description="The rules of the games.")
    commands = parser.add_subparsers(required=True, metavar="command")
    games = commands.add_parser("games", help="every game with its archetypes")
    games.set_defaults(run=_games)
    show = commands.add_parser(
        "show",
        help="every value of a configuration",
        usage="python -m engine show GAME [--archetype A] [--seed N] [--json] [key=value ...]",
    )
    show.add_argument("game")
    show.add_argument("--archetype", help="the named set of values to start from")
    show.add_argument("--seed", type=int, default=0, help="seed of every random number")
    show.add_argument("--json", action="store_true", help="as JSON, which `engine.make` takes")
    show.set_defaults(run=_show)
    schema = commands.add_parser("schema", help="the JSON Schema of a game's configuration")
    schema.add_argument("game")
    schema.set_defaults(run=_schema)
    replay = commands.add_parser("replay", help="recompute a log and say where it differs")
    replay.add_argument("log", help="a log as JSON lines; - for standard input")
    replay.add_argument("--html", type=Path, metavar="FILE", help="write the play as a page")
    replay.add_argument("--all", action="store_true", help=f"more than {_SHOWN} differences")
    replay.set_defaults(run=_replay)
    return parser


def _games(_: argparse.Namespace) -> int:
    for game_id in engine.game_ids():
        game = engine.find(game_id)
        print(f"{game_id:16} version {game.version}: {', '.join(game.archetypes)}")
    return 0


def _show(chosen: argparse.Namespace) -> int:
    sections = assigned(chosen.pairs)
    game = engine.make(chosen.game, archetype=chosen.archetype, seed=chosen.seed, **sections)
    if chosen.json:
        print(json.dumps(game.config.model_dump(mode="json"), indent=2))
    else:
        print(describe.as_text(game.config), end="")
    return 0


def _schema(chosen: argparse.Namespace) -> int:
    model = engine.find(chosen.game).config_model()
    print(json.dumps(model.model_json_schema(), indent=2))
    return 0


def _replay(chosen: argparse.Namespace) -> int:
    page: Path | None = chosen.html
    if page is not None and page.exists() and chosen.log != "-" and page.samefile(chosen.log):
        raise LogError(f"{page}: is the log; the page needs a file of its own")
    lines = record.from_text(read(chosen.log))
    wrong = record.replay(lines)
    if page is not None:
        write_whole(page, replay_page.page(lines, wrong))
    shown = wrong if chosen.all else wrong[:_SHOWN]
    for sentence in shown:
        print(sentence)
    if len(shown) < len(wrong):
        print(f"and {len(wrong) - len(shown)} more (--all)")
    periods = sum(line["level"] == "period" for line in lines)
    identity, seed = lines[0]["config"]["identity"], lines[0]["seed"]
    found = f"differences: {len(wrong)}" if wrong else "replays as it was logged"
    print(f"{identity['game']} ({identity['archetype']}), seed {seed}, periods: {periods}; {found}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
