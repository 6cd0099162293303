"""Policies that take seats.

policies.ids("commons_game")             every policy of a game
policies.make("sustainable", game)       one, for a game
policies.make("fixed:harvest=3", game)   with a parameter of its own
policies.make("outside:NAME", game)      an agent from outside (`policies.outside`)
policies.make("population:NAME", game)   a person of a population (`policies.populations`)
policies.look_in("my_policies")          trained policies of one's own, for settings.py
policies.folders()                       where these were looked for

Written policies, models and populations stand in `bots/`; a policy from there imports this.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from mixed_company.engine.contract.errors import ConfigError, UnknownName, nearest, short
from mixed_company.engine.game import Game
from mixed_company.policies import trained
from mixed_company.policies.outside import Outside, agent_of
from mixed_company.policies.policy import Answer, Policy, ask, ask_at
from mixed_company.policies.populations import population_of
from mixed_company.policies.spec import POPULATION, parse

__all__ = ["Answer", "Policy", "ask", "ask_at", "find", "folders", "ids", "look_in", "make"]


_WRITTEN = "bots"
"""The package of the written policies: looked up by its name, as it imports this one."""


def _modules(package: Any) -> Iterator[str]:
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield module.name


_folders: dict[Path, dict[str, type[trained.Trained]]] = {}
"""Policies of the folders of `look_in`, by id."""


def _scripted() -> Iterator[tuple[str, type[Policy]]]:
    """(where it stands, policy class)."""
    for name in _modules(importlib.import_module(_WRITTEN)):
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, type) and issubclass(value, Policy) and value.__module__ == name:
                if getattr(value, "id", None) is None:
                    continue  # what several policies of a game share
                yield name, value


@lru_cache(maxsize=1)
def _all() -> dict[tuple[str, str], type[Policy]]:
    """Policy classes by (game id, policy id): `random` is another file in another game."""
    learned = [(str(policy.path), policy) for policy in trained.policies_in(trained.HERE)]
    own = [(str(policy.path), policy) for folder in _folders.values() for policy in folder.values()]
    sources: dict[tuple[str, str], tuple[str, type[Policy]]] = {}
    for where, policy in (*_scripted(), *learned, *own):
        for game_id in policy.games:
            before = sources.get((game_id, policy.id))
            if before is not None:
                raise ConfigError(
                    f"{where}: id = {policy.id!r}: {game_id} has a policy of this id in {before[0]}"
                )
            sources[game_id, policy.id] = where, policy
    return {key: policy for key, (_, policy) in sources.items()}


def look_in(folder: str | Path) -> list[str]:
    """Find trained policies in a folder of one's own too; their ids. To be called in settings.py.

    Every model is opened, so that what is wrong is told when the server starts. Raises ConfigError
    that names the file; then nothing of the folder is known.
    """
    place = Path(folder).resolve()
    policies = {policy.id: policy for policy in trained.policies_in(place)}
    for policy in policies.values():
        trained.opened(policy.card, policy.path)
    before = _folders.pop(place, None)
    _folders[place] = policies
    _all.cache_clear()
    try:
        _all()
    except ConfigError:
        del _folders[place]
        if before is not None:
            _folders[place] = before
        raise
    return sorted(policies)


def folders() -> tuple[Path, ...]:
    """The folders of `look_in`, which a process that begins anew has to look in as well."""
    return tuple(_folders)


def ids(game_id: str) -> list[str]:
    """The ids of all policies that play a game, sorted."""
    return sorted(policy_id for game, policy_id in _all() if game == game_id)


def find(policy_id: str, game_id: str) -> type[Policy]:
    """A policy class by its id. Raises UnknownName, or ConfigError for the file of a population."""
    if isinstance(policy_id, str) and policy_id.startswith(POPULATION):
        kind = population_of(policy_id, find)
        if game_id not in kind.games:
            raise ConfigError(f"{policy_id}: is of {', '.join(kind.games)}, not of {game_id}")
        return kind
    if policy_id not in ids(game_id):
        raise UnknownName(
            f"policy {short(policy_id)}: unknown in {game_id}{nearest(policy_id, ids(game_id))}"
        )
    return _all()[game_id, policy_id]


def make(spec: str, game: Game[Any]) -> Policy:
    """The policy that a text names: an id, `id:name=number;name=number`, `outside:NAME`, or
    `population:NAME`.

    Raises UnknownName for the id, ConfigError for a parameter or a game that does not fit.
    """
    agent = agent_of(spec)
    if agent is not None:
        return Outside(game.core, agent)
    name, parameters = parse(spec)
    return find(name, game.id).for_game(game, **parameters)
