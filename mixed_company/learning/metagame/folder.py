"""Portions of plays as files: what is there is not played again, what is missing is."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from mixed_company import files
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.learning.metagame.composition import (
    PLAYS,
    Composition,
    Portion,
    compositions,
    played,
)
from mixed_company.policies.bench import check_together
from mixed_company.policies.sharing import shared

__all__ = ["PORTIONS", "all_played", "kept", "portions"]

PORTIONS = "portions"
"""The folder below that of the results."""

_LOST = "what was played is kept: say the same again to go on"


def portions(
    game: Game[Any], policies: Sequence[str], plays: int, seed: int
) -> dict[Composition, list[Portion]]:
    """The work, composition by composition. Raises ConfigError for what cannot be played."""
    check_together(game)
    if plays < 2:
        raise ConfigError(f"plays = {plays}: at least 2")
    config = game.config.model_dump_json()
    return {
        composition: [
            Portion(config, composition, seed, first, min(PLAYS, plays - first))
            for first in range(0, plays, PLAYS)
        ]
        for composition in compositions(policies, game.seats)
    }


def kept(folder: Path, portion: Portion) -> Array | None:
    """(P, n) what a file says; None: there is none, or it is of something else or broken."""
    try:
        record = json.loads(_file(folder, portion).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or record.get("of") != portion.identity:
        return None
    points = np.asarray(record.get("points"), dtype=np.float64)
    return points if points.shape == (portion.count, len(portion.composition)) else None


def all_played(
    folder: Path,
    work: dict[Composition, list[Portion]],
    workers: int = 1,
    scheduler: str | None = None,
) -> dict[Composition, Array]:
    """(P, n) of every composition; what is missing in the folder is played, here or on a Dask
    cluster, and written there.

    Raises ConfigError for fewer workers than one, WorkersLost, SchedulerLost, OSError.
    """
    (folder / PORTIONS).mkdir(parents=True, exist_ok=True)
    every = [portion for parts in work.values() for portion in parts]
    points = {portion: kept(folder, portion) for portion in every}
    missing = [portion for portion, there in points.items() if there is None]
    with tqdm(total=sum(portion.count for portion in missing), unit=" plays") as bar:
        for place, values in shared(played, missing, workers, scheduler, _LOST):
            portion = missing[place]
            record = {"of": portion.identity, "points": values.tolist()}
            files.write_whole(_file(folder, portion), json.dumps(record) + "\n")
            points[portion] = values
            bar.update(portion.count)
    return {
        composition: np.concatenate([_sure(points[portion]) for portion in parts])
        for composition, parts in work.items()
    }


def _file(folder: Path, portion: Portion) -> Path:
    text = json.dumps(portion.identity, sort_keys=True)
    return folder / PORTIONS / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"


def _sure(points: Array | None) -> Array:
    assert points is not None  # noqa: S101  what was missing has been played
    return points
