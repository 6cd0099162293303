"""Games for tests of adapters: every archetype in a shortened form, and a game in which one seat's
play ends early."""

from __future__ import annotations

from typing import Any

import numpy as np

from mixed_company import engine
from mixed_company.engine.games.commons_game import CommonsGame
from tests.engine.plays import every_archetype

ARCHETYPES = every_archetype()
SHORT = 4


def short(game_id: str, archetype: str) -> engine.Game[Any]:
    """Return the game shortened to at most four periods, so plays end during a test."""
    name = "turns" if game_id == "punishment_vote" else "periods"
    periods = min(engine.make(game_id, archetype=archetype).horizon, SHORT)
    return engine.make(game_id, archetype=archetype, **{name: periods})


def lab(**parameters: Any) -> engine.Game[Any]:
    """Return the `lab` commons: 4 seats, stock 100, at most 10 each."""
    return engine.make("commons_game", archetype="lab_0_7", **parameters)


class OneEndsEarly(CommonsGame):
    """Commons in which seat 1's play ends after the second period while the others play on."""

    def step(self, *args: Any) -> Any:
        after, outcome = super().step(*args)
        gone = np.arange(self.seats) == 1
        early = (after["period"] >= 2)[..., None] & gone
        return after, outcome._replace(seat_done=outcome.seat_done | early)


def one_ends_early() -> engine.Game[Any]:
    """Return a `OneEndsEarly` game with four periods."""
    return OneEndsEarly(CommonsGame.resolve("lab_0_7", periods=4))


def rows(generator: np.random.Generator, flat: Any, masks: Any, count: int) -> Any:
    """Return flat actions of `count` learners: allowed choices, or numbers from -1 to 1."""
    if not flat.choices:
        return generator.uniform(-1, 1, (count, len(flat.layout))).astype(np.float32)
    return np.argmax(generator.random(masks.shape) * masks, axis=-1)
