"""How many plays does a tournament do per second and core?

    python -m benchmarks.tournament

One process plays every policy of a game's `lab` in a field of the next one: in batches, as
tournaments do, and one by one by `bots.rollout`, to see what the batch is good for. Nearly all of
it are decisions of policies in Python. Seconds are those of the processor, so that what else the
machine does counts little. Medians of three rounds taken in turn. Cores do not help each other:
times their number is what `--workers` gives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import bots
import engine
from benchmarks.rates import compare
from bots.rollout import rollout
from bots.tournament.batch import play, play_seeds
from bots.tournament.mixes import Mix, seating

ROUNDS = 3
PLAYS = (16, 64)  # of a mix, in a batch


def ring(policies: Sequence[str]) -> list[Mix]:
    """Every policy once as the focal one and once as the field."""
    return [Mix(*pair) for pair in zip(policies, [*policies[1:], policies[0]], strict=True)]


def rate(mixes: Sequence[Mix], plays: int, played: Callable[[Mix], Any]) -> float:
    """Plays per second of the processor."""
    started = time.process_time()
    for mix in mixes:
        played(mix)
    return plays * len(mixes) / (time.process_time() - started)


def one_by_one(game: engine.Game[Any], mix: Mix) -> None:
    """One play of a mix, without a batch."""
    episode = engine.Episode(game, int(play_seeds(0, 0)))
    policies = [bots.make(spec, game) for spec in seating(mix, 0, game.seats)]
    for _ in rollout(episode, policies):
        pass


def main() -> None:
    for game_id in engine.game_ids():
        game = engine.make(game_id, archetype="lab")
        mixes = ring(bots.ids(game_id))
        for mix in mixes:  # what is solved once is solved before
            play(game, mix, 0, 0, 1)
        rows: dict[str, Callable[[], float]] = {
            "one by one": partial(rate, mixes, 1, partial(one_by_one, game))
        }
        for plays in PLAYS:
            batch = partial(play, game, seed=0, first=0, count=plays)
            rows[f"batches of {plays} plays"] = partial(rate, mixes, plays, batch)
        print(f"\n{game_id} lab, {game.seats} seats, {game.horizon} periods; steps are plays")
        compare(rows, "one by one", ROUNDS)


if __name__ == "__main__":
    main()
