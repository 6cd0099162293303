"""All session configs: of games, from the files `sessions.py` of their apps, and of plans."""

from __future__ import annotations

import runpy
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import engine
from engine.contract.errors import EngineError
from experiment import reading, treatments
from server.blocks.apps import look_for_blocks

__all__ = ["session_configs"]


def session_configs() -> list[dict[str, Any]]:
    """SESSION_CONFIGS of every game that has an app, game by game; then one of each plan.

    The files are run by themselves: an app cannot be imported while oTree reads its settings. From
    then on the apps of later blocks can be.
    """
    look_for_blocks()
    configs: list[dict[str, Any]] = []
    for game_id in engine.game_ids():
        spec = find_spec(game_id)
        for folder in (spec.submodule_search_locations or ()) if spec else ():
            configs += runpy.run_path(str(Path(folder) / "sessions.py"))["SESSION_CONFIGS"]
    return configs + [_planned(name, configs) for name in reading.names(_folder())]


def _planned(name: str, configs: list[dict[str, Any]]) -> dict[str, Any]:
    """The session config of a plan. Raises ConfigError that names its file."""
    try:
        return treatments.session_config(name, reading.find(name, _folder()), configs)
    except EngineError as error:
        raise reading.within(f"plan {name!r}", error) from None


def _folder() -> Path:
    return Path.cwd() / reading.FOLDER
