"""What each rule that a group can choose changes: configurations, checked against one another.

What people are told before they choose holds under every rule: seats, periods, what a seat
decides, roles and order. Rules that differ in one of these are refused by name, and so are two that
differ in nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from mixed_company.engine.config import Config
from mixed_company.engine.contract.errors import ConfigError, EngineError, nearest
from mixed_company.engine.game import Game
from mixed_company.table.choosing import Rule

__all__ = ["alternatives"]

_BESIDES = ("layers", "archetype")
"""What a rule can change besides the parameters of the game."""

Resolve = Callable[[Mapping[str, Any]], Config[Any]]


def alternatives(
    game: type[Game[Any]], base: Config[Any], rules: Mapping[str, Rule], resolve: Resolve
) -> dict[str, dict[str, Any]]:
    """The configuration of each rule. `resolve` gives that of the session with some keys changed.

    Raises ConfigError that names the rule.
    """
    configs: dict[str, dict[str, Any]] = {}
    seen: dict[str, str] = {}
    for name, rule in rules.items():
        try:
            _check_keys(game, rule.changes)
            config = resolve(rule.changes)
            _check_alike(game(base), game(config))
        except EngineError as error:
            lines = "\n".join(f"rules = {name!r}: {line}" for line in str(error).split("\n"))
            raise ConfigError(lines) from None
        configs[name] = config.model_dump(mode="json")
        played = {key: value for key, value in configs[name].items() if key != "identity"}
        same = seen.setdefault(json.dumps(played, sort_keys=True), name)
        if same != name:
            raise ConfigError(
                f"rules = {name!r}: differs in nothing from {same!r}; give it other `changes`"
            )
    return configs


def _check_keys(game: type[Game[Any]], changes: Mapping[str, Any]) -> None:
    known = (*game.Core.model_fields, *_BESIDES)
    for key, value in changes.items():
        if key not in known:
            raise ConfigError(
                f"{key} = {value!r:.60}: should be a parameter of the game, `layers` or "
                f"`archetype`{nearest(key, known)}"
            )


def _check_alike(base: Game[Any], own: Game[Any]) -> None:
    """Raises ConfigError where a rule changes what people are told before they choose."""
    facts: dict[str, tuple[Any, Any]] = {
        "seats": (own.seats, base.seats),
        "periods": (own.horizon, base.horizon),
        "what a seat decides": (_actions(own), _actions(base)),
        "agents": (own.config.agents, base.config.agents),
    }
    for what, (changed, should) in facts.items():
        if changed != should:
            raise ConfigError(
                f"{what} = {changed!r:.120}: should be as in the session, {should!r:.120}"
            )


def _actions(game: Game[Any]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {field.name: (field.kind, field.shape) for field in game.declaration.actions}
