"""What is best, selfish or efficient in a game, one module per game, named like it.

A module may also judge periods that were played: `judged(core)`, the fields it gives, and
`judge(core, state)`, their values after a period, from the state as it is logged.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from engine.game import Game
from engine.space import Field

__all__ = ["judge", "judged"]


def judged(game: Game[Any]) -> tuple[Field, ...]:
    """The fields that periods of a game are judged by; none for most games."""
    module = _module(game.id)
    found: tuple[Field, ...] = module.judged(game.core) if hasattr(module, "judged") else ()
    return found


def judge(game: Game[Any], state: Mapping[str, Any]) -> dict[str, Any]:
    """The values of `judged` for a period that led to this state (plain JSON); None: has none."""
    found: dict[str, Any] = _module(game.id).judge(game.core, state) if judged(game) else {}
    return found


def _module(game_id: str) -> Any:
    name = f"{__name__}.{game_id}"
    return import_module(name) if find_spec(name) else None
