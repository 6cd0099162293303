"""A session copied under another code and with another seed. People decide the same at the same
times, and bots that decide by chance decide differently."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.people import with_people
from tests.analysis.audit.planting import (
    KEY,
    Fault,
    Manifest,
    Tables,
    of_sessions,
    packed,
    tables_of,
)
from tests.analysis.audit.tables import exported, play, setup

__all__ = ["export", "faults"]

GAME = "sanctions"


def export(folder: Path) -> Path:
    """Save an export of one session."""
    return _saved(folder / "once.zip", {"s": 1})


def faults(folder: Path) -> Iterator[Fault]:
    """Yield the fault that adds the copy to this export."""
    twice = contents_of(_saved(folder / "twice.zip", {"s": 1, "t": 2}))

    def plant(tables: Tables, manifest: Manifest) -> None:
        again = json.loads(twice["manifest.json"])
        tables.update(tables_of(twice, again))
        manifest.update({key: again[key] for key in ("sessions", "created")})

    name = "a session copied under another code and seed, so its bots decide differently"
    yield Fault("groups and sessions", name, "", plant)


def _saved(path: Path, seeds: dict[str, int]) -> Path:
    """Save an export of sessions with these seeds, in which people do the same."""
    sessions = []
    for session, seed in seeds.items():
        settings = setup(GAME, seed=seed, periods=4, bots="random", people_per_group=2)
        sessions.append(exported(settings, [play(settings, 2, 1, 0.0)], session))
    files, manifest = of_sessions(path, sessions, groups=1)
    return with_people(packed(path, files, tables_of(files, manifest), manifest), KEY)
