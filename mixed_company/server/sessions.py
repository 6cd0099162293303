"""All session configs: the ones listed in each app's `sessions.py`, and one for each plan.

A plan or an app with an error is omitted from the list and named in the log; the others stay
available.
"""

from __future__ import annotations

import logging
import runpy
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.errors import ConfigError, EngineError, UnknownName, nearest
from mixed_company.experiment import reading, treatments
from mixed_company.server.app_files import check_app, check_other_app
from mixed_company.server.blocks.apps import look_for_blocks

FILE = "sessions.py"
"""File of an app that lists its session configs."""

STATIC = "_static"

_log = logging.getLogger(__name__)


def session_configs() -> list[dict[str, Any]]:
    """Return the SESSION_CONFIGS of every game that has an app, game by game, and one config per
    plan. The files are run separately, because an app cannot be imported while oTree reads its
    settings. After this call, the apps of later blocks can be imported.
    """
    look_for_blocks()
    configs, refused = _found()
    for file, error in refused.items():
        reason = "; ".join(str(error).removeprefix(f"{file}: ").split("\n"))
        _log.error("%s is omitted, but all other sessions are available: %s", file, reason)
    return configs


def refusal_of(name: str, configs: Iterable[str]) -> EngineError:
    """Return why a session config is missing: because of an error in its plan, or because its name
    is unknown. If the name is unknown, errors in apps are added, because an app with an error could
    define the session.
    """
    _, refused = _found()
    of_plan = refused.pop(f"{reading.FOLDER}/{name}.toml", None)
    if of_plan is not None:
        return of_plan
    apps = [str(error) for file, error in refused.items() if file.endswith(f"/{FILE}")]
    unknown = f"session config {name!r}: unknown{nearest(name, configs)}"
    return UnknownName("\n".join([unknown, *apps]))


def _found() -> tuple[list[dict[str, Any]], dict[str, EngineError]]:
    """Return the session configs, and the errors in the files that are omitted."""
    configs: list[dict[str, Any]] = []
    refused: dict[str, EngineError] = {}
    for game_id in engine.game_ids():
        try:
            configs += _of_app(game_id)
        except Exception as error:  # noqa: BLE001  one broken app must not hide the others
            refused[f"{game_id}/{FILE}"] = _as_engine_error(error)
    of_plans: list[dict[str, Any]] = []
    for name in reading.names(_folder()):
        try:
            plan = reading.find(name, _folder())
            for block in plan.blocks:
                for app in block.apps:
                    check_other_app(app)
            of_plans.append(treatments.session_config(name, plan, configs))
        except Exception as error:  # noqa: BLE001  one broken plan must not hide the others
            refused[f"{reading.FOLDER}/{name}.toml"] = reading.within(
                f"plan {name!r}", _as_engine_error(error)
            )
    return configs + of_plans, refused


def _of_app(game_id: str) -> list[dict[str, Any]]:
    """Return a game's session configs, or none if it has no app.

    Raises ConfigError if the app is incomplete or its `sessions.py` fails.
    """
    spec = find_spec(game_id)
    configs: list[dict[str, Any]] = []
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        check_app(game_id, Path(folder), Path(folder).parent / STATIC / game_id)
        try:
            configs += runpy.run_path(str(Path(folder) / FILE))["SESSION_CONFIGS"]
        except Exception as error:
            raise reading.within(f"{game_id}/{FILE}", _as_engine_error(error)) from error
    return configs


def _as_engine_error(error: Exception) -> EngineError:
    """Return the error as an EngineError. If it is of another type, the message states that
    type.
    """
    if isinstance(error, EngineError):
        return error
    return ConfigError(f"{type(error).__name__}: {error}")


def _folder() -> Path:
    return Path.cwd() / reading.FOLDER
