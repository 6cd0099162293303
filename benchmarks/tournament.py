"""How many plays does a tournament do per second and core?

    python -m benchmarks.tournament

One process plays every policy of a game's `lab` in a field of the next one: in batches, as
tournaments do, and one by one by `bots.rollout`, to see what the batch is good for. Nearly all of
it are decisions of policies in Python. Trained policies, which are asked for all their seats at
once, play among themselves too, beside the same ones asked seat by seat. Seconds are those of the
processor, so that what else the machine does counts little. Medians of three rounds taken in turn.
Cores do not help each other: times their number is what `--workers` gives.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import bots
import engine
from benchmarks.rates import compare
from bots import bench
from bots.rollout import rollout
from bots.tournament.batch import play, play_seeds
from bots.tournament.mixes import Mix, seating
from bots.trained import Trained

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


class Nobody:
    """No policy is of this class."""


def seat_by_seat(game: engine.Game[Any], mix: Mix, plays: int) -> None:
    """A batch in which every policy is asked for one seat at a time."""
    together, bench.Batched = bench.Batched, Nobody  # type: ignore[misc, assignment]
    try:
        play(game, mix, 0, 0, plays)
    finally:
        bench.Batched = together  # type: ignore[misc]


def learned(game: engine.Game[Any]) -> None:
    """The table of trained policies."""
    policies = [bots.find(name, game.id) for name in bots.ids(game.id)]
    mixes = [Mix(policy.id, policy.id) for policy in policies if issubclass(policy, Trained)]
    plays = PLAYS[-1]
    together = partial(play, game, seed=0, first=0, count=plays)
    alone = partial(seat_by_seat, game, plays=plays)
    rows: dict[str, Callable[[], float]] = {
        "seat by seat": partial(rate, mixes, plays, alone),
        "together": partial(rate, mixes, plays, together),
    }
    print(f"\n{', '.join(mix.focal for mix in mixes)}, each alone, batches of {plays} plays")
    compare(rows, "seat by seat", ROUNDS)


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
        learned(game)


if __name__ == "__main__":
    main()
