"""How many plays does a tournament do per second and core?

    python -m benchmarks.tournament

Plays of all mixes of a game's `lab`, by one process; decisions of policies in Python are nearly
all of it. Beside them the same mixes played one after the other by `bots.rollout`, to see what
the batch is good for. Medians of five rounds taken in turn. The machine's cores do not help each
other: times their number is what `--workers` gives.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator
from typing import Any

import bots
import engine
from benchmarks.rates import compare
from bots.rollout import rollout
from bots.tournament.batch import play, play_seeds
from bots.tournament.mixes import Mix, mixes, seating

PLAYS = 64  # of a mix


def rate(game: engine.Game[Any], turns: Iterator[Mix], batched: bool, least: float = 1.0) -> float:
    """Plays per second; `turns` goes through the mixes for ever, round after round."""
    done, started = 0, time.perf_counter()
    while time.perf_counter() - started < least:
        mix = next(turns)
        if batched:
            play(game, mix, 0, 0, PLAYS)
            done += PLAYS
        else:
            one_by_one(game, mix, 0)
            done += 1
    return done / (time.perf_counter() - started)


def one_by_one(game: engine.Game[Any], mix: Mix, number: int) -> None:
    """One play of a mix, without a batch."""
    episode = engine.Episode(game, int(play_seeds(0, number)))
    policies = [bots.make(spec, game) for spec in seating(mix, number, game.seats)]
    for _ in rollout(episode, policies):
        pass


def main() -> None:
    for game_id in engine.game_ids():
        game = engine.make(game_id, archetype="lab")
        policies = bots.ids(game_id)
        for policy in policies:  # what is solved once is solved before
            play(game, Mix(policy, policy), 0, 0, 1)
        turns = {name: itertools.cycle(mixes(policies, game.seats)) for name in (False, True)}
        print(f"\n{game_id} lab, {game.seats} seats, {game.horizon} periods; steps are plays")
        compare(
            {
                "one by one": lambda g=game, t=turns[False]: rate(g, t, batched=False),
                f"batches of {PLAYS} plays": lambda g=game, t=turns[True]: rate(g, t, batched=True),
            },
            "one by one",
        )


if __name__ == "__main__":
    main()
