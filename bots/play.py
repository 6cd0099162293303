"""Lets policies play a game and writes the log of the play to standard output.

python -m bots.play commons_game --archetype lab --seed 7 --policies steward,greedy > play.jsonl
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import bots
import engine
from bots.rollout import Fault, rollout
from engine.contract.errors import ConfigError
from engine.game import Game
from engine.play import record
from files.command import assigned, guarded

__all__ = ["main", "play"]


def play(game: Game[Any], specs: Sequence[str], seed: int) -> tuple[list[record.Line], list[Fault]]:
    """The log of a play, and the faults of policies, for which defaults were played.

    `specs` name the policies of the seats, over again where there are fewer than seats.
    Raises UnknownName or ConfigError.
    """
    if not 1 <= len(specs) <= game.seats:
        raise ConfigError(f"policies: {len(specs)} named; from 1 to {game.seats}, one per seat")
    policies = [bots.make(specs[seat % len(specs)], game) for seat in range(game.seats)]
    episode, faults = engine.Episode(game, seed), list[Fault]()
    log = record.Recorder(episode)
    for step in rollout(episode, policies, faults=faults):
        log.take(step)
    return log.lines, faults


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m bots.play", description=__doc__.split("\n")[0])
    parser.add_argument("game")
    parser.add_argument("--archetype", help="the named set of values to start from")
    parser.add_argument("--seed", type=int, default=0, help="seed of every random number")
    parser.add_argument("--policies", default="random", help="by commas: `fixed:harvest=3,greedy`")
    parser.add_argument("--verbose", action="store_true", help="with states and observations")
    parser.add_argument("pairs", nargs="*", metavar="key=value", help="parameters of the game")
    chosen = parser.parse_intermixed_args(arguments)
    return guarded(lambda: _run(chosen))


def _run(chosen: argparse.Namespace) -> int:
    loud = ["instrumentation.verbose=true"] if chosen.verbose else []
    sections = assigned([*chosen.pairs, *loud])
    game = engine.make(chosen.game, archetype=chosen.archetype, seed=chosen.seed, **sections)
    lines, faults = play(game, chosen.policies.split(","), chosen.seed)
    sys.stdout.write(record.to_text(lines))
    for fault in faults:
        print(fault, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
