"""Speed of tournaments, in plays per second per core.

    python -m benchmarks.tournament [game [plays ...]]

Measures all games or one game; `plays` are batch sizes. In one process, every policy plays the
game's `lab_0_7` with the next policy as its field: in batches, as in tournaments, and one play at a
time with `policies.rollout`, for comparison. Then every policy plays with itself, in the largest
batches. Seconds are CPU time, so other work on the machine hardly matters. Rates are medians of
alternating rounds. Cores are independent, so `--workers` multiplies the rate by the number of
workers.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from benchmarks.rates import compare
from mixed_company import engine
from mixed_company.engine.contract.chance import play_seeds
from mixed_company.learning.tournament.batch import Mix, play, seating
from mixed_company.policies import ids, make
from mixed_company.policies.rollout import rollout

ROUNDS = 3
PLAYS = (64, 1024)  # plays per mix and batch


def ring(policies: Sequence[str]) -> list[Mix]:
    """Return mixes in which every policy is the focal policy once and the field once."""
    return [Mix(*pair) for pair in zip(policies, [*policies[1:], policies[0]], strict=True)]


def rate(mixes: Sequence[Mix], plays: int, played: Callable[[Mix], Any]) -> float:
    """Return plays per CPU second."""
    started = time.process_time()
    for mix in mixes:
        played(mix)
    return plays * len(mixes) / (time.process_time() - started)


def one_by_one(game: engine.Game[Any], mix: Mix) -> None:
    """Run one play of a mix, without a batch."""
    episode = engine.Episode(game, int(play_seeds(0, 0)))
    policies = [make(spec, game) for spec in seating(mix, 0, game.seats)]
    for _ in rollout(episode, policies):
        pass


def each(game: engine.Game[Any], plays: int) -> None:
    """Print the plays per second of every policy playing with itself, relative to the first
    policy."""
    alone = partial(play, game, seed=0, first=0, count=plays)
    mixes = [Mix(policy, policy) for policy in ids(game.id)]
    rows: dict[str, Callable[[], float]] = {
        mix.focal: partial(rate, [mix], plays, alone) for mix in mixes
    }
    print(f"\nall seats alike, batches of {plays} plays")
    compare(rows, mixes[0].focal, 1)


def measure(game_id: str, sizes: Sequence[int]) -> None:
    """Print a game's rates: one play at a time, and in batches of these sizes."""
    game = engine.make(game_id, archetype=engine.find(game_id).reference)
    mixes = ring(ids(game_id))
    for mix in mixes:  # fill the solution caches
        play(game, mix, 0, 0, 1)
    rows: dict[str, Callable[[], float]] = {
        "one by one": partial(rate, mixes, 1, partial(one_by_one, game))
    }
    for plays in sizes:
        batch = partial(play, game, seed=0, first=0, count=plays)
        rows[f"batches of {plays} plays"] = partial(rate, mixes, plays, batch)
    played = f"{game_id} {game.config.identity.archetype}, {game.seats} seats"
    print(f"\n{played}, {game.horizon} periods; steps are plays")
    compare(rows, "one by one", ROUNDS)
    each(game, max(sizes))


def main() -> None:
    games, sizes = sys.argv[1:2] or engine.game_ids(), [int(plays) for plays in sys.argv[2:]]
    for game_id in games:
        measure(game_id, sizes or PLAYS)


if __name__ == "__main__":
    main()
