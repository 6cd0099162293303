"""Configurations of the rules that a group can choose from, compared with one another.

Before they choose, people are told the numbers of seats and periods, the actions, the roles and the
order of play. A rule that changes any of these, or is identical to another rule, is rejected, and
the error names it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from mixed_company.engine.contract.errors import ConfigError, EngineError, nearest
from mixed_company.engine.game import Game
from mixed_company.table.choosing import Rule

_BESIDES = ("layers", "archetype")
"""Keys that a rule can change in addition to the parameters of the game."""


def alternatives(
    base: Game[Any], rules: Mapping[str, Rule], changed: Callable[[Mapping[str, Any]], Game[Any]]
) -> dict[str, dict[str, Any]]:
    """Return the configuration of each rule; `changed` builds the game with some keys changed.

    Raises a ConfigError that names the rule.
    """
    configs: dict[str, dict[str, Any]] = {}
    seen: dict[str, str] = {}
    for name, rule in rules.items():
        try:
            _check_keys(base, rule.changes)
            game = changed(rule.changes)
            _check_alike(base, game)
        except EngineError as error:
            lines = "\n".join(f"rules = {name!r}: {line}" for line in str(error).split("\n"))
            raise ConfigError(lines) from None
        configs[name] = game.config.model_dump(mode="json")
        played = {key: value for key, value in configs[name].items() if key != "identity"}
        same = seen.setdefault(json.dumps(played, sort_keys=True), name)
        if same != name:
            raise ConfigError(f"rules = {name!r}: is the same as {same!r}; change its `changes`")
    return configs


def _check_keys(game: Game[Any], changes: Mapping[str, Any]) -> None:
    allowed = (*game.Core.model_fields, *_BESIDES)
    for key, value in changes.items():
        if key not in allowed:
            raise ConfigError(
                f"{key} = {value!r:.60}: should be a parameter of the game, `layers` or "
                f"`archetype`{nearest(key, allowed)}"
            )


def _check_alike(base: Game[Any], game: Game[Any]) -> None:
    """Raise ConfigError if a rule changes a fact that people are told before they choose."""
    facts: dict[str, tuple[Any, Any]] = {
        "seats": (game.seats, base.seats),
        "periods": (game.horizon, base.horizon),
        "periods_told": (game.told_horizon is not None, base.told_horizon is not None),
        "actions": (_actions(game), _actions(base)),
        "agents": (game.config.agents, base.config.agents),
    }
    for fact, (changed, expected) in facts.items():
        if changed != expected:
            raise ConfigError(
                f"{fact} = {changed!r:.120}: should be as in the session, {expected!r:.120}"
            )


def _actions(game: Game[Any]) -> dict[str, tuple[str, tuple[int, ...]]]:
    return {field.name: (field.kind, field.shape) for field in game.declaration.actions}
