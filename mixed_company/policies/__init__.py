"""Policies that take seats.

policies.ids("commons_game")             all policies of a game
policies.make("sustainable", game)       a policy for a game
policies.make("fixed:harvest=3", game)   a policy with a parameter
policies.make("outside:NAME", game)      an external agent (`policies.outside`)
policies.make("population:NAME", game)   a simulated person from a population
                                         (`policies.populations`)
policies.look_in("my_policies")          add a folder of trained policies (in settings.py)
policies.folders()                       the added folders

Scripted policies, models and populations are in `bots/`, whose modules import this package.
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
from mixed_company.policies.spec import POPULATION, parse, parts
from mixed_company.policies.staged import Staged, check_alone

__all__ = ["Answer", "Policy", "ask", "ask_at", "find", "folders", "ids", "kinds", "look_in"]
__all__ += ["make"]


_WRITTEN = "bots"
"""Package of the scripted policies. It is imported by name because it imports this package."""


def _modules(package: Any) -> Iterator[str]:
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield module.name


_folders: dict[Path, dict[str, type[trained.Trained]]] = {}
"""Policies from the folders that `look_in` added, by id."""


def _scripted() -> Iterator[tuple[str, type[Policy]]]:
    """Yield the module name and the class of every scripted policy."""
    for name in _modules(importlib.import_module(_WRITTEN)):
        for value in vars(importlib.import_module(name)).values():
            if isinstance(value, type) and issubclass(value, Policy) and value.__module__ == name:
                if getattr(value, "id", None) is None:
                    continue  # a base class
                yield name, value


@lru_cache(maxsize=1)
def _all() -> dict[tuple[str, str], type[Policy]]:
    """Return policy classes by (game id, policy id), because two games may use the same policy
    id."""
    learned = [(str(policy.path), policy) for policy in trained.policies_in(trained.HERE)]
    added = [
        (str(policy.path), policy) for folder in _folders.values() for policy in folder.values()
    ]
    sources: dict[tuple[str, str], tuple[str, type[Policy]]] = {}
    for source, policy in (*_scripted(), *learned, *added):
        for game_id in policy.games:
            earlier = sources.get((game_id, policy.id))
            if earlier is not None:
                raise ConfigError(
                    f"{source}: id = {policy.id!r}: {game_id} already has a policy with this id, "
                    f"in {earlier[0]}"
                )
            sources[game_id, policy.id] = source, policy
    return {key: policy for key, (_, policy) in sources.items()}


def look_in(folder: str | Path) -> list[str]:
    """Add a folder of trained policies; return their ids. Call it in settings.py.

    Every model is opened, so errors show up when the server starts. Raises a ConfigError that names
    the file if any file is invalid; no policy from the folder is then added.
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
    """Return the folders that `look_in` added, because a new process must add them again."""
    return tuple(_folders)


def ids(game_id: str, stage: int = 0) -> list[str]:
    """Return the sorted ids of the policies that can play this stage of a game; 0 is the first
    stage."""
    return sorted(
        policy_id
        for (game, policy_id), policy in _all().items()
        if game == game_id and policy.stage in (None, stage)
    )


def find(policy_id: str, game_id: str, stage: int = 0) -> type[Policy]:
    """Return a policy class by id. Raises UnknownName, or ConfigError for an invalid population
    file.

    The error for an unknown id suggests policies that can play this stage.
    """
    if isinstance(policy_id, str) and policy_id.startswith(POPULATION):
        kind = population_of(policy_id, find)
        if game_id not in kind.games:
            raise ConfigError(f"{policy_id}: a policy for {', '.join(kind.games)}, not {game_id}")
        return kind
    if (game_id, policy_id) not in _all():
        hint = nearest(policy_id, ids(game_id, stage))
        raise UnknownName(f"policy {short(policy_id)}: unknown in {game_id}{hint}")
    return _all()[game_id, policy_id]


def kinds(spec: str, game_id: str) -> list[type[Policy]]:
    """Return the policy classes of a spec, one for each stage. Raises the same errors as `find`."""
    return [find(parse(part)[0], game_id) for part in parts(spec)]


def make(spec: str, game: Game[Any]) -> Policy:
    """Return the policy of a spec.

    A spec is an id, `id:name=number;name=number`, `outside:NAME` or `population:NAME`, or two of
    them joined by `+`, one for each stage of a period (`policies.staged`). Raises UnknownName for
    an unknown id, and ConfigError for an invalid parameter or an unsuitable game.
    """
    agent = agent_of(spec)
    if agent is not None:
        return Outside(game.told, agent)
    first, *later = parts(spec)
    policy = _make_one(first, game)
    if not later:
        check_alone(policy)
        return policy
    if len(later) > 1 or not game.stages.several:
        stages = ", ".join(game.stages.names)
        raise ConfigError(
            f"policy {short(spec)}: names {1 + len(later)} policies, but the stages of a period of "
            f"{game.id} are: {stages}"
        )
    return Staged(spec, policy, _make_one(later[0], game, 1))


def _make_one(spec: str, game: Game[Any], stage: int = 0) -> Policy:
    name, parameters = parse(spec)
    return find(name, game.id, stage).for_game(game, **parameters)
