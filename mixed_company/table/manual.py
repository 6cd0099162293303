"""Keys of a session config with their meanings, arranged in groups, for forms and documentation.

All information comes from the schemas that validate the keys (the game's `Core`, and `Options`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from mixed_company import engine
from mixed_company.engine.contract.describe import keys, rule
from mixed_company.table.group_options import GroupOptions
from mixed_company.table.options import Options

_GAME = "The game"
_LATER = ("Peer points", "Talk")
"""Groups that are listed last, because most sessions leave their keys at the defaults."""

_ARCHETYPE = "named set of game values; it provides all keys that are not changed"
_OTHERS = {
    "seed": "seed that determines all random numbers of the session; empty: it is drawn",
    "layers": "additions to the game, as JSON with the layers' names; empty: none",
    "agents": "roles, permission to leave, and order of decisions, as JSON; empty: all seats are "
    "alike and decide together",
}
"""Keys that are not in any section, except the archetype."""


@dataclass(frozen=True)
class Key:
    """Key of a session config.

    choices   allowed values, if there are only a few; otherwise empty
    rule      its range, in words
    first     whether it is one of the keys that people usually change first
    """

    name: str
    meaning: str
    unit: str = ""
    rule: str = ""
    choices: tuple[str, ...] = ()
    first: bool = False


@dataclass(frozen=True)
class Group:
    """The keys on one topic, with its title."""

    title: str
    keys: tuple[Key, ...]


def groups(game_id: str) -> list[Group]:
    """Return all keys of a game's session config, starting with the keys of its core. Raises
    UnknownName.
    """
    return list(_groups(engine.find(game_id)))


@cache
def _groups(game: type[engine.Game[Any]]) -> tuple[Group, ...]:
    archetype = Key("archetype", _ARCHETYPE, choices=tuple(game.archetypes), first=True)
    listed = {_GAME: [archetype]}
    for name, about in keys(game.Core):
        listed.setdefault(about.get("group", _GAME), []).append(_key(name, about))
    listed[_GAME] += [Key(name, meaning) for name, meaning in _OTHERS.items()]
    first = {*GroupOptions.model_fields, *Options.__annotations__}
    for name, about in sorted(keys(Options), key=lambda pair: pair[0] not in first):
        listed.setdefault(about.get("group", "Other"), []).append(_key(name, about))
    listed |= {title: listed.pop(title) for title in _LATER if title in listed}
    return tuple(Group(title, tuple(content)) for title, content in listed.items())


def _key(name: str, about: Mapping[str, Any]) -> Key:
    choices = tuple(map(str, about.get("enum", ())))
    words = "" if choices else rule(about).replace("`", "")
    first = about.get("first", False)
    return Key(name, about["description"], about.get("unit", ""), words, choices, first)
