"""The plays of all mixes, cut into portions: `policies.sharing` says who plays them."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.learning.tournament.batch import Played, joined, play
from mixed_company.learning.tournament.mixes import Mix
from mixed_company.policies.sharing import Sharing

__all__ = ["Portion", "all_played", "portions", "run"]

MOST_PLAYS = 4096
"""In a portion: enough for the engine to be fast, few enough to share the work evenly."""

MOST_SEEN = 50_000_000
"""The most numbers that the seats of a portion are shown in a period, where plays are huge."""


@dataclass(frozen=True)
class Portion:
    """Plays `first` to `first + count - 1` of a mix; `config` is that of the game, as JSON."""

    config: str
    mix: Mix
    seed: int
    first: int
    count: int


def run(portion: Portion) -> Played:
    """Play a portion, here or on a worker."""
    return play(_game(portion.config), portion.mix, portion.seed, portion.first, portion.count)


@lru_cache(maxsize=4)
def _game(config: str) -> Game[Any]:
    return engine.make(json.loads(config))


def portions(game: Game[Any], mixes: Sequence[Mix], seed: int, plays: int) -> list[Portion]:
    """The work of a tournament, mix by mix. Raises ConfigError for fewer plays than one."""
    if plays < 1:
        raise ConfigError(f"plays = {plays}: at least 1")
    config = game.config.model_dump_json()
    seen = game.seats * sum(math.prod(field.shape) for field in game.declaration.observations)
    most = min(MOST_PLAYS, max(1, MOST_SEEN // seen))
    return [
        Portion(config, mix, seed, first, min(most, plays - first))
        for mix in mixes
        for first in range(0, plays, most)
    ]


def all_played(
    work: Sequence[Portion], workers: int = 1, scheduler: str | None = None
) -> dict[Mix, Played]:
    """The plays of each mix, with a progress bar.

    Raises ConfigError for fewer workers than one, WorkersLost, SchedulerLost.
    """
    with Sharing(workers, scheduler, progress=True, leave=True) as sharing:
        results = sharing.gathered(run, work, " plays", [portion.count for portion in work])
    parts: dict[Mix, list[Played]] = {}
    for portion, played in zip(work, results, strict=True):
        parts.setdefault(portion.mix, []).append(played)
    return {mix: joined(plays) for mix, plays in parts.items()}
