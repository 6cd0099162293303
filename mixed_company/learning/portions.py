"""Plays in portions that are stored as files, so a run can be resumed and extended.

Portions that are already in the folder are not played again.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import numpy as np
from tqdm import tqdm

from mixed_company import engine, files, policies
from mixed_company.engine.contract.space import Array
from mixed_company.engine.game import Game
from mixed_company.policies.sharing import shared
from mixed_company.policies.trained.policy import Trained

FOLDER = "portions"
"""Folder for the portions, inside the results folder."""

_KEPT = "finished plays are kept: run the same command again to continue"
_LOST = "nothing has been written"


@dataclass(frozen=True)
class Portion:
    """Plays `first` to `first + count - 1` of a group of policies; `config` is the game's, as
    JSON."""

    config: str
    group: tuple[str, ...]
    seed: int
    first: int
    count: int

    kind: ClassVar[str]
    """Purpose of the group; plays for different purposes differ."""

    @property
    def game(self) -> Game[Any]:
        return _game(self.config)

    @property
    def numbers(self) -> Array:
        """Play numbers, shape (P,)."""
        return np.arange(self.first, self.first + self.count)

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the plays depend on, including policy versions, as plain JSON."""
        game = self.game
        kinds = {spec: policies.kinds(spec, game.id) for spec in set(self.group)}
        return {
            "game": game.id,
            "version": game.version,
            "config": json.loads(self.config),
            self.kind: list(self.group),
            "versions": {spec: "+".join(map(_version, kinds[spec])) for spec in sorted(kinds)},
            "seed": self.seed,
            "first": self.first,
            "count": self.count,
        }


_Any = TypeVar("_Any", bound=Portion)


def _version(kind: type[policies.Policy]) -> str:
    """Return a policy's version: the hash of its model or, for a scripted policy, of its file.

    The file is included because it may be edited without a new `version`.
    """
    if issubclass(kind, Trained):
        return kind.card.sha256
    written = Path(str(sys.modules[kind.__module__].__file__)).read_bytes()
    return f"{kind.version} {hashlib.sha256(written).hexdigest()}"


@lru_cache(maxsize=4)
def _game(config: str) -> Game[Any]:
    return engine.make(json.loads(config))


def kept(folder: Path, portion: Portion) -> dict[str, Array] | None:
    """Return the arrays of a stored portion; None if it is missing, corrupt or for other plays."""
    try:
        record = json.loads(_file(folder, portion).read_bytes())
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or record.pop("of", None) != portion.identity:
        return None
    arrays = {name: np.asarray(values) for name, values in record.items()}
    whole = all(array.shape[:1] in ((), (portion.count,)) for array in arrays.values())
    return arrays if whole else None


def all_played(
    played: Callable[[_Any], Mapping[str, Array]],
    work: Sequence[_Any],
    folder: Path | None = None,
    workers: int = 1,
    scheduler: str | None = None,
) -> list[Mapping[str, Array]]:
    """Return the results of `played` for all portions, with a progress bar.

    The results are arrays, (P, ...) or one number. Missing portions are played here or on a Dask
    cluster, and stored if there is a folder.
    Raises ConfigError for fewer than one worker, WorkersLost, SchedulerLost, OSError.
    """
    results: dict[_Any, Mapping[str, Array]] = {}
    if folder is not None:
        stored = ((portion, kept(folder, portion)) for portion in work)
        results = {portion: arrays for portion, arrays in stored if arrays is not None}
    missing = [portion for portion in work if portion not in results]
    lost = _LOST if folder is None else _KEPT
    with tqdm(total=sum(portion.count for portion in missing), unit=" plays") as bar:
        for place, arrays in shared(played, missing, workers, scheduler, lost):
            portion = missing[place]
            if folder is not None:
                (folder / FOLDER).mkdir(parents=True, exist_ok=True)
                lists = {name: array.tolist() for name, array in arrays.items()}
                text = json.dumps({"of": portion.identity, **lists})
                files.write_whole(_file(folder, portion), text + "\n")
            results[portion] = arrays
            bar.update(portion.count)
    return [results[portion] for portion in work]


def _file(folder: Path, portion: Portion) -> Path:
    text = json.dumps(portion.identity, sort_keys=True)
    return folder / FOLDER / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.json"
