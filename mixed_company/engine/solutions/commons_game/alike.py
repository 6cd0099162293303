"""What comes of it if all seats ask for the same in every period, as the engine plays it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mixed_company.engine.games.commons_game import CommonsCore
from mixed_company.engine.solutions.commons_game.path import path

__all__ = ["Alike", "best_alike"]


@dataclass(frozen=True)
class Alike:
    """A play in which each seat asks for `request` in every period; nobody pays into a pool.

    request   fish, of each seat
    points    what each seat earns in the whole play, not discounted
    periods   how many periods were played
    """

    request: float
    points: float
    periods: int


def best_alike(core: CommonsCore, requests: Sequence[float]) -> Alike:
    """Of some requests the one that brings each seat most; the least of those that bring it.

    Raises ValueError without any.
    """
    if not requests:
        raise ValueError("requests = []: at least one")
    plays = [_alike(core, request) for request in sorted(requests)]
    return max(plays, key=lambda play: round(play.points, 9))


@lru_cache(maxsize=1024)
def _alike(core: CommonsCore, request: float) -> Alike:
    together, nothing = request * core.seats, np.zeros(core.periods)
    plain = core.model_copy(update={"discount": 1.0})
    play = path(plain, core.seats, lambda *_: (together, 0.0), nothing, nothing)
    return Alike(request, play.value / core.seats, len(play.stocks) - 1)
