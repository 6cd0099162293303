"""The engine: the rules of the games, as pure functions over named arrays.

    game = engine.make("commons_game", archetype="lab", seats=4)
    play = engine.Episode(game, seed=7)
    step = play.step({"harvest": [2, 2, 2, 2], "contribution": [0, 0, 0, 0]})

It uses numpy, scipy, pydantic and the standard library, but not oTree, the network, the clock or
files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import Any

from mixed_company.engine import games
from mixed_company.engine.contract.errors import (
    ActionError,
    ConfigError,
    EngineError,
    LogError,
    UnknownName,
    nearest,
    short,
)
from mixed_company.engine.game import Game
from mixed_company.engine.play.episode import Episode
from mixed_company.engine.play.period import Period

__all__ = [
    "ActionError",
    "ConfigError",
    "EngineError",
    "Episode",
    "Game",
    "LogError",
    "Period",
    "UnknownName",
    "completed",
    "find",
    "game_ids",
    "make",
    "restored",
]

_SECTIONS = ("layers", "agents", "instrumentation")


def game_ids() -> list[str]:
    """Return the ids of all games: the modules of `engine.games`."""
    return list(_modules(tuple(games.__path__)))


@cache
def _modules(folders: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sorted names of the modules in these folders, which are cached per process."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(folders)))


def find(game_id: str) -> type[Game[Any]]:
    """Return a game's class by id. Raises UnknownName."""
    if game_id not in game_ids():
        raise UnknownName(f"game = {short(game_id)}: unknown{nearest(game_id, game_ids())}")
    module = importlib.import_module(f"mixed_company.engine.games.{game_id}")
    game: type[Game[Any]] = module.GAME
    return game


def make(
    game: str | type[Game[Any]] | Mapping[str, Any],
    *,
    archetype: str | None = None,
    seed: int = 0,
    **parameters: Any,
) -> Game[Any]:
    """Return a game with a resolved configuration.

    `game` is an id, a Game class, or a complete configuration (a dict with every key, such as
    `config.model_dump()`). The other keywords are core parameters or whole sections (layers,
    agents, instrumentation). Raises ConfigError or UnknownName.
    """
    is_class = isinstance(game, type) and issubclass(game, Game)
    if not is_class and not isinstance(game, str | Mapping):
        raise UnknownName(f"game = {short(game)}: must be an id, a Game class or a configuration")
    if isinstance(game, Mapping):
        if archetype is not None or seed or parameters:
            raise ConfigError("a complete configuration takes no further parameters")
        game_class = _named(game)
        return game_class(game_class.config_from(game))
    game_class = find(game) if isinstance(game, str) else game
    sections = {key: parameters.pop(key) for key in _SECTIONS if key in parameters}
    return game_class(game_class.resolve(archetype, seed, sections, **parameters))


def completed(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a stored configuration, possibly from an earlier release, with every key filled in.

    A missing key gets the value that the earlier release implied, or its default. Raises
    ConfigError or UnknownName.
    """
    return _named(config).config_kept(config).model_dump(mode="json")


def restored(config: Mapping[str, Any], *, trusted: bool = False) -> Game[Any]:
    """Return the game for a configuration stored in a log, an export, a policy's card or a session.

    A configuration from an earlier release is completed (see `completed`). `trusted` skips
    validation, for configurations that this code has already validated. Raises ConfigError or
    UnknownName.
    """
    game = _named(config)
    if trusted:
        return game(game.config_model().trusted(config))
    return game(game.config_kept(config))


def _named(config: Mapping[str, Any]) -> type[Game[Any]]:
    """Return the class of the game that a configuration names."""
    identity = config.get("identity")
    name = identity.get("game") if isinstance(identity, Mapping) else None
    if not isinstance(name, str):
        raise ConfigError("identity.game: is missing")
    return find(name)
