"""Policies that take seats.

bots.ids("commons_game")                            every policy of a game
bots.make("sustainable", game)                      one, for a game
bots.make("fixed:harvest=3", game)                  with a parameter of its own
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import bots.scripted
from bots.policy import Decision, Policy, decide
from bots.spec import parse
from engine.errors import ConfigError, UnknownName, nearest
from engine.game import Game

__all__ = ["Decision", "Policy", "decide", "find", "ids", "make"]


def _modules(package: Any) -> Iterator[str]:
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield found.name


@lru_cache(maxsize=1)
def _all() -> dict[tuple[str, str], type[Policy]]:
    """Policy classes by (game id, policy id): `random` is another file in another game."""
    found: dict[tuple[str, str], type[Policy]] = {}
    for name in _modules(bots.scripted):
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, type) and issubclass(value, Policy) and value.__module__ == name:
                if getattr(value, "id", None) is None:
                    continue  # what several policies of a game share
                for key in ((game_id, value.id) for game_id in value.games):
                    if key in found:
                        raise ConfigError(f"policy {key} is declared twice, again in {name}")
                    found[key] = value
    return found


def ids(game_id: str) -> list[str]:
    """The ids of all policies that play a game, sorted."""
    return sorted(policy_id for game, policy_id in _all() if game == game_id)


def find(policy_id: str, game_id: str) -> type[Policy]:
    """A policy class by its id. Raises UnknownName."""
    if policy_id not in ids(game_id):
        raise UnknownName(
            f"policy {policy_id!r}: unknown in {game_id}{nearest(policy_id, ids(game_id))}"
        )
    return _all()[game_id, policy_id]


def make(spec: str, game: Game[Any]) -> Policy:
    """The policy that a text names: an id, or `id:name=number;name=number`.

    Raises UnknownName for the id, ConfigError for a parameter.
    """
    name, parameters = parse(spec)
    return find(name, game.id)(game.core, **parameters)
