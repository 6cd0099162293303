"""The session configs of all games, from the files `sessions.py` of their apps."""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import engine

__all__ = ["session_configs"]


def session_configs() -> list[dict[str, Any]]:
    """SESSION_CONFIGS of every game that has an app, game by game.

    The files are run by themselves: an app cannot be imported while oTree reads its settings.
    """
    configs: list[dict[str, Any]] = []
    for game_id in engine.game_ids():
        spec = find_spec(game_id)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            configs += runpy.run_path(str(Path(folder) / "sessions.py"))["SESSION_CONFIGS"]
    return configs
