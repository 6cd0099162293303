"""Speed of a turn of the punishment vote, for one play and for batches.

    python -m benchmarks.votes

It measures whole engine turns with random actions: validation, spawning, moves, votes, harm and all
observations. sorrel's state_punishment_beta (5 x 5 view, 3 seats) cannot run in the same
environment, because it needs Python 3.12 or newer; its published figure is 897 steps per second on
one core of a two-core machine. `rules alone` measures only the game's transition and view; the
difference is the cost of everything else in the engine. Rates are medians of five alternating
rounds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

import numpy as np

from benchmarks.rates import compare
from mixed_company import engine

PUBLISHED = 897.0
BATCHES = (64, 256, 512, 1024, 4096)
ARCHETYPES = ("source", "sequential", "composite", "separate_worlds", "lab_0_7")


def rate(archetype: str, batch: tuple[int, ...], contract: bool = True) -> float:
    """Return turns per second over all plays."""
    game = engine.make("punishment_vote", archetype=archetype, turns=10_000)
    seeds = np.arange(batch[0]) if batch else 0
    state, _ = game.reset(seeds)
    last = int(game.declaration.actions[0].high)
    draw = np.random.default_rng(0)
    actions = [{"action": draw.integers(0, last + 1, (*batch, game.seats))} for _ in range(16)]
    turns = max(20, 60_000 // batch[0]) if batch else 1000
    started = time.perf_counter()
    for turn in range(turns):
        chance = game.draw_chance(seeds, turn)
        if contract:
            state, _ = game.step(state, actions[turn % 16], chance)
        else:
            after = game.transition(state, actions[turn % 16], chance)
            state = {**after, "period": state["period"], "reason": state["reason"]}
            game.view(state, chance)
    return turns * (batch[0] if batch else 1) / (time.perf_counter() - started)


def main() -> None:
    rows: dict[str, Callable[[], float]] = {"sorrel (published)": lambda: PUBLISHED}
    for name in ARCHETYPES:
        rows[f"{name}, one play"] = partial(rate, name, ())
        for size in BATCHES:
            rows[f"{name}, {size} plays"] = partial(rate, name, (size,))
    for size in BATCHES:
        rows[f"rules alone, {size} plays"] = partial(rate, "source", (size,), False)
    compare(rows, "sorrel")


if __name__ == "__main__":
    main()
