"""Temporary games that `engine.games` loads like any other game."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from mixed_company import engine
from mixed_company.engine import games


@contextmanager
def shelved(folder: Path, game_id: str, source: str) -> Iterator[None]:
    """Write the source to `folder`, and serve it temporarily as the module `engine.games.<id>`."""
    (folder / f"{game_id}.py").write_text(source, encoding="utf-8")
    before = games.__path__
    games.__path__ = [*before, str(folder)]
    importlib.invalidate_caches()
    engine._modules.cache_clear()
    try:
        yield
    finally:
        games.__path__ = before
        sys.modules.pop(f"mixed_company.engine.games.{game_id}", None)
        vars(games).pop(game_id, None)
