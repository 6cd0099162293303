"""Compositions of policies, and their plays, stored in portions as files.

A portion that is already in the folder is not played again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

import numpy as np
from tqdm import tqdm

from mixed_company import engine, files, policies
from mixed_company.engine.contract.chance import generator, play_seeds
from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.bench import Bench, check_together
from mixed_company.policies.sharing import shared
from mixed_company.policies.trained.policy import Trained

PLAYS = 100
"""Number of plays in a portion."""

PORTIONS = "portions"
"""Folder of the portions, inside the results folder."""

_LOST = "finished plays are kept: run the same command again to continue"

Composition = tuple[str, ...]
"""Policies of n places, the rarest first, so that a policy that replaces another takes the same
place."""


def order(policies: Sequence[str]) -> Composition:
    """Return the composition of these policies, the rarest first."""
    return tuple(sorted(policies, key=lambda policy: (policies.count(policy), policy)))


def beside(policy: str, other: str, count: int, seats: int) -> Composition:
    """Return a composition with `count` seats of one policy, and another policy in the rest.

    With two seats the first policy comes first.
    """
    composition = (policy,) * count + (other,) * (seats - count)
    return composition if seats == 2 else order(composition)


def compositions(policies: Sequence[str], seats: int) -> list[Composition]:
    """Return all compositions of this many seats; with two seats, each pair in both orders.

    With two seats neither policy is rarer, and clones can only be found with both orders.
    """
    if seats == 2:
        return list(product(policies, repeat=2))
    return [order(composition) for composition in combinations_with_replacement(policies, seats)]


@dataclass(frozen=True)
class Portion:
    """Plays `first` to `first + count - 1` of a composition; `config` is that of the game, as
    JSON."""

    config: str
    composition: Composition
    seed: int
    first: int
    count: int

    @property
    def identity(self) -> dict[str, Any]:
        """Everything on which the points depend, as plain JSON, including versions of policies."""
        game = _game(self.config)
        kinds = {spec: policies.kinds(spec, game.id) for spec in set(self.composition)}
        return {
            "game": game.id,
            "version": game.version,
            "config": json.loads(self.config),
            "composition": list(self.composition),
            "versions": {spec: "+".join(map(_version, kinds[spec])) for spec in sorted(kinds)},
            "seed": self.seed,
            "first": self.first,
            "count": self.count,
        }


def _version(kind: type[policies.Policy]) -> str:
    """Return the version of a policy: the hash of its model or, if it is scripted, of its file.

    The file is included because it may be edited without a new `version`.
    """
    if issubclass(kind, Trained):
        return kind.card.sha256
    written = Path(str(sys.modules[kind.__module__].__file__)).read_bytes()
    return f"{kind.version} {hashlib.sha256(written).hexdigest()}"


@lru_cache(maxsize=4)
def _game(config: str) -> Game[Any]:
    return engine.make(json.loads(config))


def played(portion: Portion) -> Array:
    """Play a portion and return the earnings of each place, shape (P, n).

    Places are assigned to seats at random in each play, identically in all compositions, so that
    all are compared with the same random numbers.
    """
    game = _game(portion.config)
    numbers = np.arange(portion.first, portion.first + portion.count)
    places = np.array([_places(portion.seed, number, game.seats) for number in numbers.tolist()])
    names = np.array(portion.composition)[places]
    seated = [
        (policies.make(spec, game), names == spec) for spec in dict.fromkeys(portion.composition)
    ]
    seeds = play_seeds(portion.seed, numbers)
    returns = np.zeros((portion.count, game.seats))
    for _, outcome in Bench(game, seated).play(seeds, *game.reset(seeds)):
        returns += outcome.rewards
    by_place = np.empty_like(returns)
    np.put_along_axis(by_place, places, returns, axis=1)
    return by_place


@lru_cache(maxsize=10_000)
def _places(seed: int, number: int, seats: int) -> tuple[int, ...]:
    """Return the place in the composition for each seat of a play."""
    return tuple(generator(seed, "places", number).permutation(seats).tolist())


# -- in files -------------------------------------------------------------------------------


def portions(
    game: Game[Any], policies: Sequence[str], plays: int, seed: int
) -> dict[Composition, list[Portion]]:
    """Return the work, composition by composition. Raises ConfigError for a game that cannot be
    played."""
    check_together(game)
    if plays < 2:
        raise ConfigError(f"plays = {plays}: should be at least 2")
    config = game.config.model_dump_json()
    return {
        composition: [
            Portion(config, composition, seed, first, min(PLAYS, plays - first))
            for first in range(0, plays, PLAYS)
        ]
        for composition in compositions(policies, game.seats)
    }


def kept(folder: Path, portion: Portion) -> Array | None:
    """Return the points in a file, (P, n); None if it is missing, broken or from other plays."""
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
    """Return the points of every composition, shape (P, n) each.

    Missing portions are played here or on a Dask cluster, and written to the folder.
    Raises ConfigError for fewer than one worker, WorkersLost, SchedulerLost, OSError.
    """
    (folder / PORTIONS).mkdir(parents=True, exist_ok=True)
    every = [portion for parts in work.values() for portion in parts]
    points = {portion: kept(folder, portion) for portion in every}
    missing = [portion for portion, values in points.items() if values is None]
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
    assert points is not None  # noqa: S101  missing portions have been played
    return points
