"""Behavioural games for people and bots in mixed company.

    import mixed_company

    game = mixed_company.make("commons_game", archetype="lab", seats=4)
    play = mixed_company.Episode(game, seed=7)
    data = mixed_company.load("export.zip")

A name is imported on first use, together with the libraries that its package needs. The engine does
not need pandas, and nothing here needs oTree. Import everything else from its own package.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mixed_company.analysis import check, load, save
    from mixed_company.engine import Episode, Game, game_ids, make
    from mixed_company.policies import Policy, ask, ids, look_in

__all__ = [
    "Episode",
    "Game",
    "Policy",
    "ask",
    "check",
    "game_ids",
    "ids",
    "load",
    "look_in",
    "make",
    "save",
]

_PACKAGES = {
    **dict.fromkeys(("Episode", "Game", "game_ids", "make"), "engine"),
    **dict.fromkeys(("Policy", "ask", "ids", "look_in"), "policies"),
    **dict.fromkeys(("check", "load", "save"), "analysis"),
}


def __getattr__(name: str) -> Any:
    if name not in _PACKAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_PACKAGES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
