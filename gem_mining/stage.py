"""What the picture of gem mining needs, and what follows from what a village has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.games.gem_mining import GemCore, GemGame
from engine.games.gem_mining.instance import Instance
from server.guide import Observation, Row

__all__ = ["derived", "setting"]


def setting(game: GemGame, seat: int) -> Row:
    """How many mines and kinds there are, how far a village can reach, and what is to be shown."""
    core = game.core
    return {
        "mines": core.mines,
        "kinds": core.gem_types,
        "farthest": core.max_connectivity,
        "mines_are_shown": core.information != "none",
        "known": core.known_probabilities,
    }


def derived(game: GemGame, seat: int, seen: Sequence[Observation]) -> Row:
    """What follows from what the village sees now.

    people   per village {first, last, workers}: the mines in its reach; None what is not shown
    chances  per mine, number of workers (from 0 to the village's own, or 1) and kind; None if they
             are not shown
    worth    what all gems found so far are worth to every village, in points; None if not shown
    """
    now = seen[-1]
    people = [_village(now, seat, village) for village in range(game.seats)]
    return {
        "people": people,
        "chances": _chances(game.core, now, people[seat]["workers"] or 1),
        "worth": _worth(game.core, now.get("purse")),
    }


def _is_whole(value: Any) -> bool:
    """Is all of it shown?"""
    if isinstance(value, list):
        return all(map(_is_whole, value))
    return value is not None


def _village(now: Observation, seat: int, village: int) -> Row:
    """The mines that a village reaches are those from its own number on."""
    reaches, workforces = now.get("reaches"), now.get("workforces")
    reach = reaches[village] if _is_whole(reaches) else None
    workers = workforces[village] if _is_whole(workforces) else None
    if village == seat:
        reach = now["reach"]
        workers = now.get("workers") if now.get("workers") is not None else workers
    return {
        "first": None if reach is None else village,
        "last": None if reach is None else int(village + reach - 1),
        "workers": workers,
    }


def _chances(core: GemCore, now: Observation, workers: int) -> list[Any] | None:
    base = now.get("base_probabilities", now.get("shown_base_probabilities"))
    if not _is_whole(base):
        return None
    nobody = np.zeros(0, dtype=np.int64)
    mines = Instance(nobody, nobody, np.asarray(base), core.truncation, core.worker_bonus)
    chances: list[Any] = mines.probabilities(int(workers)).tolist()
    return chances


def _worth(core: GemCore, purse: Any) -> float | None:
    return float(np.dot(purse, core.weights or ())) if _is_whole(purse) else None
