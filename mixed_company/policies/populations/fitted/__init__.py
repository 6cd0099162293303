"""The policies of fitted types: models of `analysis.behaviour` as policies, by the models' names.

A new one is one subclass of Policy in a file here, or, if it is of one game, in
bots/populations/<game>.py; it is found by itself. It goes by what a seat
sees, and refuses a game in which its model goes by something that seats do not see.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from mixed_company.engine.contract.errors import ConfigError
from mixed_company.engine.game import Game
from mixed_company.policies.policy import Policy
from mixed_company.policies.populations.form import HERE

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


def _modules() -> Iterator[str]:
    for folder, package in ((__path__, __name__), ([str(HERE)], "bots.populations")):
        yield from (module.name for module in pkgutil.iter_modules(folder, f"{package}."))


@lru_cache(maxsize=1)
def _all() -> dict[str, type[Policy]]:
    policies = {}
    for name in _modules():
        for value in vars(importlib.import_module(name)).values():
            own = isinstance(value, type) and value.__module__ == name
            if own and issubclass(value, Policy):
                policies[value.id] = value
    return policies
