"""The policies of fitted types: models of `analysis.behaviour` as policies, by the models' names.

A new one is one subclass of Policy in a file here; it is found by itself. It goes by what a seat
sees, and refuses a game in which its model goes by something that seats do not see.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from typing import Any

from bots.policy import Policy
from engine.contract.errors import ConfigError
from engine.game import Game

__all__ = ["check_shown", "policy_of"]


def policy_of(name: str, game_id: str) -> type[Policy] | None:
    """The policy of this name for a game; None: there is none."""
    policy = _all().get(name)
    return None if policy is None or policy.games not in ((), (game_id,)) else policy


def check_shown(name: str, game: Game[Any], *fields: str) -> None:
    """Raises ConfigError where a policy of this name goes by what no seat of the game is shown."""
    shown = {field.name.removeprefix("shown_") for field in game.declaration.observations}
    for field in fields:
        if field not in shown:
            raise ConfigError(f"{name}: {game.id}: {field}: is shown to nobody, and it goes by it")


@lru_cache(maxsize=1)
def _all() -> dict[str, type[Policy]]:
    policies = {}
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        for value in vars(importlib.import_module(module.name)).values():
            own = isinstance(value, type) and value.__module__ == module.name
            if own and issubclass(value, Policy):
                policies[value.id] = value
    return policies
